import t from 'tap';
import { loadOf, readOptions } from '#bench/options.ts';
import type { Scenario } from '#bench/scenario.ts';

const scenarioOf = (name: string, defaults: Scenario['defaults'] = {}): Scenario => ({
  name,
  describe: name,
  defaults,
  run: () => Promise.resolve({ measurements: [] }),
});
const short = scenarioOf('short', { stations: 7 });
const long = scenarioOf('long');

void t.test('selects scenarios by name', async (t) => {
  t.same(readOptions(['long', 'short'], [short, long]).scenarios, [long, short]);
});

void t.test('selects the published scenarios as publication', async (t) => {
  t.match(readOptions(['publication'], [short, long], [short]), { scenarios: [short], drawsCharts: true });
});

void t.test('prefers given load over that of the scenario and the general one', async (t) => {
  const { load } = readOptions(['short', '--rate', '40', '--seed', '0'], [short]);
  t.same(load, { rate: 40, seed: 0 });
  t.match(loadOf(short, load), { stations: 7, rate: 40, seed: 0, duration: 10 });
});

void t.test('reads a running system with several gateways', async (t) => {
  const keys = ['--operator-key', 'o', '--emsp-key', 'e', '--token', 'T1', '--token', 'T2'];
  const addresses = ['--target', 'http://h:1/', '--ocpp', 'ws://h:2/ocpp', '--ocpp', 'ws://h:3/ocpp/'];
  t.same(readOptions(['short', ...addresses, ...keys], [short]).target, {
    apiUrl: 'http://h:1',
    ocppUrls: ['ws://h:2/ocpp', 'ws://h:3/ocpp'],
    operatorKey: 'o',
    emspKey: 'e',
    tokens: ['T1', 'T2'],
    clickhouseUrl: null,
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
];
for (const [args, message] of refused) {
  void t.test(`refuses ${args.join(' ') || 'no arguments'} with the usage`, async (t) => {
    t.throws(() => readOptions(args, [short]), { message });
    t.throws(() => readOptions(args, [short]), { message: /npm run bench -- SCENARIO/ });
  });
}
