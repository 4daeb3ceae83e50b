import autocannon from 'autocannon';
import { daysAgo, fillYear, makeModels, untilCount } from '#bench/load/history.ts';
import { requestJson } from '#bench/load/http.ts';
import { readMeasurements } from '#bench/load/read-measurements.ts';
import type { Load, Measurement, Scenario } from '#bench/scenarios/scenario.ts';
import type { OwnSystem } from '#bench/system/system.ts';

/** Sessions whose copies make the history, and the connectors that they are spread over. */
const models = 500;

/** The sessions of the last day or so have that many readings, which is a page of the default limit. */
const manyReadings = 1000;
const readings = 100;

/** Sessions that run while all is read: two pages. */
const running = 100;

const warmSeconds = 3;

/** Different requests of a kind; every connection sends them in an order of its own. */
const variety = 500;

/** Reads over a year of sessions, as drivers, operators and analysts make them. */
export const yearOfSessions: Scenario = {
  name: 'year-of-sessions',
  describe: 'reads, analytics and an export over a year of sessions (--sessions), 100 readings each',
  defaults: { sessions: 20_000, duration: 3 },
  async run(bench) {
    const { load } = bench;
    const system = await bench.startOwn('all-in-one');
    const startedAt = performance.now();
    bench.progress(`making ${models} sessions to copy`);
    const stations = await makeModels(system, models);
    const diskBefore = await diskOfSessions(system);
    bench.progress(`making ${load.sessions.toLocaleString('en')} sessions`);
    await fillYear(system, { sessions: load.sessions, readings, manyReadings });
    const filledMs = performance.now() - startedAt;
    bench.progress('waiting until analytics know them');
    // Facts follow their sessions.
    await untilCount(system, models + load.sessions);
    const measured: Measurement[] = [
      valueOf('the year was made', filledMs / 1000, 's'),
      valueOf('analytics knew it all after', (performance.now() - startedAt) / 1000, 's'),
      valueOf('disk for a session', ((await diskOfSessions(system)) - diskBefore) / load.sessions, 'B'),
    ];
    // What an operator looks at first is what runs.
    await Promise.all(
      stations
        .slice(0, running)
        .map((station, n) =>
          station.startSession({ idToken: system.tokens[n % system.tokens.length] ?? '' }),
        ),
    );
    const spread = await idsOfPages(system, Math.ceil(load.sessions / variety / 2), variety);
    // Half of them are looked at again and again, the other half once.
    const recent = await idsOfPages(system, 1, 2 * variety);
    const one = '/emsp/v1/charging/sessions';
    const samplesOf = (id: string) => `${one}/${id}/meter-values`;
    const drivers = await keysOfDrivers(system);
    const kinds: [what: string, paths: string[], keys?: string[]][] = [
      ['a session', spread.map((id) => `${one}/${id}`)],
      ["a driver's sessions", drivers.map(() => one), drivers],
      ['the newest 50 sessions, which run', [one]],
      ['a page of 50 sessions', times((n) => `${one}?pageSize=50&page=${1 + (n % 20)}`)],
      [
        'a page of 50 sessions of a week',
        times((n) => `${one}?pageSize=50&from=${daysAgo((n % 358) + 7)}&to=${daysAgo(n % 358)}`),
      ],
      ['open transactions', times((n) => `/emsp/v1/transactions?status=OPEN&page=${1 + (n % 20)}`)],
      ["an operator's sessions, of all networks", ['/cpms/v1/sessions'], [system.operatorKey]],
      ['1,000 meter values', recent.slice(0, variety).map(samplesOf)],
      [
        'analytics of the same year',
        [`/emsp/v1/analytics/revenue?period=month&from=${daysAgo(365)}&to=${daysAgo(0)}`],
      ],
      [
        'analytics of different years',
        times(
          (n) =>
            `/emsp/v1/analytics/${['sessions', 'revenue', 'energy'][n % 3]}?period=month&from=${daysAgo(n / 50 + 365)}&to=${daysAgo(n / 50)}`,
        ),
      ],
    ];
    for (const kind of kinds) {
      bench.progress(kind[0]);
      measured.push(...(await read(system, load, ...kind)));
    }
    bench.progress('1,000 meter values for the first time');
    const unseen = recent.slice(variety).map(samplesOf);
    measured.push(...(await readOnce(system, load, '1,000 meter values for the first time', unseen)));
    bench.progress('exporting all sessions');
    measured.push(...(await exportAll(system)));
    await Promise.all(stations.map((station) => station.close()));
    return { measurements: measured };
  },
};

/** Returns bytes of all sessions on disk: PostgreSQL's database, and their facts in ClickHouse. Readings are not included. */
async function diskOfSessions(system: OwnSystem): Promise<number> {
  const facts = await system.clickhouse.value(`
    select sum(bytes_on_disk) from system.parts
    where active and database = currentDatabase() and table not in ('meter_samples', 'ocpp_messages')`);
  return Number(facts) + (await system.stores.databaseBytes());
}

/** Ids of sessions of the history, `wanted` of them: two of each page of every `step`, the newest first. */
async function idsOfPages(system: OwnSystem, step: number, wanted: number): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ids.length < wanted; page += step) {
    const { data } = await json<{ data: { id: string; transactionId: string }[] }>(
      system,
      `/emsp/v1/charging/sessions?pageSize=2&page=${page}`,
    );
    if (data.length === 0) break;
    // Those that they are copies of have few readings.
    ids.push(...data.filter(({ transactionId }) => transactionId.startsWith('history-')).map(({ id }) => id));
  }
  return ids;
}

/** Keys of drivers, each with sessions of their own. */
async function keysOfDrivers(system: OwnSystem): Promise<string[]> {
  const keys: string[] = [];
  for (let page = 1; keys.length < variety; page++) {
    const path = `/emsp/v1/users?pageSize=100&page=${page}`;
    const { data } = await json<{ data: { id: string }[] }>(system, path);
    if (data.length === 0) break;
    for (const { id: userId } of data) {
      const response = await fetch(`${system.apiUrl}/cpms/v1/public-api-keys`, {
        method: 'POST',
        headers: { 'x-api-key': system.operatorKey, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'bench', userId }),
      });
      if (!response.ok) throw new Error(`no key of a driver: ${response.status} ${await response.text()}`);
      keys.push(((await response.json()) as { data: { key: string } }).data.key);
    }
  }
  return keys;
}

/** Reads paths in turn, with the first of the keys the first, and so on. */
async function read(
  system: OwnSystem,
  load: Load,
  what: string,
  paths: string[],
  keys = [system.emspKey],
): Promise<Measurement[]> {
  const all = requestsOf(paths, keys);
  const requests = (seconds: number) => ({
    url: system.apiUrl,
    connections: load.connections,
    duration: seconds,
    setupClient: (client: autocannon.Client) => {
      const first = Math.floor(Math.random() * all.length);
      client.setRequests([...all.slice(first), ...all.slice(0, first)]);
    },
  });
  // The first requests of a kind pay for what they need once: compiled code, plans of queries, pages of the stores.
  await autocannon(requests(warmSeconds));
  return readMeasurements(what, await autocannon(requests(load.duration)));
}

/** Reads each path once. */
async function readOnce(
  system: OwnSystem,
  load: Load,
  what: string,
  paths: string[],
): Promise<Measurement[]> {
  const all = requestsOf(paths, [system.emspKey]);
  if (all.length === 0) return [];
  const connections = Math.min(load.connections, all.length);
  let clients = 0;
  const result = await autocannon({
    url: system.apiUrl,
    connections,
    amount: all.length,
    setupClient(client) {
      const turn = clients++;
      client.setRequests(all.filter((_, index) => index % connections === turn));
    },
  });
  return readMeasurements(what, result);
}

function requestsOf(paths: string[], keys: string[]): autocannon.Request[] {
  return paths.map((path, index) => ({
    method: 'GET' as const,
    path,
    headers: { 'x-api-key': keys[index % keys.length] },
  }));
}

function valueOf(what: string, value: number, unit: string): Measurement {
  return { subject: 'value', what, value, unit };
}

/** Every session as CSV, and what memory that took. */
async function exportAll(system: OwnSystem): Promise<Measurement[]> {
  const residentBytes = (): number => system.usage().product?.residentBytes ?? 0;
  const before = residentBytes();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentBytes())), 50);
  const startedAt = performance.now();
  const path = `/emsp/v1/reports/export?type=sessions-summary&format=csv&from=${daysAgo(366)}&to=${daysAgo(-1)}`;
  const response = await get(system, path);
  let rows = -1;
  for await (const chunk of response.body ?? [])
    for (const byte of chunk as Uint8Array) if (byte === 10) rows += 1;
  clearInterval(timer);
  const seconds = (performance.now() - startedAt) / 1000;
  return [
    valueOf('CSV of all sessions', rows, 'rows'),
    valueOf('CSV of all sessions, time', seconds, 's'),
    valueOf('CSV of all sessions, memory before', before / 2 ** 20, 'MiB'),
    valueOf('CSV of all sessions, memory more', (most - before) / 2 ** 20, 'MiB'),
  ];
}

function json<T>(system: OwnSystem, path: string): Promise<T> {
  return requestJson<T>(system, system.emspKey, path);
}

async function get(system: OwnSystem, path: string): Promise<Response> {
  const response = await fetch(system.apiUrl + path, { headers: { 'x-api-key': system.emspKey } });
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
  return response;
}

function times(make: (n: number) => string): string[] {
  return Array.from({ length: variety }, (_, n) => make(n));
}
