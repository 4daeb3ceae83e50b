import autocannon from 'autocannon';
import { fillYear, makeModels, untilCount } from '#bench/load/history.ts';
import { requestJson } from '#bench/load/http.ts';
import { readMeasurements } from '#bench/load/read-measurements.ts';
import type { Bench, Measurement, Ratio, Scenario } from '#bench/scenario.ts';
import type { System } from '#bench/system/system.ts';
import type { Yardstick } from '#bench/yardsticks/start.ts';

/** Sessions of the data, as parts of `--sessions`. */
const sizes = [0.01, 0.1, 1];

/** Sessions whose copies make the data, and chargers. */
const models = 100;

/** Readings of a session; the newest ones have a whole page. */
const readings = 20;
const manyReadings = 1000;

const warmSeconds = 2;

/** Read of the API. */
interface Read {
  name: string;
  path: string;
  key: string;
  /** Lowest rate, as a part of a bare Fastify route that answers the same body. */
  goal: number | null;
}

/** Reads of both API families over three sizes of data, each beside a bare Fastify route with the same body. */
export const apiReads: Scenario = {
  name: 'api-reads',
  describe:
    'reads over HTTP with autocannon over three sizes of data, beside a bare Fastify route with the same body',
  defaults: { duration: 2, sessions: 20_000 },
  async run(bench) {
    const measurements: Measurement[] = [];
    const ratios: Ratio[] = [];
    const runningSystem = bench.topologies.includes('target');
    const counts = runningSystem ? [null] : sizes.map((size) => Math.ceil(bench.load.sessions * size));
    for (const sessions of counts) {
      const isLast = sessions === counts.at(-1);
      const system = sessions === null ? await bench.start('target') : await startWith(bench, sessions);
      const bare = isLast ? await bench.startYardstick('fastify') : null;
      const label = sessions === null ? '' : `, ${sessions.toLocaleString('en')} sessions`;
      for (const read of await readsOf(system)) {
        bench.progress(`${read.name}${label}`);
        const result = await request(bench, system.apiUrl + read.path, read.key);
        measurements.push(...readMeasurements(`${read.name}${label}`, result));
        if (bare !== null) ratios.push(await compare(bench, bare, system, read, result, measurements));
      }
      await bench.stopAll();
    }
    return { measurements, ratios };
  },
};

async function startWith(bench: Bench, sessions: number): Promise<System> {
  const system = await bench.startOwn('all-in-one');
  const stations = await makeModels(system, models);
  await Promise.all(stations.map((station) => station.close()));
  bench.progress(`making ${sessions.toLocaleString('en')} sessions`);
  await fillYear(system, { sessions, readings, manyReadings });
  await untilCount(system, models + sessions);
  return system;
}

async function readsOf(system: System): Promise<Read[]> {
  const { operatorKey, emspKey } = system;
  const chargers = '/cpms/v1/chargers';
  const sessions = '/emsp/v1/charging/sessions';
  const [charger, session] = [
    await firstId(system, `${chargers}?pageSize=1`, operatorKey),
    await firstId(system, `${sessions}?pageSize=1`, emspKey),
  ];
  return [
    { name: 'a charger', path: `${chargers}/${charger}`, key: operatorKey, goal: 0.4 },
    { name: 'a session', path: `${sessions}/${session}`, key: emspKey, goal: 0.4 },
    { name: '50 chargers', path: `${chargers}?pageSize=50`, key: operatorKey, goal: 0.6 },
    { name: '50 sessions', path: `${sessions}?pageSize=50`, key: emspKey, goal: 0.6 },
    { name: 'readings of a session', path: `${sessions}/${session}/meter-values`, key: emspKey, goal: null },
  ];
}

async function firstId(system: System, path: string, key: string): Promise<string> {
  const { data } = await requestJson<{ data: { id: string }[] }>(system, key, path);
  const id = data[0]?.id;
  if (id === undefined) throw new Error(`GET ${path} lists nothing`);
  return id;
}

/** Reads one address in closed loop, after a warm-up. */
async function request(bench: Bench, url: string, key: string): Promise<autocannon.Result> {
  const { connections, duration } = bench.load;
  const options = { url, connections, headers: { 'x-api-key': key } };
  await autocannon({ ...options, duration: warmSeconds });
  return autocannon({ ...options, duration });
}

/** Measures the bare route with the body that the product answered. */
async function compare(
  bench: Bench,
  bare: Yardstick,
  system: System,
  read: Read,
  result: autocannon.Result,
  measurements: Measurement[],
): Promise<Ratio> {
  const response = await fetch(system.apiUrl + read.path, { headers: { 'x-api-key': read.key } });
  const body = await response.text();
  bare.setBody(body);
  const floor = await request(bench, bare.httpUrl, read.key);
  const bytes = Buffer.byteLength(body).toLocaleString('en');
  measurements.push(...readMeasurements(`bare Fastify, body of ${read.name} (${bytes} bytes)`, floor));
  return {
    what: `${read.name}: requests per second by bare Fastify`,
    value: result.requests.average / floor.requests.average,
    ...(read.goal !== null && { goal: { atLeast: read.goal } }),
  };
}
