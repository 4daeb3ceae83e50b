import type { Caller } from '#api/services/access/callers.ts';
import {
  type BucketRange,
  bucketRange,
  type ConnectorSeries,
  type MeterSeries,
  readConnectorSeries,
} from '#api/services/fleet/meter-series.service.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { listConnectorPlaces } from '#shared/postgres/fleet/connectors.statements.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';
import { readUsage } from './session-usage.ts';
import { requireSession } from './sessions.service.ts';

const everyReading = { everyMs: 1, current: false };

/**
 * Returns the readings of a session by bucket. Without times, from its first to its last second.
 * @throws {DomainError} SESSION_NOT_FOUND; VALIDATION_FAILED for a wrong range; STORE_UNAVAILABLE.
 */
export async function readSessionSeries(
  deps: ServiceDeps,
  caller: Caller,
  query: { sessionUuid: string; from: Date | undefined; to: Date | undefined; points: number | undefined },
): Promise<MeterSeries & { sessionUuid: string }> {
  const session = await requireSession(deps, caller, query.sessionUuid);
  const { uuid, chargerId, networkId, startedAt, endedAt } = session;
  // The reading at the end has the time of the end, which is exclusive here.
  const to = query.to ?? new Date((endedAt?.getTime() ?? Math.max(Date.now(), startedAt.getTime())) + 1000);
  const range = bucketRange({ from: query.from ?? startedAt, to, points: query.points });
  const origin = { chargerId, networkId, sessionId: uuid, position: null };
  const places = await listConnectorPlaces(deps.sql, chargerId);
  const [connectors, usage] = await Promise.all([
    readConnectorSeries(deps, origin, range, places),
    fromClickHouse(readUsage(deps, [session], everyReading)),
  ]);
  const readings = usage.get(uuid) ?? [];
  const charged = connectors.map((series) => ({ ...series, ...chargedOf(series, readings, range) }));
  return { sessionUuid: uuid, ...range, connectors: charged };
}

/** Returns the energy of the session by bucket, by the model of its meter, which its price uses. */
function chargedOf(
  { times, register }: ConnectorSeries,
  readings: readonly UsageReading[],
  { widthMs }: BucketRange,
): Pick<ConnectorSeries, 'register' | 'sessionEnergy'> {
  const counted = readings.flatMap(({ at, energyWh }) => (energyWh === null ? [] : [{ at, energyWh }]));
  if (counted.length === 0) return { register: null, sessionEnergy: null };
  let next = 0;
  /** Returns the energy at the last reading before a time. Null if no reading was added since the previous call. */
  const energyBefore = (time: number): number | null => {
    const first = next;
    while (next < counted.length && counted[next]!.at.getTime() < time) next += 1;
    return next === first ? null : counted[next - 1]!.energyWh;
  };
  let before = 0;
  const increase: (number | null)[] = [];
  const sessionEnergy = times.map((time) => {
    before = energyBefore(time) ?? before;
    const energyWh = energyBefore(time + widthMs);
    increase.push(energyWh === null ? null : energyWh - before);
    before = energyWh ?? before;
    return energyWh;
  });
  return { register: { last: register?.last ?? times.map(() => null), increase }, sessionEnergy };
}
