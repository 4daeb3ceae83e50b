import { setTimeout as wait } from 'node:timers/promises';
import { fillYear, makeModels, untilCount } from '#bench/load/history.ts';
import { requestJson } from '#bench/load/http.ts';
import { Latencies } from '#bench/load/latencies.ts';
import { untilMerged } from '#bench/load/reading-filler.ts';
import { fillStatusYear, fillReadingYear, untilRolledUp } from '#bench/load/year-of-a-charger.ts';
import { measurementsOf } from '#bench/report/measurement.ts';
import type { Measurement, Ratio, Scenario } from '#bench/scenarios/scenario.ts';
import type { OwnSystem } from '#bench/system/system.ts';

/** Chargers whose sessions are copied, and their locations. */
const chargers = 500;
const locations = 20;

/** Reads of a kind, each with another window: no answer is kept from the one before. */
const reads = 40;

/** First reads of a kind, which are not measured: code is compiled, and pages of the stores are read. */
const warmReads = 5;

/** Rest of both stores after the inserts, in seconds. */
const restSeconds = 60;

/** Goal of the console for one read by itself, in ms. */
const goalMs = 300;

/** One client at a time reads what the pages of the console show of a large network. */
export const consoleReads: Scenario = {
  name: 'console-reads',
  describe:
    'analytics over a year of sessions (--sessions) and charts of a year of readings, one request at a time',
  defaults: { sessions: 1_000_000 },
  async run(bench) {
    const { sessions } = bench.load;
    const system = await bench.startOwn('all-in-one');
    bench.progress(`making ${chargers} sessions to copy`);
    const stations = await makeModels(system, chargers);
    const places = await placeChargers(system);
    bench.progress(`making ${sessions.toLocaleString('en')} sessions`);
    await fillReadingYear(system.clickhouse);
    await fillStatusYear(system.clickhouse);
    await fillYear(system, { sessions, readings: 0, manyReadings: 0 });
    bench.progress('waiting until analytics know them');
    await untilCount(system, chargers + sessions);
    await untilRolledUp(system.clickhouse);
    await untilMerged(system.clickhouse);
    await wait(restSeconds * 1000);
    const measurements: Measurement[] = [];
    const ratios: Ratio[] = [];
    for (const [what, pathOf] of kindsOf(places)) {
      bench.progress(what);
      const [median = 0, p95 = 0] = await readInTurn(system, pathOf);
      const of = measurementsOf(what);
      measurements.push(of('median', median, 'ms'), of('95th percentile', p95, 'ms'));
      ratios.push({
        what: `${what}: 95th percentile, of ${goalMs} ms`,
        value: p95 / goalMs,
        goal: { atMost: 1 },
      });
    }
    await Promise.all(stations.map((station) => station.close()));
    return { measurements, ratios };
  },
};

/** Identifiers that the reads name. */
interface Places {
  location: string;
  charger: string;
}

/** Creates locations, and places the chargers at them in turn. */
async function placeChargers(system: OwnSystem): Promise<Places> {
  const ids = [];
  for (let number = 1; number <= locations; number++) {
    const coordinates = { latitude: 52 + number / 50, longitude: 5 + number / 50 };
    const body = {
      name: `Location ${number}`,
      address: `Quay ${number}`,
      city: 'Utrecht',
      country: 'NLD',
      coordinates,
    };
    const { data } = await requestJson<One>(system, system.operatorKey, '/cpms/v1/locations', body);
    ids.push(data.id);
  }
  const placed: string[] = [];
  for (let page = 1; placed.length < chargers; page++) {
    const path = `/cpms/v1/chargers?pageSize=100&page=${page}`;
    const { data } = await requestJson<{ data: { id: string }[] }>(system, system.operatorKey, path);
    if (data.length === 0) throw new Error('chargers are missing');
    for (const { id } of data) {
      const locationUuid = ids[placed.length % ids.length];
      const response = await fetch(`${system.apiUrl}/cpms/v1/chargers/${id}`, {
        method: 'PATCH',
        headers: { 'x-api-key': system.operatorKey, 'content-type': 'application/json' },
        body: JSON.stringify({ locationUuid }),
      });
      if (!response.ok)
        throw new Error(`a charger was not placed: ${response.status} ${await response.text()}`);
      placed.push(id);
    }
  }
  return { location: ids[0] ?? '', charger: placed[0] ?? '' };
}

interface One {
  data: { id: string };
}

/** Returns what is read, and the address of the n-th read of it. */
function kindsOf({ location, charger }: Places): [what: string, pathOf: (n: number) => string][] {
  // An hour apart: no two reads have the same window, and all have nearly the same sessions.
  const newest = Date.now();
  const at = (days: number) => new Date(newest - Math.round(days * 86_400_000)).toISOString();
  const window = (days: number, n: number) => `from=${at(days + n / 24)}&to=${at(n / 24)}`;
  const analytics =
    (path: string, days: number, more = '') =>
    (n: number) =>
      `/cpms/v1/analytics/${path}?${window(days, n)}${more}`;
  const here = `&locationId=${location}`;
  const series = (days: number) => (n: number) =>
    `/cpms/v1/chargers/${charger}/meter-series?${window(days, n)}&points=600`;
  return [
    ['a year by day', analytics('series', 365, '&period=day')],
    ['a year by day, one location', analytics('series', 365, `&period=day${here}`)],
    ['a year by hour and weekday', analytics('heat-map', 365)],
    ['a year by hour and weekday, one location', analytics('heat-map', 365, here)],
    ['a year by location', analytics('breakdown', 365, '&by=location')],
    ['a year by tariff', analytics('breakdown', 365, '&by=tariff')],
    ['30 days by charger', analytics('breakdown', 30, '&by=charger')],
    ['availability of 31 days by location', analytics('availability', 31, '&by=location')],
    ['availability of 31 days, one location', analytics('availability', 31, `&by=charger${here}`)],
    ['today against last week', () => '/cpms/v1/analytics/today'],
    [
      'sessions behind a number',
      (n) => `/cpms/v1/sessions?counted=true&endedFrom=${at(30 + n)}&endedTo=${at(n)}&pageSize=100${here}`,
    ],
    ["a charger's readings of a year", series(364)],
    ["a charger's readings of a month", series(30)],
    ["a charger's readings of a day", series(1)],
  ];
}

/** Reads one after the other; returns the median and the 95th percentile in ms. */
async function readInTurn(system: OwnSystem, pathOf: (n: number) => string): Promise<number[]> {
  const latencies = new Latencies();
  for (let n = 0; n < warmReads + reads; n++) {
    const path = pathOf(n);
    const startedAt = performance.now();
    await requestJson(system, system.operatorKey, path);
    if (n >= warmReads) latencies.record(performance.now() - startedAt);
  }
  return latencies.percentiles(50, 95);
}
