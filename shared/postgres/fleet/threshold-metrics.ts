import type { ThresholdMetric } from '#shared/domain/fleet/alert-threshold.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { isConnected } from './connections.ts';
import { currentRejections } from './rejected-connections.statements.ts';

/** Returns queries of the value of each metric: network_id, value. A network without a row has the value 0. */
export const thresholdMetricQueries: Record<ThresholdMetric, (sql: Queryable) => Fragment> = {
  // Chargers that never connected are left out.
  'chargers-offline': (sql) => sql`
    select c.network_id, 100.0 * count(*) filter (where not ${isConnected(sql)}) / count(*) as value
    from chargers c where c.deleted_at is null and c.connected_at is not null group by 1`,
  'chargers-faulted': (sql) => sql`
    select c.network_id, 100.0 * count(*) filter (where c.station_status = 'Faulted' or exists (
      select from connectors k where k.charger_id = c.id and k.status = 'Faulted' and k.deleted_at is null)) / count(*) as value
    from chargers c where c.deleted_at is null and c.connected_at is not null group by 1`,
  'chargers-rejected': (sql) => sql`
    select c.network_id, count(distinct c.id) as value
    from ${currentRejections(sql)} and c.id is not null and r.last_at > ${hourAgo(sql)} group by 1`,
  'starts-failed': (sql) => sql`
    select c.network_id, count(*) as value from (
      select charger_id from remote_starts where status in ('refused', 'expired') and requested_at > ${hourAgo(sql)}
      union all
      select charger_id from sessions where authorization_status <> 'Accepted' and start_received_at > ${hourAgo(sql)}
    ) failed join chargers c on c.id = failed.charger_id group by 1`,
  'sessions-in-review': (sql) => sql`
    select s.network_id, count(*) as value from sessions s where s.price_state = 'REVIEW' group by 1`,
  'review-age': (sql) => sql`
    select s.network_id, extract(epoch from now() - min(coalesce(s.ended_at, s.updated_at))) / 3600 as value
    from sessions s where s.price_state = 'REVIEW' group by 1`,
  'sessions-running': (sql) => sql`
    select s.network_id, count(*) as value from sessions s where s.status in ('ACTIVE', 'STOPPING') group by 1`,
  power: (sql) => sql`
    select s.network_id, coalesce(sum(s.power_w), 0) / 1000 as value
    from sessions s where s.status in ('ACTIVE', 'STOPPING') group by 1`,
};

const hourAgo = (sql: Queryable) => sql`now() - interval '1 hour'`;
