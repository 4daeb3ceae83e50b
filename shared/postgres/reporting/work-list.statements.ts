import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import { chargersMatching, filteredTables, stuckUpdates } from '#shared/postgres/fleet/charger-filter.ts';
import { isConnected } from '#shared/postgres/fleet/connections.ts';
import { currentRejections } from '#shared/postgres/fleet/rejected-connections.statements.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** Record that needs an operator. */
export interface WorkItem {
  uuid: string;
  /** Charger of the record. Null without one. */
  chargerUuid: string | null;
  name: string;
  /** Number of the connector at the charger. Null: not about a connector. */
  connectorNumber: number | null;
  /** Codes of the reasons. */
  reasons: string[];
  amountMinor: bigint | null;
  currency: string | null;
  since: Date | null;
}

/** Number of all records of a kind, and the first ones. */
export interface WorkSection {
  count: number;
  items: WorkItem[];
}

type ReadSection = (sql: Queryable, scope: NetworkScope, limit: number) => Promise<WorkSection>;

/** Returns the reader of the records that a query selects, in its order. */
function section(query: (sql: Queryable, scope: NetworkScope) => Fragment): ReadSection {
  return async (sql, scope, limit) => {
    const rows = await sql<(WorkItem & { count: number })[]>`
      select *, count(*) over ()::integer as count from (${query(sql, scope)}) work limit ${limit}`;
    return { count: rows[0]?.count ?? 0, items: rows };
  };
}

const nothingDue = (sql: Queryable) => sql`null::bigint as "amountMinor", null::text as currency`;
const wholeCharger = (sql: Queryable) => sql`
  c.uuid, c.uuid as "chargerUuid", c.uid as name, null::integer as "connectorNumber"`;

/** Reads the online chargers that report a fault, with their newest faulted connector and its error code. Newest fault first. */
export const readFaulted = section(
  (sql, scope) => sql`
    select c.uuid, c.uuid as "chargerUuid", c.uid as name, k.number as "connectorNumber",
      array_remove(array[coalesce(nullif(k.error_code, 'NoError'), k.vendor_error_code)], null) as reasons,
      ${nothingDue(sql)}, k.at as since
    from ${filteredTables(sql)}
    left join lateral (
      select number, error_code, vendor_error_code, coalesce(status_at, updated_at) as at from connectors
      where charger_id = c.id and status = 'Faulted' and deleted_at is null order by at desc limit 1) k on true
    where ${chargersMatching(sql, scope, { hasFault: true })} order by since desc nulls last, c.id`,
);

/** Reads the chargers that are offline: disconnected, or connected and silent. Newest first. */
export const readOffline = section(
  (sql, scope) => sql`
    select ${wholeCharger(sql)}, array[case when ${isConnected(sql)} then 'silent' else 'disconnected' end] as reasons,
      ${nothingDue(sql)},
      case when ${isConnected(sql)} then c.last_heartbeat_at else coalesce(c.disconnected_at, c.last_heartbeat_at) end as since
    from ${filteredTables(sql)}
    where ${chargersMatching(sql, scope, { states: ['offline'] })} order by since desc nulls last, c.id`,
);

/** Reads the current rejected connections, newest attempt first. */
export const readRejected = section(
  (sql, scope) => sql`
    select r.uuid, c.uuid as "chargerUuid", r.identity as name, null::integer as "connectorNumber",
      array[r.reason] as reasons, ${nothingDue(sql)}, r.last_at as since
    from ${currentRejections(sql)} and ${inScope(sql, 'c.network_id', scope)} order by r.last_at desc, r.id desc`,
);

/** Reads the sessions in review, the most expensive first. Their reasons are their flags. */
export const readInReview = section(
  (sql, scope) => sql`
    select s.uuid, c.uuid as "chargerUuid", c.uid as name, null::integer as "connectorNumber", s.flags as reasons,
      s.cost_minor as "amountMinor", s.currency, coalesce(s.ended_at, s.started_at) as since
    from sessions s join chargers c on c.id = s.charger_id
    where s.price_state = 'REVIEW' and ${inScope(sql, 's.network_id', scope)}
    order by s.cost_minor desc nulls last, s.id desc`,
);

/** Reads the wallets that were short of the price of a session, the largest debt first. */
export const readUnpaid = section(
  (sql, scope) => sql`
    select w.uuid, null::uuid as "chargerUuid", u.name, null::integer as "connectorNumber", '{}'::text[] as reasons,
      w.owed_minor as "amountMinor", w.currency, null::timestamptz as since
    from wallets w join users u on u.id = w.user_id
    where w.owed_minor > 0 and ${inScope(sql, 'w.network_id', scope)} order by w.owed_minor desc, w.id`,
);

/** Reads the chargers whose newest firmware update failed or does not progress, newest first. Their reason is its status. */
export const readStuckUpdates = section(
  (sql, scope) => sql`
    select ${wholeCharger(sql)}, array[u.status] as reasons, ${nothingDue(sql)}, u.status_at as since
    from chargers c join (select u.* from ${stuckUpdates(sql)}) u on u.charger_id = c.id
    where c.deleted_at is null and ${inScope(sql, 'c.network_id', scope)} order by u.status_at desc, c.id`,
);

/** Reads the open alerts, critical ones first, then the newest. Their reason is their kind. */
export const readOpenAlerts = section(
  (sql, scope) => sql`
    select a.uuid, c.uuid as "chargerUuid", a.resource_name as name, null::integer as "connectorNumber",
      array[a.kind] as reasons, ${nothingDue(sql)}, a.occurred_at as since
    from alerts a left join chargers c on c.id = a.charger_id
    where a.status = 'open' and ${inScope(sql, 'a.network_id', scope)}
    order by a.severity = 'critical' desc, a.id desc`,
);
