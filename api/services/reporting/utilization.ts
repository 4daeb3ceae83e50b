import { type ChargingSum, sumCharging } from '#shared/clickhouse/charging-analytics.ts';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { type FactFilter, sumChargedSlots } from '#shared/clickhouse/fact-analytics.ts';
import type { Bucket } from '#shared/domain/kernel/calendar.ts';
import { chargingTimes } from '#shared/domain/charging/charging-times.ts';
import { indexAt, type Interval, spread, subtract } from '#shared/domain/kernel/intervals.ts';
import {
  type AnalyzedNetwork,
  type ConnectorLives,
  listConnectorLives,
  listRunningAndOverlapping,
  type OverlappingSession,
} from '#shared/postgres/reporting/analytics.statements.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';

/** Time charging of connectors in a bucket, and the time that they existed. */
export interface BucketUse {
  chargingMs: number;
  connectorMs: number;
}

/** Use of a network's connectors. */
export interface NetworkUse {
  network: AnalyzedNetwork;
  buckets: (Bucket & BucketUse)[];
}

/** Records that the use of connectors is computed from. */
interface UseRecords {
  completed: readonly Omit<ChargingSum, 'networkId'>[];
  sessions: readonly OverlappingSession[];
  lives: readonly ConnectorLives[];
}

/**
 * Computes the use of connectors until `now`, running sessions included. Charging is the time of a session
 * that is not idle; sessions that overlap at one connector count once, and a connector counts while it
 * exists.
 * @throws {DomainError} STORE_UNAVAILABLE when ClickHouse is unreachable.
 */
export async function networkUse(
  deps: ServiceDeps,
  networks: readonly AnalyzedNetwork[],
  bucketsByZone: ReadonlyMap<string, Bucket[]>,
  now: number,
): Promise<NetworkUse[]> {
  const { staleReads, clickhouse } = deps;
  const past = new Map(
    [...bucketsByZone].map(([timeZone, buckets]) => [timeZone, untilNow(buckets, now)] as const),
  );
  const networkIds = networks.map(({ id }) => id);
  const zones = [...Map.groupBy(networks, ({ timeZone }) => timeZone)];
  const [completed, sessions, lives] = await Promise.all([
    fromClickHouse(
      Promise.all(
        zones.map(([timeZone, inZone]) =>
          sumCharging(
            clickhouse,
            inZone.map(({ id }) => id),
            past.get(timeZone) ?? [],
          ),
        ),
      ),
    ),
    staleReads.read((sql) => listRunningAndOverlapping(sql, networkIds)),
    staleReads.read((sql) => listConnectorLives(sql, networkIds, hull([...past.values()]))),
  ]);
  const charged = Map.groupBy(completed.flat(), ({ networkId }) => networkId);
  const running = Map.groupBy(sessions, ({ networkId }) => networkId);
  const living = Map.groupBy(lives, ({ networkId }) => networkId);
  return networks.map((network) => {
    const buckets = past.get(network.timeZone) ?? [];
    const uses = usesOf(
      {
        completed: charged.get(network.id) ?? [],
        sessions: running.get(network.id) ?? [],
        lives: living.get(network.id) ?? [],
      },
      buckets,
      now,
    );
    return { network, buckets: buckets.map((bucket, index) => ({ ...bucket, ...(uses[index] ?? noUse) })) };
  });
}

const noUse: BucketUse = { chargingMs: 0, connectorMs: 0 };

/**
 * Computes the use of all connectors of a filter, as `networkUse` does for each network. Buckets that begin after `now` are left out.
 * @throws {DomainError} STORE_UNAVAILABLE when ClickHouse is unreachable.
 */
export async function totalUse(
  { staleReads, clickhouse }: ServiceDeps,
  { networkIds, chargerIds }: Pick<FactFilter, 'networkIds' | 'chargerIds'>,
  buckets: readonly Interval[],
  now: number,
): Promise<BucketUse[]> {
  const past = untilNow(buckets, now);
  const [completed, sessions, lives] = await Promise.all([
    fromClickHouse(
      chargerIds === null
        ? sumCharging(clickhouse, networkIds, past)
        : sumChargerUse(clickhouse, { networkIds, chargerIds }, past),
    ),
    staleReads.read((sql) => listRunningAndOverlapping(sql, networkIds, chargerIds)),
    staleReads.read((sql) => listConnectorLives(sql, networkIds, hull([past]), chargerIds)),
  ]);
  return usesOf({ completed, sessions, lives }, past, now);
}

function usesOf(
  { completed, sessions, lives }: UseRecords,
  buckets: readonly Interval[],
  now: number,
): BucketUse[] {
  const sums = buckets.map(() => 0);
  for (const { bucket, chargingMs } of completed) sums[bucket] = (sums[bucket] ?? 0) + chargingMs;
  const runs = spread(runningTimes(sessions, now), buckets);
  const throughout = lives.reduce((total, life) => total + life.throughout, 0);
  const lived = spread(
    lives.flatMap(({ others }) => others),
    buckets,
  );
  return buckets.map(({ from, to }, index) => ({
    chargingMs: (sums[index] ?? 0) + (runs[index] ?? 0),
    connectorMs: throughout * (to - from) + (lived[index] ?? 0),
  }));
}

/** Sums the time that some chargers charged in completed sessions; the rollup has only whole networks. */
async function sumChargerUse(
  clickhouse: ClickHouse,
  filter: Omit<FactFilter, 'tariffId'>,
  buckets: readonly Interval[],
): Promise<UseRecords['completed']> {
  const slots = await sumChargedSlots(clickhouse, { ...filter, tariffId: null }, buckets);
  return slots.map(({ start, chargingMs }) => ({ bucket: Math.max(0, indexAt(buckets, start)), chargingMs }));
}

/** Percent of the time, to 2 decimals; a connector that charged before it was registered makes no more than 100. */
export function usePercent(use: BucketUse[]): number {
  const chargingMs = use.reduce((sum, bucket) => sum + bucket.chargingMs, 0);
  const connectorMs = use.reduce((sum, bucket) => sum + bucket.connectorMs, 0);
  if (connectorMs === 0) return 0;
  return Math.min(100, Math.round((chargingMs / connectorMs) * 10_000) / 100);
}

/**
 * Returns the charging times of running sessions, which are added to the completed ones connector by
 * connector.
 */
function runningTimes(sessions: readonly OverlappingSession[], now: number): Interval[] {
  const times = (some: OverlappingSession[]) =>
    some.flatMap((session) => chargingTimes(session, session.endedAt ?? new Date(now)));
  return [...Map.groupBy(sessions, ({ connectorId }) => connectorId).values()].flatMap((atConnector) =>
    subtract(
      times(atConnector.filter(({ endedAt }) => endedAt === null)),
      times(atConnector.filter(({ endedAt }) => endedAt !== null)),
    ),
  );
}

function untilNow<Each extends Interval>(buckets: readonly Each[], now: number): Each[] {
  return buckets
    .filter(({ from }) => from < now)
    .map((bucket) => ({ ...bucket, to: Math.min(bucket.to, now) }));
}

function hull(zones: readonly (readonly Interval[])[]): Interval {
  const [first] = zones.find((buckets) => buckets.length > 0) ?? [];
  const last = zones.find((buckets) => buckets.length > 0)?.at(-1);
  return { from: first?.from ?? 0, to: last?.to ?? 0 };
}
