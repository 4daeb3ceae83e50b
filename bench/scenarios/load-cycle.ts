import { busyState, madeSite } from '#bench/sites/made-site.ts';
import type { Outcome, Scenario } from '#bench/scenarios/scenario.ts';
import { strategies } from '#shared/domain/load/demand.ts';
import { defaultSettings, planSite } from '#shared/domain/load/plan.ts';

const size = { sites: 1000, connectors: 50 };

/** CPU of one planning cycle over many sites, for each strategy. */
export const loadCycle: Scenario = {
  name: 'load-cycle',
  describe: 'CPU of one cycle of load management over 1,000 sites of 50 connectors',
  run(bench): Promise<Outcome> {
    const otherHistory = new Map();
    const now = Date.UTC(2026, 0, 1);
    const sites = Array.from({ length: size.sites }, (_, index) =>
      madeSite(`site-${index}`, size.connectors),
    );
    const seconds = strategies.map((strategy) => {
      bench.progress(strategy);
      const settings = { ...defaultSettings, strategy };
      const cycle = (): number => {
        const before = process.cpuUsage();
        for (const [number, site] of sites.entries()) {
          const connectors = site.connectors.map((_, index) => busyState(index + number, now));
          const meters = new Map([['grid', { amps: [20, 25, 30] as const, at: now - 500 }]]);
          planSite(site, { now, localMinute: 600, connectors, meters, otherHistory, bounds: [] }, settings);
        }
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1_000_000;
      };
      cycle();
      return { strategy, cpu: Math.min(cycle(), cycle(), cycle()) };
    });
    const slowest = Math.max(...seconds.map(({ cpu }) => cpu));
    return Promise.resolve({
      measurements: seconds.map(({ strategy, cpu }) => ({
        subject: 'CPU for one cycle',
        what: strategy,
        value: cpu,
        unit: 's',
      })),
      ratios: [
        {
          what: 'CPU seconds for 1,000 sites of 50 connectors, slowest strategy',
          value: slowest,
          goal: { atMost: 1 },
        },
      ],
      notes: ['A cycle calculates lines, targets, raises and reasons. It starts from new states each time.'],
    });
  },
};
