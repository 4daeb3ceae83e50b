import type { Queryable } from '#shared/postgres/kernel/client.ts';
import type { UpdatedSlice } from './ocpi-locations.ts';
import type { TariffRecord } from '#shared/postgres/money/tariffs.ts';

/** A tariff as partners see it. */
export interface OcpiTariffRow extends Omit<TariffRecord, 'version' | 'createdAt' | 'updatedAt'> {
  countryCode: string;
  partyId: string;
  /** Time when it was removed or its last assignment ended. Null: it is assigned now or later. */
  endedAt: Date | null;
  lastUpdated: Date;
}

const columns = (sql: Queryable) => sql`
  t.id, t.uuid, t.network_id as "networkId", t.name, t.currency, t.type, t.elements, t.idle,
  t.min_price as "minPrice", t.max_price as "maxPrice", t.alt_text as "altText", t.alt_url as "altUrl",
  t.energy_mix as "energyMix", t.starts_at as "startsAt", t.ends_at as "endsAt", n.country_code as "countryCode",
  n.party_id as "partyId", e.ended_at as "endedAt", u.last_updated as "lastUpdated"`;

/**
 * Tariffs that were ever assigned. The first of the assignments that last is when a tariff comes to partners; when the last one has
 * ended it stays in their lists as ended.
 */
const tables = (sql: Queryable) => sql`
  tariffs t
  join networks n on n.id = t.network_id
  join lateral (
    select min(created_at) filter (where ends_at is null or ends_at > now()) as assigned_at, max(ends_at) as ended_at,
      max(changed_at) as changed_at
    from (
      select created_at, changed_at, case when is_active then valid_until
        else least(valid_until, coalesce(withdrawn_at, created_at)) end as ends_at
      from tariff_assignments where tariff_id = t.id
    ) assignments having count(*) > 0
  ) a on true
  cross join lateral (select case when a.assigned_at is null then a.ended_at else t.deleted_at end as ended_at) e
  cross join lateral (
    select greatest(t.updated_at, a.assigned_at, e.ended_at, case when a.assigned_at is null then a.changed_at end) as last_updated
  ) u`;

/** One slice of the tariffs of a network that are or were assigned, oldest first, and how many there are. */
export async function listOcpiTariffRows(
  sql: Queryable,
  networkId: number,
  { offset, limit, from, to }: UpdatedSlice,
): Promise<{ rows: OcpiTariffRow[]; total: number }> {
  const where = sql`
    t.network_id = ${networkId}
    ${from === null ? sql`` : sql`and u.last_updated >= ${from}`}
    ${to === null ? sql`` : sql`and u.last_updated < ${to}`}`;
  const [rows, [count]] = await Promise.all([
    sql<OcpiTariffRow[]>`
      select ${columns(sql)} from ${tables(sql)} where ${where} order by t.id limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*)::integer as total from ${tables(sql)} where ${where}`,
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** Returns the tariffs of a network that are or were assigned, by their uuids in any case. */
export function findOcpiTariffRows(
  sql: Queryable,
  networkId: number,
  ids: readonly string[],
): Promise<OcpiTariffRow[]> {
  return sql<OcpiTariffRow[]>`
    select ${columns(sql)} from ${tables(sql)}
    where t.network_id = ${networkId} and t.uuid::text = any(array(
      select lower(id) from unnest(${ids as string[]}::text[]) as id))`;
}
