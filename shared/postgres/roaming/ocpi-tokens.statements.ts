import type { Whitelist } from '#shared/domain/charging/authorization.ts';
import { partyName } from '#shared/domain/roaming/ocpi.ts';
import type { OcpiTokenType } from '#shared/domain/roaming/roaming.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import type { Requester } from './requester.ts';

/** A token of a roaming partner (OCPI 2.2.1 §12.3.2). */
export interface OcpiTokenRecord {
  countryCode: string;
  partyId: string;
  uid: string;
  type: OcpiTokenType;
  contractId: string;
  visualNumber: string | null;
  issuer: string;
  groupId: string | null;
  isValid: boolean;
  whitelist: Whitelist;
  language: string | null;
  defaultProfileType: 'CHEAP' | 'FAST' | 'GREEN' | 'REGULAR' | null;
  energyContract: { supplier_name: string; contract_id?: string } | null;
  /** Time by the partner's clock. */
  lastUpdated: Date;
}

/** Identification of a token. `type` null: RFID before all others. OTHER: without one, an EMAID. */
interface OcpiTokenKey {
  countryCode: string | null;
  partyId: string | null;
  uid: string;
  type: OcpiTokenType | null;
}

/** Slice of a list; times from inclusive, to exclusive. */
export interface ChangedSlice {
  offset: number;
  limit: number;
  from: Date | null;
  to: Date | null;
}

/** Condition that a token is of the requesting partner and, behind a hub, of the requesting party. */
const isOf = (sql: Queryable, { id, client, isFormerHub, parties }: Requester) => sql`
  partner_id = ${id}
  ${isFormerHub ? sql`and concat(country_code, '-', party_id) = any(${parties.map(partyName)}::text[])` : sql``}
  ${client === null ? sql`` : sql`and country_code = ${client.countryCode} and party_id = ${client.partyId}`}`;

const columns = (sql: Queryable) => sql`
  country_code as "countryCode", party_id as "partyId", uid, type, contract_id as "contractId",
  visual_number as "visualNumber", issuer, group_id as "groupId", is_valid as "isValid", whitelist, language,
  default_profile_type as "defaultProfileType", energy_contract as "energyContract", last_updated as "lastUpdated"`;

/** A slice of a partner's tokens, in the order in which they came, and how many there are in all. */
export async function listOcpiTokens(
  sql: Queryable,
  requester: Requester,
  { offset, limit, from, to }: ChangedSlice,
): Promise<{ rows: OcpiTokenRecord[]; total: number }> {
  const where = sql`
    ${isOf(sql, requester)} and (${from}::timestamptz is null or last_updated >= ${from})
    and (${to}::timestamptz is null or last_updated < ${to})`;
  const [rows, [count]] = await Promise.all([
    sql<OcpiTokenRecord[]>`
      select ${columns(sql)} from ocpi_tokens where ${where} order by id limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*)::integer as total from ocpi_tokens where ${where}`,
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** One token of a partner, or null. `lock`: for a change in this transaction. */
export async function findOcpiToken(
  sql: Queryable,
  requester: Requester,
  { countryCode, partyId, uid, type }: OcpiTokenKey,
  lock = false,
): Promise<OcpiTokenRecord | null> {
  const [row] = await sql<OcpiTokenRecord[]>`
    select ${columns(sql)} from ocpi_tokens
    where ${isOf(sql, requester)} and lower(uid) = lower(${uid})
      and (${countryCode}::text is null or country_code = ${countryCode})
      and (${partyId}::text is null or party_id = ${partyId}) and (${type}::text is null or type = ${type} or ${type} = 'OTHER' and type = 'EMAID')
    order by (type = coalesce(${type}, 'RFID')) desc, id limit 1 ${lock ? sql`for no key update` : sql``}`;
  return row ?? null;
}

/**
 * Stores tokens of a partner, each of which may come once; what is newer here stays.
 * @returns the number of tokens that were not stored before.
 */
export async function upsertOcpiTokens(
  sql: Queryable,
  partnerId: number,
  tokens: readonly OcpiTokenRecord[],
): Promise<number> {
  if (tokens.length === 0) return 0;
  const rows = tokens.map((token) => ({ ...token, lastUpdated: token.lastUpdated.toISOString() }));
  const stored = await sql<{ isNew: boolean }[]>`
    insert into ocpi_tokens (partner_id, country_code, party_id, uid, type, contract_id, visual_number, issuer, group_id,
      is_valid, whitelist, language, default_profile_type, energy_contract, last_updated)
    select ${partnerId}, t."countryCode", t."partyId", t.uid, t.type, t."contractId", t."visualNumber", t.issuer,
      t."groupId", t."isValid", t.whitelist, t.language, t."defaultProfileType", t."energyContract", t."lastUpdated"
    from jsonb_to_recordset(${sql.json(rows)}) as t("countryCode" text, "partyId" text, uid text, type text,
      "contractId" text, "visualNumber" text, issuer text, "groupId" text, "isValid" boolean, whitelist text,
      language text, "defaultProfileType" text, "energyContract" jsonb, "lastUpdated" timestamptz)
    order by lower(t.uid), t.type
    on conflict (partner_id, country_code, party_id, lower(uid), type) do update set
      uid = excluded.uid, contract_id = excluded.contract_id, visual_number = excluded.visual_number,
      issuer = excluded.issuer, group_id = excluded.group_id, is_valid = excluded.is_valid,
      whitelist = excluded.whitelist, language = excluded.language,
      default_profile_type = excluded.default_profile_type, energy_contract = excluded.energy_contract,
      last_updated = excluded.last_updated
    where ocpi_tokens.last_updated <= excluded.last_updated
    returning xmax = 0 as "isNew"`;
  return stored.filter(({ isNew }) => isNew).length;
}
