import type { Outcome, Scenario } from '#bench/scenarios/scenario.ts';
import { graceSeconds, type SimulationReport } from '#bench/sites/simulation-report.ts';
import { SiteSimulation } from '#bench/sites/site-simulation.ts';

/** Stations of the simulated site. */
const stations = 12;

/** Seconds above a limit at a simulated site with faults. `--duration` is simulated seconds: 86400 for a day. */
export const loadInvariant: Scenario = {
  name: 'load-invariant',
  describe: 'seconds above a limit at a simulated site with lost messages and other faults',
  defaults: { duration: 259_200 },
  run(bench): Promise<Outcome> {
    const { load } = bench;
    const simulation = new SiteSimulation({ seed: load.seed, stations });
    for (let done = 0; done < load.duration; done += 3600) {
      bench.progress(`hour ${done / 3600}`);
      simulation.run(Math.min(3600, load.duration - done));
    }
    const {
      seconds,
      violations,
      excusedSeconds,
      hiddenSeconds,
      takeoverSeconds,
      exhaustedSeconds,
      blindSeconds,
      counts,
      ...energy
    } = simulation.report;
    const subject = `site of ${stations} stations`;
    const values: [what: string, value: number, unit: string][] = [
      ['simulated time', seconds / 86_400, 'days'],
      ['above a limit', violations.length, 'line-seconds'],
      [`above a limit within ${graceSeconds} s of a step of another load`, excusedSeconds, 's'],
      ['above a limit while no process controlled the site and another load grew', takeoverSeconds, 's'],
      ['above a limit by a station that ignores it, on a line without a meter', hiddenSeconds, 's'],
      [
        'above a limit by loads that are not controlled, with all others at their fallback',
        exhaustedSeconds,
        's',
      ],
      ['above a limit by a load that grew after the last reading of a lost meter', blindSeconds, 's'],
      ['delivered', energy.deliveredWh / 1000, 'kWh'],
      ...Object.entries(counts).map(([what, count]): [string, number, string] => [
        countNames[what as keyof typeof counts],
        count,
        '',
      ]),
    ];
    return Promise.resolve({
      measurements: values.map(([what, value, unit]) => ({ subject, what, value, unit })),
      ratios: [
        {
          what: 'line-seconds above a limit that no rule excuses',
          value: violations.length,
          goal: { atMost: 0 },
        },
      ],
      notes: [
        'An electrical model with one second per step, unrelated to the calculations of the product, runs its controller.',
        'Stations: profiles of a session, default profiles on one and two levels, and maximum profiles. Clocks are wrong by up to 20 s.',
      ],
    });
  },
};

const countNames: Record<keyof SimulationReport['counts'], string> = {
  sessions: 'sessions',
  messages: 'profiles sent',
  lost: 'profiles or answers lost',
  late: 'profiles late by 2 to 15 s',
  offline: 'stations offline',
  ignores: 'stations that began to ignore limits',
  kills: 'kills of the controller',
  meterLosses: 'meter losses',
  steps: 'steps of the building',
};
