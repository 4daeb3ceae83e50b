import {
  type ThresholdDetails,
  type ThresholdMetric,
  thresholdMetrics,
} from '#shared/domain/fleet/alert-threshold.ts';
import type { Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { networkRecords } from '#shared/postgres/kernel/records.statements.ts';
import type { AlertFinder } from './alert-finder.ts';
import { thresholdMetricQueries } from './threshold-metrics.ts';

/** Threshold with the latest value of its metric. */
export interface ThresholdRecord extends ThresholdDetails {
  id: number;
  uuid: string;
  networkId: number;
  networkUuid: string;
  /** Null before the first measurement. */
  measuredValue: number | null;
  measuredAt: Date | null;
  /** Null: the metric does not exceed the value. */
  exceededSince: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const columns = (sql: Queryable) => sql`
  t.id, t.uuid, t.network_id as "networkId", w.uuid as "networkUuid", t.name, t.metric, t.comparison, t.value,
  t.for_minutes as "forMinutes", t.severity, t.is_enabled as "isEnabled", t.measured_value as "measuredValue",
  t.measured_at as "measuredAt", t.exceeded_since as "exceededSince", t.version, t.created_at as "createdAt",
  t.updated_at as "updatedAt"`;

/** Lists the thresholds in scope, and finds one. */
export const { list: listThresholds, find: findThreshold } = networkRecords<ThresholdRecord>({
  alias: 't',
  select: (sql) => sql`select ${columns(sql)} from alert_thresholds t join networks w on w.id = t.network_id`,
  where: (sql) => sql`t.deleted_at is null`,
});

const valuesOf = ({ forMinutes, isEnabled, ...details }: ThresholdDetails) => ({
  name: details.name,
  metric: details.metric,
  comparison: details.comparison,
  value: details.value,
  for_minutes: forMinutes,
  severity: details.severity,
  is_enabled: isEnabled,
});

/** Stores a threshold; returns its uuid. */
export async function insertThreshold(
  transaction: Transaction,
  networkId: number,
  details: ThresholdDetails,
): Promise<string> {
  const [row] = await transaction<[{ uuid: string }]>`
    insert into alert_thresholds ${transaction({ network_id: networkId, ...valuesOf(details) })} returning uuid`;
  return row.uuid;
}

/** Replaces the settings of a threshold. Its time begins again when its condition changes or it was off. */
export async function updateThreshold(
  transaction: Transaction,
  id: number,
  details: ThresholdDetails,
): Promise<void> {
  const { metric, comparison, value, forMinutes, isEnabled } = details;
  await transaction`
    update alert_thresholds set ${transaction(valuesOf(details))},
      exceeded_since = case when is_enabled and ${isEnabled} and metric = ${metric} and comparison = ${comparison}
        and value = ${value} and for_minutes = ${forMinutes} then exceeded_since end,
      measured_value = case when metric = ${metric} then measured_value end,
      measured_at = case when metric = ${metric} then measured_at end, version = version + 1, updated_at = now()
    where id = ${id}`;
}

/** Removes a threshold; its alert is over. */
export async function removeThreshold(transaction: Transaction, id: number): Promise<void> {
  await transaction`update alert_thresholds set is_enabled = false, deleted_at = now() where id = ${id}`;
}

/** Held while thresholds are measured. The number means nothing beyond being ours. */
const measureLock = 7_140_900_057;

/** Measures the metrics of all thresholds in effect, and stores since when a value is exceeded. One process at a time does it. */
export async function measureThresholds(sql: Sql): Promise<void> {
  const used = await sql<{ metric: ThresholdMetric }[]>`
    select distinct metric from alert_thresholds where is_enabled and deleted_at is null`;
  if (used.length === 0) return;
  await sql.begin(async (transaction) => {
    const [lock] = await transaction<{ isMine: boolean }[]>`
      select pg_try_advisory_xact_lock(${measureLock}) as "isMine"`;
    if (lock?.isMine !== true) return;
    for (const { metric } of used) await measure(transaction, metric);
  });
}

async function measure(sql: Transaction, metric: ThresholdMetric): Promise<void> {
  // A process of an earlier version may meet a metric that it does not know.
  const query = thresholdMetricQueries[metric] as
    | (typeof thresholdMetricQueries)[ThresholdMetric]
    | undefined;
  if (query === undefined) return;
  await sql`
    with measured as materialized (${query(sql)})
    update alert_thresholds t set measured_value = now_measured.value, measured_at = now(),
      exceeded_since = case
        when case t.comparison when 'above' then now_measured.value > t.value else now_measured.value < t.value end
          then coalesce(t.exceeded_since, now()) end
    from (
      select t.id, coalesce(m.value, 0)::double precision as value
      from alert_thresholds t left join measured m on m.network_id = t.network_id
      where t.metric = ${metric} and t.is_enabled and t.deleted_at is null
    ) now_measured
    where t.id = now_measured.id`;
}

/** Threshold that its metric exceeds for long enough. */
export const thresholdExceeded: AlertFinder = {
  kind: 'threshold',
  resource: 'threshold',
  find: (sql) => sql`
    select t.network_id, t.uuid::text as resource_id, t.name as resource_name, null::integer as charger_id,
      null::bigint as session_id, '' as subject, t.severity as own_severity,
      t.name || ': ' || trim_scale(round(t.measured_value::numeric, 1)) || ' is ' || t.comparison || ' ' || t.value || '.' as message,
      jsonb_build_object('metric', t.metric, 'unit', ${sql.json(thresholdMetrics)}::jsonb ->> t.metric,
        'comparison', t.comparison, 'value', t.value, 'measured', trim_scale(round(t.measured_value::numeric, 1)),
        'since', t.exceeded_since) as details,
      t.exceeded_since as occurred_at
    from alert_thresholds t
    where t.is_enabled and t.deleted_at is null and t.exceeded_since <= now() - make_interval(mins => t.for_minutes)`,
  severity: (sql) => sql`condition.own_severity`,
  over: 'gone',
  reopens: false,
};
