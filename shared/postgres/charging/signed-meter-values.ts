import type {
  CheckedValue,
  SignedMeterValue,
  SignedNature,
} from '#shared/domain/charging/signed-meter-value.ts';
import type { SignatureCheck } from '#shared/domain/charging/signature-check.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import type { RegisteredKey } from '#shared/postgres/fleet/meter-keys.ts';

/** Stored signed value of a session. */
export interface StoredSignedValue extends CheckedValue, SignedMeterValue {
  id: bigint;
  /** Key that signed a verified value, in upper-case hex; null for others. */
  publicKey: string | null;
}

/** Returns the signed values of a session, by the time of the charger. */
export async function listSignedValues(sql: Queryable, sessionId: bigint): Promise<StoredSignedValue[]> {
  return sql<StoredSignedValue[]>`
    select v.id, v.nature, v.measured_at as "measuredAt", v.received_at as "receivedAt", v.format, v.data,
      v.encoding_method as "encodingMethod", v.signing_method as "signingMethod", v.claimed_key as "claimedKey",
      v.state, v.start_wh as "startWh", v.end_wh as "endWh", m.public_key as "publicKey"
    from signed_meter_values v left join meter_keys m on m.id = v.meter_key_id
    where v.session_id = ${String(sessionId)}::bigint
    order by v.measured_at, array_position('{START,INTERMEDIATE,END}', v.nature), v.id`;
}

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

/** Stores a checked value, and returns false for one that is stored already. */
export async function insertSignedValue(
  transaction: Transaction,
  sessionId: bigint,
  value: SignedMeterValue,
  { state, startWh, endWh, key }: SignatureCheck<RegisteredKey>,
): Promise<boolean> {
  const { count } = await transaction`
    insert into signed_meter_values (session_id, nature, measured_at, received_at, format, data, encoding_method,
      signing_method, claimed_key, state, meter_key_id, start_wh, end_wh)
    values (${String(sessionId)}::bigint, ${value.nature}, ${value.measuredAt}, ${value.receivedAt}, ${value.format},
      ${value.data}, ${value.encodingMethod}, ${value.signingMethod}, ${value.claimedKey}, ${state},
      ${key === null ? null : String(key.id)}::bigint, ${startWh}, ${endWh})
    on conflict do nothing`;
  return count > 0;
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

/**
 * Returns the newest sessions of a charger with values that another key may verify.
 * @param limit of sessions.
 */
export async function listCheckableSessions(
  sql: Queryable,
  chargerId: number,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ uuid: string }[]>`
    select uuid from sessions
    where charger_id = ${chargerId} and signature_state in ('UNVERIFIED', 'INVALID', 'UNSUPPORTED')
    order by started_at desc, id desc limit ${limit}`;
  return rows.map(({ uuid }) => uuid);
}
