import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import t from 'tap';
import { defaultSettings, planSite, type SiteState } from '#shared/domain/load/plan.ts';
import type { OtherLoad } from '#shared/domain/load/site.ts';
import { type Standing, unknownStanding } from '#shared/domain/load/standing.ts';
import { strategies } from '#shared/domain/load/demand.ts';
import { charging, circuit, connector, demand, measuredAmps, siteOf, sites } from './support/load-sites.ts';

const state = (connectors: SiteState['connectors'], changes: Partial<SiteState> = {}): SiteState => ({
  now: 100_000,
  localMinute: 0,
  connectors,
  meters: new Map(),
  otherHistory: new Map(),
  bounds: [],
  ...changes,
});

const garage = siteOf([connector('a'), connector('b')], circuit('grid', 32));

const limits = (site = garage, now: SiteState) =>
  planSite(site, now, defaultSettings).decisions.map(({ amps, send, reason }) => [amps, send, reason.kind]);

void t.test('reduces first, and raises only when the reduction is confirmed', async (t) => {
  t.same(limits(garage, state([charging(32), charging(0)])), [
    [16, true, 'circuit'],
    [0, false, 'waiting'],
  ]);
  const accepted: Standing = { ...charging(32).standing, accepted: { amps: 16, at: 99_000 } };
  t.same(limits(garage, state([charging(32, { standing: accepted }), charging(0)])), [
    [16, false, 'circuit'],
    [0, false, 'waiting'],
  ]);
  t.same(limits(garage, state([charging(16), charging(0)])), [
    [16, false, 'circuit'],
    [8, true, 'waiting'],
  ]);
});

void t.test('counts an offline station at its last limit', async (t) => {
  t.same(limits(garage, state([charging(20, { isOnline: false }), charging(0)])), [
    [20, false, 'offline'],
    [8, true, 'waiting'],
  ]);
  const reached = charging(12);
  t.same(limits(garage, state([charging(20, { isOnline: false }), reached]))[1], [12, false, 'circuit']);
});

void t.test('counts a station that was set aside at its maximum', async (t) => {
  const aside = charging(6, { standing: { ...charging(6).standing, isSetAside: true } });
  t.same(limits(garage, state([aside, charging(12)])), [
    [0, true, 'set-aside'],
    [0, true, 'paused'],
  ]);
});

void t.test('raises nothing after a restart until all limits are confirmed', async (t) => {
  const site = siteOf(
    ['a', 'b', 'c'].map((id) => connector(id)),
    circuit('grid', 200),
  );
  const unknown = charging(0, { standing: unknownStanding });
  t.same(limits(site, state([unknown, charging(8), charging(8)])), [
    [0, true, 'unconfirmed'],
    [8, false, 'waiting'],
    [8, false, 'waiting'],
  ]);
  const drawing = charging(0, { standing: { ...unknownStanding, reading: { amps: 13.24, at: 99_000 } } });
  t.same(limits(site, state([drawing, charging(8), charging(8)]))[0], [13.2, true, 'unconfirmed']);
});

void t.test('makes room for a station that does not answer', async (t) => {
  const silent = charging(20, { standing: { ...charging(20).standing, accepted: null } });
  t.same(limits(garage, state([silent, charging(16)])), [
    [0, true, 'unconfirmed'],
    [12, true, 'circuit'],
  ]);
});

void t.test('makes room for a station that draws more than its limit, before it is set aside', async (t) => {
  const { standing } = charging(0);
  const reading = { amps: 31, at: 95_000 };
  const drawing = (at: number) =>
    charging(0, { standing: { ...standing, accepted: { amps: 0, at }, reading } });
  t.same(limits(garage, state([drawing(89_000), charging(16)]))[1], [0, true, 'paused']);
  t.same(limits(garage, state([drawing(70_000), charging(0)]))[0], [0, false, 'unconfirmed'], 'not raised');
  t.same(limits(garage, state([drawing(94_000), charging(16)]))[1]?.[1], false, 'its car may still follow');
});

const metered = (measures: 'other' | 'total') =>
  siteOf(
    [connector('a'), connector('b')],
    circuit('grid', 50, {
      other: { kind: 'metered', measures, worstAmps: [40, 40, 40] } satisfies OtherLoad,
    }),
  );

void t.test('reduces at once when another load grows', async (t) => {
  const meters = new Map([['grid', { amps: [30, 10, 10] as const, at: 99_000 }]]);
  t.same(limits(metered('other'), state([charging(20), charging(20)], { meters })), [
    [10, true, 'circuit'],
    [10, true, 'circuit'],
  ]);
});

const read = (amps: number) =>
  charging(amps, { standing: { ...charging(amps).standing, reading: { amps, at: 99_000 } } });

void t.test('subtracts measured charging from a meter of the total', async (t) => {
  const meters = new Map([['grid', { amps: [50, 50, 50] as const, at: 99_500 }]]);
  // 50 A less two readings of 20 A, each with 1 A of tolerance.
  const plan = planSite(metered('total'), state([read(20), read(20)], { meters }), defaultSettings);
  t.equal(plan.lines[0]?.amps, 38);
});

const planned = (now: number, total: number, otherHistory: SiteState['otherHistory']) => {
  const meters = new Map([['grid', { amps: [total, total, total] as const, at: now }]]);
  return planSite(
    metered('total'),
    state([charging(0), charging(0)], { now, meters, otherHistory }),
    defaultSettings,
  );
};

void t.test('holds the highest calculated load, because readings of stations may be old', async (t) => {
  const first = planned(100_000, 30, new Map());
  const second = planned(110_000, 10, first.otherHistory);
  const third = planned(116_000, 10, second.otherHistory);
  t.same(
    [first, second, third].map(({ lines }) => lines[0]?.amps),
    [20, 20, 40],
  );
});

void t.test('assumes the worst load when the meter is lost or not credible', async (t) => {
  for (const meters of [
    new Map(),
    new Map([['grid', { amps: [1, 1, 1] as const, at: 80_000 }]]),
    new Map([['grid', { amps: [6900, 6900, 6900] as const, at: 99_000 }]]),
  ]) {
    const plan = planSite(metered('other'), state([charging(10), charging(0)], { meters }), defaultSettings);
    t.same(plan.lostMeters, ['grid']);
    t.equal(plan.lines[0]?.amps, 10);
  }
});

void t.test('a lost meter, or a single low reading, frees no current that other loads had', async (t) => {
  for (const measures of ['other', 'total'] as const) {
    const cycle = (now: number, amps: number | null, otherHistory: SiteState['otherHistory']) => {
      const reading = [amps ?? 0, amps ?? 0, amps ?? 0] as const;
      const meters = new Map(amps === null ? [] : [['grid', { amps: reading, at: now }]]);
      return planSite(
        metered(measures),
        state([charging(0), charging(0)], { now, meters, otherHistory }),
        defaultSettings,
      );
    };
    const high = cycle(100_000, 45, new Map());
    const low = cycle(101_000, 0, high.otherHistory);
    t.equal(low.lines[0]?.amps, high.lines[0]?.amps, `${measures}: a low reading`);
    const lost = cycle(130_000, null, low.otherHistory);
    t.equal(
      lost.lines[0]?.amps,
      high.lines[0]?.amps,
      `${measures}: no reading, after more than the highest load`,
    );
    const back = cycle(131_000, 5, lost.otherHistory);
    t.equal(back.lines[0]?.amps, 45, `${measures}: the meter is back`);
  }
});

void t.test('applies external bounds to a connector and to charging at a circuit', async (t) => {
  const site = siteOf([connector('a'), connector('b')], circuit('grid', 100));
  const bounds: SiteState['bounds'] = [
    { source: 'grid-operator', target: { connectorId: 'a' }, amps: [6, 6, 6] },
    { source: 'solar', target: { circuitId: 'grid' }, amps: [20, 20, 20] },
  ];
  t.same(limits(site, state([charging(6), charging(14)], { bounds })), [
    [6, false, 'bound'],
    [14, false, 'circuit'],
  ]);
});

void t.test('does not lower a limit for fairness more than once in the interval', async (t) => {
  const [first, second] = [charging(20, { changedAt: 90_000 }), charging(12, { changedAt: 0 })];
  t.same(limits(garage, state([first, second]))[0], [20, false, 'circuit']);
  t.same(limits(garage, state([first, second], { now: 125_000 }))[0], [16, true, 'circuit']);
});

const amps = fc.integer({ min: 0, max: 320 }).map((tenth) => tenth / 10);
const time = fc.integer({ min: 0, max: 100_000 });
const timed = fc.option(fc.record({ amps, at: time }));
const standings: fc.Arbitrary<Standing> = fc.record({
  inForce: fc.option(amps, { freq: 6 }),
  pending: timed,
  accepted: timed,
  reading: timed,
  fallback: fc.option(amps, { freq: 6 }),
  rejections: fc.nat(4),
  isSetAside: fc.boolean(),
});
const connectors = fc.array(
  fc.record({
    isOnline: fc.boolean(),
    demand: fc.option(
      fc.record({
        arrivedAt: time,
        priority: fc.integer({ min: 1, max: 5 }),
        departsAt: fc.option(time),
        neededWh: fc.option(fc.nat(50_000)),
        mode: fc.record({ kind: fc.constantFrom('charging' as const, 'paused' as const), since: time }),
      }),
    ),
    standing: standings,
    drawnPhases: fc.constant(null),
    changedAt: fc.option(time),
  }),
  { minLength: 10, maxLength: 10 },
);

void t.test('raises no limit beyond what every circuit carries, for any state of any site', (t) => {
  const delivered = fc.array(fc.boolean(), { minLength: 10, maxLength: 10 });
  const holds = fc.property(
    sites,
    connectors,
    fc.constantFrom(...strategies),
    delivered,
    delivered,
    (site, all, strategy, arrives, draws) => {
      const own = all.slice(0, site.connectors.length);
      const plan = planSite(site, state(own), { ...defaultSettings, strategy });
      const after = plan.decisions.map(({ amps, send, boundAmps }, index) =>
        // A reduction may be lost. Each raise may arrive, and a car may draw less.
        draws[index] === true ? 0 : send && arrives[index] === true ? Math.max(amps, boundAmps) : boundAmps,
      );
      for (const { id, amps: limits, other } of site.circuits) {
        const load = other.kind === 'fixed' ? other.amps : [0, 0, 0];
        for (const [phase, value] of measuredAmps(site, id, after).entries()) {
          const limit = (limits[phase] ?? 0) - (load[phase] ?? 0);
          const carried =
            plan.lines.find((line) => line.circuitId === id && line.phase === phase)?.boundAmps ?? 0;
          assert(value <= Math.max(limit, carried) + 1e-3, `${id} carries ${value} A of ${limit} A`);
        }
      }
    },
  );
  fc.assert(holds, { numRuns: 500 });
  t.end();
});

void t.test('pauses fairly: a paused car starts when a turn ends', async (t) => {
  const small = siteOf([connector('a'), connector('b')], circuit('grid', 10));
  const paused = charging(0, { demand: demand({ mode: { kind: 'paused', since: 0 } }) });
  t.same(limits(small, state([charging(10), paused], { now: 899_000 }))[0], [10, false, 'circuit']);
  t.same(limits(small, state([charging(10), paused], { now: 901_000 }))[0], [0, true, 'paused']);
});
