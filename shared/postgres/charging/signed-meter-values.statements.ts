import type {
  CheckedValue,
  SignedMeterValue,
  SignedNature,
} from '#shared/domain/charging/signed-meter-value.ts';
import type { SignatureCheck } from '#shared/domain/charging/signature-check.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import type { RegisteredKey } from '#shared/postgres/fleet/meter-keys.statements.ts';

/** Stored signed value of a session. */
export interface StoredSignedValue extends CheckedValue, SignedMeterValue {
  id: bigint;
  /** Key that signed a verified value, in upper-case hex; null for others. */
  publicKey: string | null;
}

/** Returns the signed values of a session, by the time of the charger. */
export async function listSignedValues(sql: Queryable, sessionId: bigint): Promise<StoredSignedValue[]> {
  return sql<StoredSignedValue[]>`
    select v.id, v.measured_at as "measuredAt", v.received_at as "receivedAt", v.format, v.data,
      v.encoding_method as "encodingMethod", v.signing_method as "signingMethod", v.claimed_key as "claimedKey",
      ${checkedColumns(sql)}, m.public_key as "publicKey"
    from signed_meter_values v left join meter_keys m on m.id = v.meter_key_id
    where v.session_id = ${String(sessionId)}::bigint ${inOrder(sql)}`;
}

/** Returns the states and registers of the signed values of a session, in the same order. */
export async function listCheckedValues(sql: Queryable, sessionId: bigint): Promise<CheckedValue[]> {
  return sql<CheckedValue[]>`
    select ${checkedColumns(sql)} from signed_meter_values v
    where v.session_id = ${String(sessionId)}::bigint ${inOrder(sql)}`;
}

const checkedColumns = (sql: Queryable) => sql`
  v.nature, v.state, v.meter_key_id as "keyId", v.start_wh as "startWh", v.end_wh as "endWh", v.start_at as "startAt",
  v.end_at as "endAt", v.register, v.page::double precision as page`;

const inOrder = (sql: Queryable) => sql`
  order by v.measured_at, array_position('{START,INTERMEDIATE,END}', v.nature), v.id`;

/** Returns the number of stored values of a session, by nature. */
export async function countSignedValues(
  transaction: Transaction,
  sessionId: bigint,
): Promise<Map<SignedNature, number>> {
  const rows = await transaction<{ nature: SignedNature; count: number }[]>`
    select nature, count(*)::integer as count from signed_meter_values
    where session_id = ${String(sessionId)}::bigint group by nature`;
  return new Map(rows.map(({ nature, count }) => [nature, count]));
}

/** Value that a session of the charger has already. */
interface KnownValue {
  /** Position in the list of values. */
  index: number;
  /** Another session has it. */
  isElsewhere: boolean;
}

/** Returns those of the values that are stored with the session already, or with another one of its charger. */
export async function findKnownValues(
  transaction: Transaction,
  session: { id: bigint; chargerId: number },
  values: readonly SignedMeterValue[],
): Promise<KnownValue[]> {
  return transaction<KnownValue[]>`
    select n.position::integer - 1 as index, bool_or(v.session_id <> ${String(session.id)}::bigint) as "isElsewhere"
    from unnest(${values.map(({ nature }) => nature)}::text[], ${values.map(({ data }) => data)}::text[])
      with ordinality as n (nature, data, position)
    join signed_meter_values v on md5(v.data) = md5(n.data)
    join sessions s on s.id = v.session_id and s.charger_id = ${session.chargerId}
    where v.session_id <> ${String(session.id)}::bigint or v.nature = n.nature
    group by n.position`;
}

/** Value with the result of its check. */
type NewSignedValue = SignedMeterValue & SignatureCheck<RegisteredKey>;

/** Stores checked values of a session. */
export async function insertSignedValues(
  transaction: Transaction,
  sessionId: bigint,
  values: readonly NewSignedValue[],
): Promise<void> {
  const rows = values.map(({ key, ...value }) => ({ ...value, keyId: key === null ? null : String(key.id) }));
  await transaction`
    insert into signed_meter_values (session_id, nature, measured_at, received_at, format, data, encoding_method,
      signing_method, claimed_key, state, meter_key_id, start_wh, end_wh, start_at, end_at, register, page)
    select ${String(sessionId)}::bigint, r.nature, r."measuredAt", r."receivedAt", r.format, r.data, r."encodingMethod",
      r."signingMethod", r."claimedKey", r.state, r."keyId", r."startWh", r."endWh", r."startAt", r."endAt", r.register, r.page
    from jsonb_to_recordset(${transaction.json(rows)}) as r (nature text, "measuredAt" timestamptz,
      "receivedAt" timestamptz, format text, data text, "encodingMethod" text, "signingMethod" text, "claimedKey" text,
      state text, "keyId" bigint, "startWh" double precision, "endWh" double precision, "startAt" timestamptz,
      "endAt" timestamptz, register text, page bigint)`;
}

/** Stores the result of another check of a value. */
export async function updateSignedValue(
  transaction: Transaction,
  { id }: Pick<StoredSignedValue, 'id'>,
  { state, key }: SignatureCheck<RegisteredKey>,
): Promise<void> {
  await transaction`
    update signed_meter_values set state = ${state}, meter_key_id = ${key === null ? null : String(key.id)}::bigint
    where id = ${String(id)}::bigint`;
}
