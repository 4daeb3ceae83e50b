import { sendSessionFacts } from '#api/services/reporting/session-facts.service.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { ensureNetwork } from '#shared/postgres/fleet/networks.statements.ts';
import type { TestStores } from '#shared/testing/stores.ts';
import { addConnectors, addRunning, endSession, type TestConnector } from './session-rows.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Numbers below `bound` that are the same in every run. */
function randomNumbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}

export interface TestNetwork {
  id: number;
  uuid: string;
  currency: string;
  timeZone: string;
}

/** Three networks: two currencies, and time zones with and without clock changes. */
export async function makeNetworks(sql: Sql): Promise<TestNetwork[]> {
  const made: TestNetwork[] = [];
  for (const [slug, currency, timeZone] of [
    ['north', 'EUR', 'Europe/Amsterdam'],
    ['south', 'USD', 'America/New_York'],
    ['east', 'EUR', 'Asia/Kathmandu'],
  ] as const) {
    const { id, uuid } = await ensureNetwork(sql, { slug, name: slug });
    await sql`update networks set currency = ${currency}, time_zone = ${timeZone} where id = ${id}`;
    made.push({ id, uuid, currency, timeZone });
  }
  return made;
}

/** Sends all facts, so many changes at once. */
async function sendAll(stores: TestStores, atOnce = 1000): Promise<void> {
  const { sql, clickhouse } = stores;
  while ((await sendSessionFacts(sql, clickhouse, atOnce)) > 0);
}

/** Sessions around both clock changes of spring, some of the last days, and some that run; overlaps among them. */
export async function makeSessions(
  stores: TestStores,
  networks: TestNetwork[],
  users: (number | null)[],
): Promise<void> {
  const { sql } = stores;
  const random = randomNumbers(7);
  const places: TestConnector[] = [];
  for (const network of networks) places.push(...(await addConnectors(sql, network, 2)));
  // From the beginning of the year on: later than their sessions, one of them came and went in the window.
  await sql`update connectors set created_at = '2026-01-01'`;
  await sql`
    update connectors set created_at = '2026-03-05T10:11:12.345Z', deleted_at = '2026-03-20T01:02:03.456Z'
    where id = ${places[0]!.connectorId}`;

  const pick = <T>(list: T[]): T => list[random(list.length)]!;
  const ending = (startedAt: number) => {
    const endedAt = startedAt + random(5) * 3 * 60 * minute + random(400 * minute);
    const idleFrom = startedAt + random(endedAt - startedAt + 1);
    return {
      endedAt: new Date(endedAt),
      energyWh: random(60_000) + random(1000) / 1000,
      costMinor: random(6) === 0 ? null : random(5000),
      idle: random(3) === 0 ? [{ from: new Date(idleFrom), to: new Date(endedAt) }] : [],
    };
  };
  const starts = { spring: Date.UTC(2026, 1, 25), recent: Date.now() - 9 * day };
  const made: { id: string; startedAt: number }[] = [];
  for (let index = 0; index < 140; index += 1) {
    const startedAt = index % 4 === 0 ? starts.recent + random(8 * day) : starts.spring + random(40 * day);
    const id = await addRunning(sql, pick(places), new Date(startedAt), pick(users));
    await endSession(sql, id, ending(startedAt));
    made.push({ id, startedAt });
    // Amended or reverted, sent before or not.
    const older = pick(made);
    if (random(3) === 0) await endSession(sql, older.id, ending(older.startedAt));
    if (random(12) === 0) await sql`update sessions set status = 'INVALID' where id = ${older.id}`;
    if (random(12) === 0)
      await sql`update sessions set started_at = started_at - interval '95 minutes' where id = ${older.id}`;
    if (random(20) === 0) await sendAll(stores, 20);
  }
  for (const place of places.slice(1)) {
    await addRunning(sql, place, new Date(starts.recent + random(9 * day)));
    await addRunning(sql, place, new Date(starts.recent + random(9 * day)));
  }
  await sendAll(stores);
}
