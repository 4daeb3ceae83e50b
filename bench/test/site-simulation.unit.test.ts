import t from 'tap';
import { SiteSimulation } from '#bench/sites/site-simulation.ts';

/** Faults of a week in two hours. */
const dense = {
  loss: 0.05,
  late: 0.05,
  offline: 1 / 1200,
  ignores: 1 / 20_000,
  kill: 1 / 900,
  meterLost: 1 / 1800,
};

void t.test('no line exceeds its limit whatever is lost, late, offline, ignored or killed', async (t) => {
  const report = new SiteSimulation({ seed: 8, stations: 12, faults: dense }).run(7200);
  t.same(report.violations, []);
  for (const [what, count] of Object.entries(report.counts)) t.ok(count > 0, what);
  t.ok(report.deliveredWh > 20_000, 'cars charge');
});

void t.test('the electrical model reports wires that carry less than the site states', async (t) => {
  const report = new SiteSimulation({ seed: 7, stations: 12, faults: dense, wired: 0.7 }).run(1800);
  t.ok(report.violations.length > 0);
});
