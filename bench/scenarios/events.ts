import { setTimeout as wait } from 'node:timers/promises';
import { type EventReader, readEvents } from '#bench/load/event-reader.ts';
import { requestJson } from '#bench/load/http.ts';
import { Latencies } from '#bench/load/latencies.ts';
import { measurementsOf, toMiB } from '#bench/report/measurement.ts';
import type { Measurement, Scenario } from '#bench/scenarios/scenario.ts';
import type { OwnSystem, Role } from '#bench/system/system.ts';

const defaultRate = 10_000;

/** Streams that one key may have at a process. */
const streamsPerKey = 100;

/** Streams that are opened at a time. */
const openedAtOnce = 20;

/** Time in which the last events arrive, in ms. */
const settlingMs = 30_000;

/** Roles whose CPU time events take. */
const roles: Role[] = ['api', 'PostgreSQL', 'Redis'];

/** Events that a reader must receive: one of every `step`, beginning with `first`. */
interface Subscriber {
  reader: EventReader;
  first: number;
  step: number;
}

/** Events written at a rate, and followed by streams of one charger each and a stream of all. */
export const events: Scenario = {
  name: 'events',
  describe: 'events a second, each to the stream of its charger and to one of all, at one API process',
  defaults: { connections: 1000, duration: 10 },
  async run(bench) {
    const system = await bench.startOwn('split');
    const { duration: seconds, connections } = bench.load;
    const rate = bench.load.rate ?? defaultRate;
    const chargers = await system.addChargers(connections);
    bench.progress('opening streams');
    const subscribers = await openStreams(
      system,
      chargers.map(({ id }) => id),
    );
    bench.progress(`writing ${rate.toLocaleString('en')} events a second`);
    const before = system.usage();
    const wroteMs = await system.writeEvents({ rate, seconds, prefix: 'FLEET' });
    const isComplete = await settled(subscribers, rate * seconds);
    const after = system.usage();
    for (const { reader } of subscribers) reader.close();
    const of = measurementsOf(`${connections.toLocaleString('en')} streams`);
    const used = roles.map((role): Measurement => {
      const cpu = (after[role]?.cpuSeconds ?? 0) - (before[role]?.cpuSeconds ?? 0);
      return of(`CPU of ${role} for 1,000 events`, (cpu * 1e6) / (rate * seconds), 'ms');
    });
    return {
      measurements: [
        of('events written a second', (rate * seconds) / (wroteMs / 1000)),
        ...delivery(of, subscribers, rate * seconds),
        ...used,
        of('memory of the API', toMiB(after.api?.residentBytes ?? 0), 'MiB'),
      ],
      ...(!isComplete && {
        notes: [`Events were missing ${settlingMs / 1000} s after the last was written.`],
      }),
    };
  },
};

async function openStreams(system: OwnSystem, chargerIds: readonly string[]): Promise<Subscriber[]> {
  const queries = [
    { query: '', first: 0, step: 1 },
    ...chargerIds.map((id, first) => ({ query: `?chargerId=${id}`, first, step: chargerIds.length })),
  ];
  const keys = await Promise.all(
    Array.from({ length: Math.ceil(queries.length / streamsPerKey) }, () => newKey(system)),
  );
  const opened: Subscriber[] = [];
  for (let begin = 0; begin < queries.length; begin += openedAtOnce) {
    const some = queries.slice(begin, begin + openedAtOnce).map(async ({ query, ...expected }, index) => {
      const key = keys[Math.floor((begin + index) / streamsPerKey)] ?? '';
      return { ...expected, reader: await readEvents(`${system.apiUrl}/cpms/v1/events${query}`, key) };
    });
    opened.push(...(await Promise.all(some)));
  }
  return opened;
}

async function newKey(system: OwnSystem): Promise<string> {
  const body = { name: 'bench', scopes: ['cpms:read:events'] };
  const { data } = await requestJson<{ data: { key: string } }>(
    system,
    system.operatorKey,
    '/cpms/v1/api-keys',
    body,
  );
  return data.key;
}

const expectedOf = ({ first, step }: Subscriber, total: number): number =>
  Math.ceil(Math.max(0, total - first) / step);

/** Waits until all events have arrived; returns false when some did not in time. */
async function settled(subscribers: readonly Subscriber[], total: number): Promise<boolean> {
  const deadline = performance.now() + settlingMs;
  const isComplete = () =>
    subscribers.every((subscriber) => subscriber.reader.numbers.length >= expectedOf(subscriber, total));
  while (!isComplete() && performance.now() < deadline) await wait(50);
  return isComplete();
}

function delivery(
  of: ReturnType<typeof measurementsOf>,
  subscribers: readonly Subscriber[],
  total: number,
): Measurement[] {
  let [delivered, lost, doubled, disordered] = [0, 0, 0, 0];
  for (const subscriber of subscribers) {
    const { numbers } = subscriber.reader;
    const unique = new Set(numbers).size;
    delivered += numbers.length;
    lost += expectedOf(subscriber, total) - unique;
    doubled += numbers.length - unique;
    disordered += numbers.filter((number, index) => index > 0 && number < (numbers[index - 1] ?? 0)).length;
  }
  const delays = Latencies.merged(subscribers.map(({ reader }) => reader.delays.values()));
  const [median = 0, p99 = 0, worst = 0] = delays.percentiles(50, 99, 100);
  return [
    of('events delivered', delivered),
    of('events lost', lost),
    of('events doubled', doubled),
    of('events out of order', disordered),
    of('delay, median', median, 'ms'),
    of('delay, p99', p99, 'ms'),
    of('delay, highest', worst, 'ms'),
  ];
}
