import t from 'tap';
import { loadOf, readOptions, usageOf } from '#bench/runner/options.ts';
import type { Scenario } from '#bench/scenarios/scenario.ts';

const scenarioOf = (name: string, defaults: Scenario['defaults'] = {}): Scenario => ({
  name,
  describe: name,
  defaults,
  run: () => Promise.resolve({ measurements: [] }),
});
const short = { scenario: scenarioOf('short', { stations: 7 }), minutes: 1 };
const long = { scenario: scenarioOf('long'), load: { duration: 3 }, minutes: 2, isOwn: true };

void t.test('selects scenarios by name', async (t) => {
  t.same(
    readOptions(['long', 'short'], [short, long]).runs.map(({ scenario }) => scenario.name),
    ['long', 'short'],
  );
});

void t.test('selects all scenarios with their published load as publication', async (t) => {
  const { runs, publishes } = readOptions(['publication', '--seed', '4'], [short, long]);
  t.same(
    runs.map(({ load }) => load),
    [{ seed: 4 }, { duration: 3, seed: 4 }],
  );
  t.ok(publishes);
});

void t.test('prefers given load over that of the scenario and the general one', async (t) => {
  const [run] = readOptions(['short', '--rate', '40', '--seed', '0'], [short]).runs;
  t.same(run?.load, { rate: 40, seed: 0 });
  t.match(loadOf(short.scenario, run?.load ?? {}), { stations: 7, rate: 40, seed: 0, duration: 10 });
});

void t.test('the usage names the duration of each scenario and of all', async (t) => {
  const usage = usageOf([short, long]);
  t.match(usage, /about 3 minutes on two quiet cores/);
  t.match(usage, /short +1 min \* short/);
  t.match(usage, /long +2 min {3}long/);
});

void t.test('sizes a fleet from stored reports', async (t) => {
  t.match(readOptions(['sizing', '--stations', '20000'], [short]), {
    sizes: 20_000,
    runs: [],
    publishes: false,
  });
});

void t.test('reads a running system with several gateways', async (t) => {
  const keys = ['--operator-key', 'o', '--emsp-key', 'e', '--token', 'T1', '--token', 'T2'];
  const addresses = ['--target', 'http://h:1/', '--ocpp', 'ws://h:2/ocpp', '--ocpp', 'ws://h:3/ocpp/'];
  t.same(readOptions(['short', ...addresses, ...keys], [short]).target, {
    apiUrl: 'http://h:1',
    ocppUrls: ['ws://h:2/ocpp', 'ws://h:3/ocpp'],
    operatorKey: 'o',
    emspKey: 'e',
    networkId: null,
    tokens: ['T1', 'T2'],
    clickhouseUrl: null,
  });
});

void t.test('reads the keys of a running system from its credentials', async (t) => {
  const directory = t.testdir({
    'credentials.json': JSON.stringify({ networkId: 'n', operatorKey: 'o', emspKey: 'e' }),
  });
  const args = ['short', '--target', 'http://h:1', '--credentials', `${directory}/credentials.json`];
  t.match(readOptions(args, [short, long]).target, {
    ocppUrls: ['ws://h:9000/ocpp'],
    operatorKey: 'o',
    emspKey: 'e',
    networkId: 'n',
    tokens: [],
  });
});

const refused: [args: string[], problem: RegExp][] = [
  [[], /name a scenario/],
  [['other'], /there is no scenario other/],
  [['short', '--stations', '0'], /--stations takes a whole number from 1/],
  [['short', '--duration', 'x'], /--duration takes a whole number from 1/],
  [['short', '--unknown'], /--unknown/],
  [['short', '--ocpp', 'ws://h:2'], /--ocpp needs --target/],
  [['short', '--target', 'http://h:1'], /--target needs/],
  [['short', '--target', 'h', '--ocpp', 'ws://h', '--credentials', '/none'], /--credentials \/none/],
  [
    ['long', '--target', 'http://h:1', '--operator-key', 'o', '--emsp-key', 'e'],
    /long .* does not take --target/,
  ],
];
for (const [args, message] of refused) {
  void t.test(`refuses ${args.join(' ') || 'no arguments'} with the usage`, async (t) => {
    t.throws(() => readOptions(args, [short, long]), { message });
    t.throws(() => readOptions(args, [short, long]), { message: /npm run bench -- SCENARIO/ });
  });
}
