import { setTimeout as wait } from 'node:timers/promises';
import type { Latencies } from '#bench/load/latencies.ts';
import { type ClientCounts, runClients } from '#bench/load/retrying-clients.ts';
import { measurementsOf } from '#bench/report/measurement.ts';
import type { Bench, Measurement, Scenario } from '#bench/scenarios/scenario.ts';
import type { OwnSystem } from '#bench/system/system.ts';

/** Clients that the product can serve: the reference of the overload. */
const fewClients = 4;

/** Pause in ms of a probe between two requests. */
const probeMs = 100;

/** Chargers of the list that the clients read. */
const chargers = 200;

/** Time in which clients connect and code is compiled. A listen queue that is full delays a connection by seconds. */
const warmSeconds = 8;

/** Clients in closed loop that repeat refused and unanswered requests, alongside a health check and an operator at the console. */
export const apiOverload: Scenario = {
  name: 'api-overload',
  describe:
    'many more clients of the API than it can serve, which repeat: answers, refusals, health checks, the console',
  defaults: { connections: 1000, duration: 20 },
  async run(bench) {
    const { connections: many, duration } = bench.load;
    const measurements: Measurement[] = [];
    const runs: Seen[] = [];
    const run = async (system: OwnSystem, clients: number, label = ''): Promise<void> => {
      const subject = `${clients} clients${label}`;
      bench.progress(subject);
      const seen = await measure(system, clients, duration);
      runs.push(seen);
      measurements.push(...measurementsOfRun(subject, seen, duration));
    };
    const limited = await start(bench, {});
    await run(limited, fewClients);
    await run(limited, many);
    await bench.stopAll();
    await run(await start(bench, { API_MAX_REQUESTS: '100000' }), many, ', without a limit');
    const [few, overloaded, unlimited] = runs.map(({ clients }) => ({
      rate: clients.succeeded.count,
      p99: clients.succeeded.percentile(99),
    }));
    if (few === undefined || overloaded === undefined || unlimited === undefined)
      throw new Error('three runs');
    return {
      measurements,
      ratios: [
        { what: 'rate served under overload by that of few clients', value: overloaded.rate / few.rate },
        { what: 'rate served with the limit by that without', value: overloaded.rate / unlimited.rate },
        {
          what: '99th percentile of a served request with the limit by that without',
          value: overloaded.p99 / unlimited.p99,
        },
      ],
    };
  },
};

async function start(bench: Bench, env: Record<string, string>): Promise<OwnSystem> {
  const system = await bench.startOwn('all-in-one', { env });
  await system.addChargers(chargers);
  return system;
}

/** Returns the cookie of an operator who signed in at the console. */
async function signIn(system: OwnSystem): Promise<string> {
  const response = await fetch(`${system.apiUrl}/cpms/v1/auth/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiKey: system.operatorKey }),
  });
  if (!response.ok) throw new Error(`sign-in: ${response.status} ${await response.text()}`);
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Returns one of a thousand searches that all find the chargers: the product reads equal lists once. */
function searchOf(number: number): string {
  const letters = Array.from('fleet').map((letter, bit) =>
    (number >> bit) & 1 ? letter.toUpperCase() : letter,
  );
  return `search=${letters.join('')}&pageSize=${31 + ((number >> 5) & 31)}`;
}

interface Seen {
  clients: ClientCounts;
  health: ClientCounts;
  operator: ClientCounts;
}

async function measure(system: OwnSystem, clients: number, seconds: number): Promise<Seen> {
  const cookie = await signIn(system);
  const { apiUrl, operatorKey } = system;
  const list = (number: number) => `${apiUrl}/cpms/v1/chargers?${searchOf(number)}`;
  const ending = new AbortController();
  const span = { warmMs: warmSeconds * 1000, ending: ending.signal };
  const all = Promise.all([
    runClients(clients, { url: list, headers: { 'x-api-key': operatorKey } }, span),
    runClients(1, { url: () => `${apiUrl}/health/live`, headers: {} }, span, probeMs),
    runClients(1, { url: list, headers: { cookie } }, span, probeMs),
  ]);
  await wait((warmSeconds + seconds) * 1000);
  ending.abort();
  const [ofClients, health, operator] = await all;
  return { clients: ofClients, health, operator };
}

function measurementsOfRun(subject: string, { clients, health, operator }: Seen, seconds: number) {
  const of = measurementsOf(subject);
  const times = (what: string, latencies: Latencies): Measurement[] => {
    const [median = 0, p99 = 0] = latencies.percentiles(50, 99);
    return [of(`${what}, median`, median, 'ms'), of(`${what}, 99th percentile`, p99, 'ms')];
  };
  return [
    of('requests served', clients.succeeded.count / seconds, '1/s'),
    ...times('time to a served request', clients.succeeded),
    of('requests refused', clients.refused.count / seconds, '1/s'),
    ...times('time to a refusal', clients.refused),
    of('requests without an answer in 10 s', clients.failed),
    ...times('health check', health.succeeded),
    of('health checks without an answer', health.failed + health.refused.count),
    ...times('list at the console', operator.succeeded),
    of('lists at the console refused or without an answer', operator.failed + operator.refused.count),
  ];
}
