import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import t from 'tap';
import { allocate } from '#shared/domain/load/allocate.ts';
import { type Demand, strategies } from '#shared/domain/load/demand.ts';
import { linesOf } from '#shared/domain/load/lines.ts';
import { defaultSettings } from '#shared/domain/load/plan.ts';
import type { Site } from '#shared/domain/load/site.ts';
import { circuit, connector, demand, measuredAmps, siteOf, sites } from './support/load-sites.ts';

const minute = 60_000;

function shares(
  site: Site,
  demands: readonly (Demand | null)[],
  changes: Partial<Parameters<typeof allocate>[0]> = {},
) {
  const drawnPhases = site.connectors.map(() => null);
  return allocate({
    connectors: site.connectors,
    lines: linesOf(site, { localMinute: 0, otherAmps: new Map(), drawnPhases }),
    from: site.connectors.map(() => 0),
    caps: site.connectors.map(({ maxAmps }) => maxAmps),
    demands,
    strategy: 'equal',
    now: 0,
    times: defaultSettings.times,
    ...changes,
  });
}

const round = (values: readonly { amps: number }[]) =>
  values.map(({ amps }) => Math.round(amps * 1000) / 1000);

void t.test('shares a full circuit equally, and gives the rest of a small car to the others', async (t) => {
  const site = siteOf(
    ['a', 'b', 'c'].map((id) => connector(id)),
    circuit('grid', 35),
  );
  t.same(round(shares(site, [demand(), demand(), demand()])), [11.667, 11.667, 11.667]);
  t.same(round(shares(site, [demand(), demand(), demand()], { caps: [7, 32, 32] })), [7, 14, 14]);
});

void t.test('limits only cars on the full phase', async (t) => {
  const site = siteOf(
    [
      connector('a', { rotation: ['R'] }),
      connector('b', { rotation: ['R'] }),
      connector('c', { rotation: ['S'] }),
    ],
    circuit('grid', 32),
  );
  const result = shares(site, [demand(), demand(), demand()]);
  t.same(round(result), [16, 16, 32]);
  t.match(result[0]?.boundBy, { circuitId: 'grid', phase: 0 });
  t.equal(result[2]?.boundBy, null);
});

void t.test('shares by weight with the strategy priority', async (t) => {
  const site = siteOf([connector('a'), connector('b')], circuit('grid', 40));
  const cars = [demand({ priority: 3 }), demand({ priority: 1 })];
  // Both have their minimum first.
  t.same(round(shares(site, cars, { strategy: 'priority' })), [27, 13]);
});

void t.test('serves the car that departs first', async (t) => {
  const site = siteOf([connector('a'), connector('b')], circuit('grid', 40));
  const cars = [demand({ departsAt: 90 * minute }), demand({ departsAt: 30 * minute })];
  t.same(round(shares(site, cars, { strategy: 'earliest-deadline' })), [8, 32]);
});

void t.test('pauses cars below 6 A, and rotates the pauses', async (t) => {
  const site = siteOf(
    ['a', 'b', 'c'].map((id) => connector(id)),
    circuit('grid', 13),
  );
  const cars = [
    demand({ mode: { kind: 'charging', since: 0 } }),
    demand({ mode: { kind: 'charging', since: 10 * minute } }),
    demand({ mode: { kind: 'paused', since: 0 } }),
  ];
  const at = (minutes: number) => round(shares(site, cars, { now: minutes * minute }));
  t.same(at(12), [6.5, 6.5, 0], 'a car keeps its turn');
  t.same(at(16), [0, 6.5, 6.5], 'the car that paused the longest follows');
});

void t.test('keeps a car charging for the minimum on-time', async (t) => {
  const site = siteOf([connector('a'), connector('b')], circuit('grid', 10));
  const cars = [
    demand({ priority: 1, mode: { kind: 'charging', since: 0 } }),
    demand({ priority: 9, mode: { kind: 'paused', since: 0 } }),
  ];
  const at = (minutes: number) => round(shares(site, cars, { strategy: 'priority', now: minutes * minute }));
  t.same(at(4), [10, 0]);
  t.same(at(6), [0, 10]);
});

const pair = (id: string, rotation: ['R', 'S'] | ['S', 'T'] | ['T', 'R']) =>
  connector(id, { rotation, connection: 'line-to-line', voltage: 208, minAmps: 0 });

void t.test('gives needed energy the same room on each pair of phases', async (t) => {
  const site = siteOf(
    [pair('a', ['R', 'S']), pair('b', ['R', 'S']), pair('c', ['S', 'T']), pair('d', ['T', 'R'])],
    circuit('grid', 30),
  );
  const cars = site.connectors.map(() => demand({ neededWh: 30_000 }));
  const amps = shares(site, cars, { strategy: 'energy-need' }).map((share) => share.amps);
  // Balanced pairs carry 30 / sqrt(3) each.
  t.same(
    amps.map((value) => Math.round(value * 100) / 100),
    [8.66, 8.66, 17.32, 17.32],
  );
});

void t.test('never exceeds a limit, and gives each car nothing or its minimum', (t) => {
  const demands = fc.array(
    fc.option(
      fc.record({
        arrivedAt: fc.nat(1000),
        priority: fc.integer({ min: 1, max: 9 }),
        departsAt: fc.option(fc.nat(10 * 60 * minute)),
        neededWh: fc.option(fc.nat(60_000)),
        mode: fc.record({
          kind: fc.constantFrom('charging' as const, 'paused' as const),
          since: fc.nat(1000),
        }),
      }),
    ),
    { minLength: 10, maxLength: 10 },
  );
  const onOff = fc.array(fc.boolean(), { minLength: 10, maxLength: 10 });
  const holds = fc.property(
    sites,
    demands,
    fc.constantFrom(...strategies),
    onOff,
    (site, cars, strategy, draws) => {
      const result = shares(
        site,
        site.connectors.map((_, index) => cars[index] ?? null),
        { strategy, now: 1000 },
      );
      // A car may draw less than its limit.
      const amps = result.map((share, index) => (draws[index] === true ? share.amps : 0));
      for (const { id, amps: limits } of site.circuits) {
        for (const [phase, value] of measuredAmps(site, id, amps).entries()) {
          assert((limits[phase] ?? 0) + 1e-3 >= value, `${id} carries ${value} A on phase ${phase}`);
        }
      }
      for (const [index, { minAmps }] of site.connectors.entries()) {
        const own = result[index]?.amps ?? 0;
        assert(own === 0 || own >= minAmps);
      }
    },
  );
  fc.assert(holds, { numRuns: 300 });
  t.end();
});
