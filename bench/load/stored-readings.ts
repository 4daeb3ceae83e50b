import { setTimeout as wait } from 'node:timers/promises';
import type { System } from '#bench/system/system.ts';
import type { RegisteredCharger } from './chargers.ts';
import type { AcknowledgedReadings } from './fleet-protocol.ts';
import { requestJson } from './http.ts';

/** Session in the lists of the API for drivers. */
interface ListedSession {
  id: string;
  chargerId: string;
  transactionId: string;
  status: string;
  priceState: string;
}

const pageSize = 100;
const storedWithinMs = 60_000;

/** Returns all sessions of the network. */
export async function listSessions(system: System): Promise<ListedSession[]> {
  const all: ListedSession[] = [];
  for (let page = 1; ; page++) {
    const path = `/emsp/v1/charging/sessions?pageSize=${pageSize}&page=${page}`;
    const { data } = await requestJson<{ data: ListedSession[] }>(system, system.emspKey, path);
    all.push(...data);
    if (data.length < pageSize) return all;
  }
}

/**
 * Counts acknowledged readings that are not in ClickHouse: null where it is not accessible. What is on its way has a
 * minute to arrive.
 */
export async function countMissingReadings(
  system: System,
  chargers: readonly RegisteredCharger[],
  acknowledged: readonly AcknowledgedReadings[],
): Promise<number | null> {
  const { clickhouse } = system;
  if (clickhouse === null) return null;
  const uids = new Map(chargers.map(({ id, uid }) => [id, uid]));
  const chargerOf = new Map(
    (await listSessions(system)).map((session) => [session.id, uids.get(session.chargerId)]),
  );
  const deadline = performance.now() + storedWithinMs;
  for (;;) {
    const rows = await clickhouse.rows<{ session: string; timesMs: number[] }>(`
      select toString(session_id) as session, groupUniqArray(toUnixTimestamp64Milli(time)) as timesMs
      from meter_samples group by session_id`);
    const stored = new Map<string, Set<number>>();
    for (const { session, timesMs } of rows) {
      const uid = chargerOf.get(session);
      if (uid === undefined) continue;
      const known = stored.get(uid);
      if (known === undefined) stored.set(uid, new Set(timesMs));
      else for (const time of timesMs) known.add(time);
    }
    const missing = countMissing(acknowledged, stored);
    if (missing === 0 || performance.now() > deadline) return missing;
    await wait(500);
  }
}

/** Counts acknowledged times of each charger that are not among its stored ones. */
export function countMissing(
  acknowledged: readonly AcknowledgedReadings[],
  stored: ReadonlyMap<string, ReadonlySet<number>>,
): number {
  let missing = 0;
  for (const { uid, timesMs } of acknowledged) {
    const times = stored.get(uid);
    for (const time of timesMs) if (times?.has(time) !== true) missing++;
  }
  return missing;
}
