import type { Caller } from '#api/services/access/callers.ts';
import { bucketRange, type MeterSeries, readConnectorSeries } from '#api/services/fleet/meter-series.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { listConnectorPlaces } from '#shared/postgres/fleet/connectors.ts';
import { requireSession } from './sessions.ts';

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
  return { sessionUuid: uuid, ...range, connectors: await readConnectorSeries(deps, origin, range, places) };
}
