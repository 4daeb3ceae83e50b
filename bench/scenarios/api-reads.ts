import autocannon from 'autocannon';
import type { Station } from '#shared/simulator/station.ts';
import { startChargingFleet } from '#bench/load/charging-fleet.ts';
import { fillYear, makeModels, untilCount } from '#bench/load/history.ts';
import { readMeasurements } from '#bench/load/read-measurements.ts';
import { type Read, readsOf } from '#bench/load/reads.ts';
import { statementRatio } from '#bench/report/api-reads.ts';
import { callsLoopback, registerPartner } from '#bench/load/roaming-partner.ts';
import type { Bench, Measurement, Ratio, Scenario } from '#bench/scenarios/scenario.ts';
import type { Role, System } from '#bench/system/system.ts';
import type { Yardstick } from '#bench/yardsticks/start.ts';

/** Sessions of the data, as parts of `--sessions`. */
const sizes = [0.01, 0.1, 1];

/** Sessions whose copies make the data, and chargers. */
const models = 50;
/** Chargers with a running session. */
const charging = 10;

/** Readings of a session; the newest ones have a whole page. */
const readings = 20;
const manyReadings = 1000;

/** Time of the first requests to a process, whose code is not compiled yet. */
const firstWarmSeconds = 2;
/** Time of one look at the rate of a read while it warms up. */
const sliceSeconds = 0.3;
/** A measurement ends with a sample (ms): by default up to a second after its duration. */
const sampleInt = 100;
/** Looks at most; by then the rate of every read was steady. */
const maxSlices = 5;
/** A rate that rises by less is steady. */
const steadyRise = 1.1;

/** Lowest rate of a read, as a part of a bare route that runs the same statement. */
const goal = 0.8;

/** Roles whose CPU time a read takes. */
const roles: Role[] = ['api', 'product', 'PostgreSQL', 'ClickHouse'];

/**
 * Reads of all API families over three sizes of data, each alongside a bare Fastify route with the same body, and to one that runs
 * the same statement too.
 */
export const apiReads: Scenario = {
  name: 'api-reads',
  describe:
    'reads over HTTP with autocannon over three sizes of data, alongside bare Fastify routes with the same body and statement',
  defaults: { duration: 1, sessions: 20_000 },
  async run(bench) {
    const measurements: Measurement[] = [];
    const ratios: Ratio[] = [];
    const runningSystem = bench.topologies.includes('target');
    const counts = runningSystem ? [null] : sizes.map((size) => Math.ceil(bench.load.sessions * size));
    for (const sessions of counts) {
      const { system, stations, databaseUrl } =
        sessions === null
          ? { system: await bench.start('target'), stations: [], databaseUrl: null }
          : await startWith(bench, sessions);
      const partner = sessions === null ? null : await registerPartner(system);
      const bare = await bench.startYardstick('fastify');
      const stating =
        databaseUrl === null ? null : await bench.startYardstick('statements', { DATABASE_URL: databaseUrl });
      await request(bench, bare.httpUrl, { paths: ['/'], headers: {} }, firstWarmSeconds);
      const label = sessions === null ? '' : `, ${sessions.toLocaleString('en')} sessions`;
      const reads = (await readsOf(system, partner)).filter(({ paths }) => paths.length > 0);
      if (reads[0] !== undefined) await request(bench, system.apiUrl, reads[0], firstWarmSeconds);
      for (const read of reads) {
        bench.progress(`${read.name}${label}`);
        const compared = await compare(bench, { bare, stating }, system, read, label);
        measurements.push(...compared.taken);
        // Charts show the ratios without a size: those of the largest data.
        const size = sessions === counts.at(-1) ? '' : label;
        ratios.push(...compared.ratios.map((ratio) => ({ ...ratio, what: `${ratio.what}${size}` })));
      }
      // Stations that lose their system connect again without end.
      await Promise.all(stations.map((station) => station.close()));
      await bench.stopAll();
    }
    return { measurements, ratios };
  },
};

/** Starts a system with data; the stations charge until they are closed. */
async function startWith(
  bench: Bench,
  sessions: number,
): Promise<{ system: System; stations: Station[]; databaseUrl: string }> {
  const system = await bench.startOwn('split', { env: callsLoopback });
  const ended = await makeModels(system, models);
  await Promise.all(ended.map((station) => station.close()));
  bench.progress(`making ${sessions.toLocaleString('en')} sessions`);
  await fillYear(system, { sessions, readings, manyReadings });
  await untilCount(system, models + sessions);
  const stations = await startChargingFleet(system, charging, new Date());
  return { system, stations, databaseUrl: system.stores.databaseUrl };
}

/** Measures a read, and right after it the bare routes with the body that the product answered. */
async function compare(
  bench: Bench,
  { bare, stating }: { bare: Yardstick; stating: Yardstick | null },
  system: System,
  read: Read,
  label: string,
): Promise<{ taken: Measurement[]; ratios: Ratio[] }> {
  const { paths, headers, name, statements } = read;
  const response = await fetch(system.apiUrl + paths[0], { headers });
  const body = await response.text();
  if (!response.ok) throw new Error(`GET ${paths[0]}: ${response.status} ${body}`);
  bare.setBody(body);
  stating?.setBody(body);
  await warmUp(bench, system.apiUrl, read);
  const before = system.usage();
  const result = await request(bench, system.apiUrl, read, bench.load.duration);
  const after = system.usage();
  const bareRead = { ...read, paths: paths.map(() => '/') };
  const floor = await request(bench, bare.httpUrl, bareRead, bench.load.duration);
  const ratios: Ratio[] = [
    { what: `${name}: requests per second by bare Fastify`, value: rateOf(result) / rateOf(floor) },
  ];
  const subject = `${name}${label}`;
  const stated: Measurement[] = [];
  if (stating !== null && statements !== null) {
    const stateRead = { paths: statements, headers: {} };
    await warmUp(bench, stating.httpUrl, stateRead);
    const rate = rateOf(await request(bench, stating.httpUrl, stateRead, bench.load.duration));
    stated.push({ subject, what: 'the same statement, requests per second', value: rate, unit: '' });
    ratios.unshift({
      what: `${name}: ${statementRatio}`,
      value: rateOf(result) / rate,
      goal: { atLeast: goal },
    });
  }
  const used = roles.flatMap((role): Measurement[] => {
    const [from, to] = [before[role], after[role]];
    if (from === undefined || to === undefined) return [];
    const value = ((to.cpuSeconds - from.cpuSeconds) * 1e6) / Math.max(1, result.requests.total);
    return [{ subject, what: `CPU of ${role} for a request`, value, unit: 'µs' }];
  });
  const bytes: Measurement = { subject, what: 'body', value: Buffer.byteLength(body), unit: 'bytes' };
  return {
    taken: [
      ...readMeasurements(subject, result),
      { subject, what: 'bare Fastify, requests per second', value: rateOf(floor), unit: '' },
      ...stated,
      ...used,
      bytes,
    ],
    ratios,
  };
}

/** Requests a read until its rate is steady: code that is compiled while it is measured would be most of its cost. */
async function warmUp(bench: Bench, url: string, read: Pick<Read, 'paths' | 'headers'>): Promise<void> {
  let fastest = 0;
  for (let slice = 0; slice < maxSlices; slice++) {
    const rate = rateOf(await request(bench, url, read, sliceSeconds));
    if (rate < fastest * steadyRise) return;
    fastest = rate;
  }
}

/** Requests the addresses of a read in turn, in closed loop. */
function request(
  bench: Bench,
  url: string,
  { paths, headers }: Pick<Read, 'paths' | 'headers'>,
  duration: number,
): Promise<autocannon.Result> {
  const { connections } = bench.load;
  return Promise.resolve(
    autocannon({
      url,
      connections,
      duration,
      sampleInt,
      headers,
      requests: paths.map((path) => ({ path })),
    }),
  );
}

/** Successful requests per second. A measurement shorter than two seconds has no average of its samples. */
function rateOf(result: autocannon.Result): number {
  return result['2xx'] / result.duration;
}
