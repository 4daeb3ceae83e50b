import { type ChargingSum, sumCharging } from '#shared/clickhouse/charging-analytics.ts';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { sumChargedSlots } from '#shared/clickhouse/fact-analytics.ts';
import type { Bucket } from '#shared/domain/kernel/calendar.ts';
import { chargingTimes } from '#shared/domain/charging/charging-times.ts';
import { indexAt, type Interval, spread, subtract } from '#shared/domain/kernel/intervals.ts';
import {
  type AnalyzedNetwork,
  listConnectorLives,
  listRunningAndOverlapping,
  type OverlappingSession,
} from '#shared/postgres/reporting/analytics.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';

/** Charging time of a network's connectors in each bucket, and their available time. */
export interface NetworkUse {
  network: AnalyzedNetwork;
  buckets: (Bucket & { chargingMs: number; connectorMs: number })[];
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
  chargerIds: readonly number[] | null = null,
): Promise<NetworkUse[]> {
  const { sql, clickhouse } = deps;
  const past = new Map(
    [...bucketsByZone].map(([timeZone, buckets]) => [timeZone, untilNow(buckets, now)] as const),
  );
  const networkIds = networks.map(({ id }) => id);
  const zones = [...Map.groupBy(networks, ({ timeZone }) => timeZone)];
  const [completed, sessions, lives] = await Promise.all([
    fromClickHouse(
      Promise.all(
        zones.map(([timeZone, inZone]) =>
          completedUse(clickhouse, inZone, past.get(timeZone) ?? [], chargerIds),
        ),
      ),
    ),
    listRunningAndOverlapping(sql, networkIds, chargerIds),
    listConnectorLives(sql, networkIds, hull([...past.values()]), chargerIds),
  ]);
  const charged = Map.groupBy(completed.flat(), ({ networkId }) => networkId);
  const running = Map.groupBy(sessions, ({ networkId }) => networkId);
  const living = new Map(lives.map((life) => [life.networkId, life]));
  return networks.map((network) => {
    const buckets = past.get(network.timeZone) ?? [];
    const sums = buckets.map(() => 0);
    for (const { bucket, chargingMs } of charged.get(network.id) ?? [])
      sums[bucket] = (sums[bucket] ?? 0) + chargingMs;
    const runs = spread(runningTimes(running.get(network.id) ?? [], now), buckets);
    const { throughout = 0, others = [] } = living.get(network.id) ?? {};
    const lived = spread(others, buckets);
    return {
      network,
      buckets: buckets.map((bucket, index) => ({
        ...bucket,
        chargingMs: (sums[index] ?? 0) + (runs[index] ?? 0),
        connectorMs: throughout * (bucket.to - bucket.from) + (lived[index] ?? 0),
      })),
    };
  });
}

/** Returns the charging time of completed sessions: from the rollup for all chargers, else from the facts of some. */
async function completedUse(
  clickhouse: ClickHouse,
  networks: readonly AnalyzedNetwork[],
  buckets: readonly Bucket[],
  chargerIds: readonly number[] | null,
): Promise<ChargingSum[]> {
  const ids = networks.map(({ id }) => id);
  if (chargerIds === null) return sumCharging(clickhouse, ids, buckets);
  const sums = await Promise.all(
    ids.map(async (networkId) => {
      const filter = { networkIds: [networkId], chargerIds, tariffId: null };
      const slots = await sumChargedSlots(clickhouse, filter, buckets);
      return slots.map(({ start, chargingMs }) => ({
        networkId,
        bucket: Math.max(0, indexAt(buckets, start)),
        chargingMs,
      }));
    }),
  );
  return sums.flat();
}

/** Percent of the time, to 2 decimals; a connector that charged before it was registered makes no more than 100. */
export function usePercent(use: { chargingMs: number; connectorMs: number }[]): number {
  const chargingMs = use.reduce((sum, bucket) => sum + bucket.chargingMs, 0);
  const connectorMs = use.reduce((sum, bucket) => sum + bucket.connectorMs, 0);
  if (connectorMs === 0) return 0;
  return Math.min(100, Math.round((chargingMs / connectorMs) * 10_000) / 100);
}

/**
 * Returns the charging times of running sessions, which are added to the completed ones connector by
 * connector.
 */
function runningTimes(sessions: OverlappingSession[], now: number): Interval[] {
  const times = (some: OverlappingSession[]) =>
    some.flatMap((session) => chargingTimes(session, session.endedAt ?? new Date(now)));
  return [...Map.groupBy(sessions, ({ connectorId }) => connectorId).values()].flatMap((atConnector) =>
    subtract(
      times(atConnector.filter(({ endedAt }) => endedAt === null)),
      times(atConnector.filter(({ endedAt }) => endedAt !== null)),
    ),
  );
}

function untilNow(buckets: readonly Bucket[], now: number): Bucket[] {
  return buckets
    .filter(({ from }) => from < now)
    .map((bucket) => ({ ...bucket, to: Math.min(bucket.to, now) }));
}

function hull(zones: readonly (readonly Interval[])[]): Interval {
  const [first] = zones.find((buckets) => buckets.length > 0) ?? [];
  const last = zones.find((buckets) => buckets.length > 0)?.at(-1);
  return { from: first?.from ?? 0, to: last?.to ?? 0 };
}
