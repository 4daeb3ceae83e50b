import t from 'tap';
import { worstAmps } from '#shared/domain/load/line-loads.ts';
import { linesOf } from '#shared/domain/load/lines.ts';
import { effectiveSite, type StationQuirk } from '#shared/domain/load/quirks.ts';
import { type SiteStation, checkedSite, siteProblems } from '#shared/domain/load/site-problems.ts';
import { circuit, connector, siteOf } from './support/load-sites.ts';

const summary = (problems: ReturnType<typeof siteProblems>) =>
  problems.map(({ kind, circuitId, connectorId }) => ({ kind, circuitId, connectorId }));

void t.test('accepts a garage whose fallbacks fit each circuit', async (t) => {
  const site = siteOf(
    [connector('a', { circuitId: 'board', fallbackAmps: 6 }), connector('b', { circuitId: 'board' })],
    circuit('grid', 63),
    circuit('board', 32, { parentId: 'grid' }),
  );
  t.same(siteProblems(site), []);
});

void t.test('names the circuits of a cycle', async (t) => {
  const site = siteOf(
    [],
    circuit('grid', 63),
    circuit('one', 32, { parentId: 'two' }),
    circuit('two', 32, { parentId: 'one' }),
    circuit('below', 32, { parentId: 'two' }),
  );
  t.same(summary(siteProblems(site)), [
    { kind: 'cycle', circuitId: 'one', connectorId: null },
    { kind: 'cycle', circuitId: 'two', connectorId: null },
  ]);
});

void t.test('names the circuit that cannot carry its fallbacks', async (t) => {
  const board = circuit('board', 16, { parentId: 'grid' });
  const cars = ['a', 'b', 'c'].map((id) => connector(id, { circuitId: 'board', fallbackAmps: 6 }));
  const [problem, ...others] = siteProblems(siteOf(cars, circuit('grid', 63), board));
  t.match(problem, { kind: 'fallbacks-exceed-limit', circuitId: 'board' });
  t.match(problem?.message, /Circuit board leaves 16\.0 A on L1 for charging, less than the 18\.0 A/);
  t.same(others, []);
});

void t.test('compares fallbacks with the limit of each part of the day', async (t) => {
  const schedule = [{ fromMinute: 1320, toMinute: 360, amps: [5, 5, 5] as const }];
  const site = siteOf([connector('a', { fallbackAmps: 6 })], circuit('grid', 63, { schedule }));
  t.match(summary(siteProblems(site)), [{ kind: 'fallbacks-exceed-limit', circuitId: 'grid' }]);
});

void t.test('counts a station without control at its maximum', async (t) => {
  const site = siteOf([connector('a', { control: 'none' })], circuit('grid', 25));
  t.match(summary(siteProblems(site)), [{ kind: 'fallbacks-exceed-limit', circuitId: 'grid' }]);
});

/** Three stations of a model that refuses 0 A, on one line. */
const terras = (amps: number, quirks: StationQuirk[] | null) =>
  effectiveSite({
    id: 'site',
    circuits: [circuit('grid', amps)],
    connectors: ['a', 'b', 'c'].map((id) => ({
      ...connector(id),
      quirks,
      vendor: 'ABB',
      vendorModel: 'Terra AC',
    })),
  });

void t.test('counts a station that refuses 0 A at its minimum, and does not pause its car', async (t) => {
  const narrow = terras(17, null);
  t.match(summary(siteProblems(narrow)), [{ kind: 'fallbacks-exceed-limit', circuitId: 'grid' }]);
  t.match(narrow.connectors, [{ control: 'profiles', fallbackAmps: 6 }, {}, {}]);
  t.same(siteProblems(terras(18, null)), []);
  t.same(siteProblems(terras(0, [])), [], 'quirks of an operator replace those of the model');
});

void t.test('names defects of circuits and connectors', async (t) => {
  const site = siteOf(
    [
      connector('a', { siteId: 'other' }),
      connector('b', { circuitId: 'gone' }),
      connector('c', { rotation: ['R', 'R'] }),
      connector('d', { connection: 'line-to-line' }),
      connector('e', { fallbackAmps: 3 }),
    ],
    circuit('grid', 63),
    circuit('grid', 63, { parentId: 'grid' }),
    circuit('second', 63),
    circuit('orphan', -1, { parentId: 'nowhere' }),
  );
  t.same(
    siteProblems(site).map(({ kind }) => kind),
    [
      'several-grid-connections',
      'duplicate-circuit',
      'cycle',
      'unknown-parent',
      'invalid-limit',
      'other-site',
      'unknown-circuit',
      'invalid-connector',
      'invalid-connector',
      'invalid-connector',
    ],
  );
  t.match(siteProblems(siteOf([])), [{ kind: 'no-grid-connection' }]);
});

const station = (changes: Partial<SiteStation> = {}): SiteStation => ({
  chargerId: 1,
  evse: 1,
  powerType: 'AC_3_PHASE',
  quirks: [],
  ...changes,
});

void t.test('counts a station at its maximum if its limit replaces its fallback', async (t) => {
  const site = siteOf([connector('a', { fallbackAmps: 6 })], circuit('grid', 25));
  for (const quirk of ['tx-default-only', 'station-max-only'] as const) {
    const stations = [station({ quirks: ['single-level', quirk] })];
    t.match(summary(siteProblems(site, stations)), [{ kind: 'fallbacks-exceed-limit', circuitId: 'grid' }]);
  }
  t.same(siteProblems(site, [station({ quirks: ['single-level'] })]), []);
});

const stationKinds = (stations: SiteStation[], control: 'profiles' | 'none' = 'profiles') =>
  siteProblems(siteOf([connector('a'), connector('b', { control })], circuit('grid', 63)), stations).map(
    ({ kind, connectorId }) => [kind, connectorId],
  );

void t.test('names connectors that profiles cannot limit one by one', async (t) => {
  const max = station({ quirks: ['station-max-only'] });
  t.same(stationKinds([max, { ...max, evse: 2 }]), [
    ['shared-station', 'a'],
    ['shared-station', 'b'],
  ]);
  t.same(stationKinds([station(), station()]), [
    ['shared-evse', 'a'],
    ['shared-evse', 'b'],
  ]);
  t.same(stationKinds([station(), station({ powerType: 'DC', chargerId: 2 })]), [['direct-current', 'b']]);
  t.same(stationKinds([max, station({ powerType: 'DC' })], 'none'), [], 'without control');
  t.same(stationKinds([station(), station({ evse: 2 })]), []);
});

void t.test(
  'counts the worst case of what becomes known about a station after its site was stored',
  async (t) => {
    const connectors = [
      connector('a', { rotation: ['R'], fallbackAmps: 6 }),
      connector('b', { fallbackAmps: 6 }),
    ];
    const stored = siteOf(connectors, circuit('grid', 32));
    const known = (...stations: Partial<SiteStation>[]) => {
      const { site, problems } = checkedSite(
        stored,
        stations.map((own, index) => ({ ...station({ chargerId: index }), powerType: null, ...own })),
      );
      const counted = site.connectors.map(({ rotation, control }) => [rotation?.length ?? null, control]);
      return [...counted, problems.map(({ kind, connectorId }) => [kind, connectorId])];
    };
    t.same(known({}, {}), [[1, 'profiles'], [3, 'profiles'], []]);
    t.same(known({ powerType: 'AC_1_PHASE' }, { powerType: 'AC_3_PHASE' }), known({}, {}));
    t.same(known({ powerType: 'AC_3_PHASE' }, {}), [
      [null, 'profiles'],
      [3, 'profiles'],
      [['more-phases', 'a']],
    ]);
    t.same(known({ powerType: 'AC_3_PHASE', evse: 1 }, { chargerId: 0, evse: 1 })[0], [null, 'none'], 'both');
    t.same(known({}, { powerType: 'DC' }), [
      [1, 'profiles'],
      [3, 'none'],
      [
        ['direct-current', 'b'],
        ['fallbacks-exceed-limit', null],
      ],
    ]);
  },
);

const scheduleKinds = (fromMinute: number, toMinute: number) => {
  const schedule = [{ fromMinute, toMinute, amps: [63, 63, 63] as const }];
  return siteProblems(siteOf([], circuit('grid', 63, { schedule }))).map(({ kind }) => kind);
};

void t.test('names a circuit whose schedule has an empty part', async (t) => {
  t.same(scheduleKinds(60, 60), ['invalid-limit']);
  t.same(scheduleKinds(1440, 0), ['invalid-limit']);
  t.same([...scheduleKinds(0, 1440), ...scheduleKinds(1320, 360)], []);
});

const inputs = { localMinute: 0, otherAmps: new Map(), drawnPhases: [] };

void t.test('counts a car on one phase by the rotation of its connector', async (t) => {
  const site = siteOf([connector('a', { rotation: ['S', 'T', 'R'] })], circuit('grid', 63));
  const loads = (drawn: 1 | 2 | 3 | null) =>
    linesOf(site, { ...inputs, drawnPhases: [drawn] }).map((line) => worstAmps(line, [16]));
  t.same(loads(1), [0, 16, 0]);
  t.same(loads(2), [0, 16, 16]);
  t.same(loads(3), [16, 16, 16]);
  t.same(loads(null), [16, 16, 16]);
});

void t.test('counts an unknown rotation on all phases', async (t) => {
  const site = siteOf([connector('a', { rotation: null })], circuit('grid', 63));
  const lines = linesOf(site, { ...inputs, drawnPhases: [1] });
  t.same(
    lines.map((line) => worstAmps(line, [16])),
    [16, 16, 16],
  );
});

void t.test('subtracts other loads from all circuits above them', async (t) => {
  const site = siteOf([], circuit('grid', 63), circuit('board', 32, { parentId: 'grid' }));
  const lines = linesOf(site, { ...inputs, otherAmps: new Map([['board', [10, 0, 0] as const]]) });
  t.same(
    lines.map(({ amps }) => amps),
    [53, 63, 63, 22, 32, 32],
  );
});
