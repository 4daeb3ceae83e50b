import type { Queryable } from '#shared/postgres/kernel/client.ts';
import type { UpdatedSlice } from './ocpi-locations.ts';
import type { TariffRecord } from '#shared/postgres/money/tariffs.ts';

/** A tariff as partners see it. */
export interface OcpiTariffRow extends Omit<TariffRecord, 'version' | 'createdAt' | 'updatedAt'> {
  countryCode: string;
  partyId: string;
  lastUpdated: Date;
}

const columns = (sql: Queryable) => sql`
  t.id, t.uuid, t.network_id as "networkId", t.name, t.currency, t.type, t.elements, t.idle,
  t.min_price as "minPrice", t.max_price as "maxPrice", t.alt_text as "altText", t.alt_url as "altUrl",
  t.energy_mix as "energyMix", t.starts_at as "startsAt", t.ends_at as "endsAt", n.country_code as "countryCode",
  n.party_id as "partyId", greatest(t.updated_at, a.assigned_at) as "lastUpdated"`;

/** Those that are assigned to something now or later; the first of these assignments is when a tariff comes to partners. */
const tables = (sql: Queryable) => sql`
  tariffs t
  join networks n on n.id = t.network_id
  join lateral (
    select min(created_at) as assigned_at from tariff_assignments
    where tariff_id = t.id and is_active and (valid_until is null or valid_until > now()) having count(*) > 0
  ) a on true`;

/** One slice of the tariffs of a network that are assigned, oldest first, and how many there are. */
export async function listOcpiTariffRows(
  sql: Queryable,
  networkId: number,
  { offset, limit, from, to }: UpdatedSlice,
): Promise<{ rows: OcpiTariffRow[]; total: number }> {
  const where = sql`
    t.network_id = ${networkId} and t.deleted_at is null
    ${from === null ? sql`` : sql`and greatest(t.updated_at, a.assigned_at) >= ${from}`}
    ${to === null ? sql`` : sql`and greatest(t.updated_at, a.assigned_at) < ${to}`}`;
  const [rows, [count]] = await Promise.all([
    sql<OcpiTariffRow[]>`
      select ${columns(sql)} from ${tables(sql)} where ${where} order by t.id limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*)::integer as total from ${tables(sql)} where ${where}`,
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** Returns the tariffs of a network that are assigned, by their uuids in any case. */
export function findOcpiTariffRows(
  sql: Queryable,
  networkId: number,
  ids: readonly string[],
): Promise<OcpiTariffRow[]> {
  return sql<OcpiTariffRow[]>`
    select ${columns(sql)} from ${tables(sql)}
    where t.network_id = ${networkId} and t.deleted_at is null and t.uuid::text = any(array(
      select lower(id) from unnest(${ids as string[]}::text[]) as id))`;
}
