import type { Queryable } from '#shared/postgres/kernel/client.ts';
import type { UpdatedSlice } from './ocpi-locations.ts';
import type { TariffRecord } from '#shared/postgres/money/tariffs.statements.ts';

/** A tariff as partners see it. */
export interface OcpiTariffRow extends Omit<TariffRecord, 'version' | 'createdAt' | 'updatedAt'> {
  countryCode: string;
  partyId: string;
  /** Time zone of the network. */
  timeZone: string;
  /** Time when it was removed or its last assignment ended. Null: it is assigned now or later. */
  endedAt: Date | null;
  /** Time when that was decided, which can be later than the end. Null: it has not ended. */
  withdrawnAt: Date | null;
  lastUpdated: Date;
}

const columns = (sql: Queryable) => sql`
  t.id, t.uuid, t.network_id as "networkId", (r.v).name, (r.v).currency, (r.v).type, (r.v).elements, (r.v).idle,
  (r.v).min_price as "minPrice", (r.v).max_price as "maxPrice", (r.v).alt_text as "altText", (r.v).alt_url as "altUrl",
  (r.v).energy_mix as "energyMix", (r.v).starts_at as "startsAt", (r.v).ends_at as "endsAt", n.country_code as "countryCode",
  n.party_id as "partyId", n.time_zone as "timeZone", e.ended_at as "endedAt", e.withdrawn_at as "withdrawnAt", u.last_updated as "lastUpdated"`;

/**
 * Tariffs that were ever assigned. The first of the assignments that last is when a tariff comes to partners; when the last one has
 * ended it stays in their lists as ended, with its terms of then.
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
  cross join lateral (
    select case when a.assigned_at is null then a.ended_at else t.deleted_at end as ended_at,
      case when a.assigned_at is null then greatest(a.ended_at, a.changed_at) else t.deleted_at end as withdrawn_at
  ) e
  cross join lateral (select coalesce(e.withdrawn_at, greatest(t.updated_at, a.assigned_at)) as last_updated) u`;

/** The terms of a tariff: those at its end where it has ended. Later edits are drafts. */
const terms = (sql: Queryable) => sql`
  cross join lateral (select case when e.ended_at is not null then tariff_at(t, e.ended_at) end as document offset 0) d
  cross join lateral (
    select case when d.document is null then t else jsonb_populate_record(null::tariffs, d.document || jsonb_build_object(
      'alt_text', coalesce(d.document -> 'tariff_alt_text', '[]'), 'alt_url', d.document -> 'tariff_alt_url',
      'starts_at', d.document -> 'start_date_time', 'ends_at', d.document -> 'end_date_time')) end as v offset 0
  ) r`;

/**
 * One slice of the tariffs of a network that are or were assigned, oldest first, and how many there are. Without tariffs that
 * ended before `since`. Null: with all.
 */
export async function listOcpiTariffRows(
  sql: Queryable,
  networkId: number,
  since: Date | null,
  { offset, limit, from, to }: UpdatedSlice,
): Promise<{ rows: OcpiTariffRow[]; total: number }> {
  const where = sql`
    t.network_id = ${networkId} and (e.withdrawn_at is null or ${since}::timestamptz is null or e.withdrawn_at >= ${since})
    ${from === null ? sql`` : sql`and u.last_updated >= ${from}`}
    ${to === null ? sql`` : sql`and u.last_updated < ${to}`}`;
  const [rows, [count]] = await Promise.all([
    sql<OcpiTariffRow[]>`
      select ${columns(sql)} from ${tables(sql)} ${terms(sql)} where ${where} order by t.id limit ${limit} offset ${offset}`,
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
    select ${columns(sql)} from ${tables(sql)} ${terms(sql)}
    where t.network_id = ${networkId} and t.uuid::text = any(array(
      select lower(id) from unnest(${ids as string[]}::text[]) as id))`;
}
