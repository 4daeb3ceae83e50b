import {
  acnLoad,
  acnSessions,
  acnSite,
  maxCarAmps,
  periodMinutes,
  published,
  ratings,
  type ReplayedSession,
} from '#bench/sites/acn.ts';
import type { Outcome, Scenario } from '#bench/scenarios/scenario.ts';
import { allocate } from '#shared/domain/load/allocate.ts';
import type { Demand, Strategy } from '#shared/domain/load/demand.ts';
import { linesOf } from '#shared/domain/load/lines.ts';
import { defaultSettings } from '#shared/domain/load/plan.ts';
import type { Site } from '#shared/domain/load/site.ts';

/** Allocation that is compared. */
interface Replay {
  name: string;
  strategy: Strategy;
  knowsDepartures: boolean;
}

const estimated: Replay = {
  name: 'energy need, departures unknown',
  strategy: 'energy-need',
  knowsDepartures: false,
};
const known: Replay = {
  name: 'energy need, departures known',
  strategy: 'energy-need',
  knowsDepartures: true,
};

const replays: readonly Replay[] = [
  { name: 'first come', strategy: 'first-come', knowsDepartures: false },
  { name: 'equal', strategy: 'equal', knowsDepartures: false },
  { name: 'earliest deadline', strategy: 'earliest-deadline', knowsDepartures: true },
  { name: 'least laxity', strategy: 'least-laxity', knowsDepartures: true },
  estimated,
  known,
];

/** Replays a month of real sessions through the allocation, with 27 ratings of the transformer. */
export const loadQuality: Scenario = {
  name: 'load-quality',
  describe:
    'share of the requested energy that strategies of load management deliver, in a month of real sessions',
  run(bench): Promise<Outcome> {
    const sessions = acnSessions();
    const results = replays.map((replay) => {
      bench.progress(replay.name);
      return {
        replay,
        points: ratings.map((rating) => [rating, deliveredShare(replay, rating, sessions)] as const),
      };
    });
    const measured = results.map(({ replay: { name }, points }) => ({
      name,
      mean: points.reduce((sum, [, share]) => sum + share, 0) / points.length,
      tightest: points[0]?.[1] ?? 0,
    }));
    const of = ({ name }: Replay) => measured.find((row) => row.name === name) ?? { mean: 0, tightest: 0 };
    return Promise.resolve({
      measurements: [...measured, ...published].flatMap(({ name, mean, tightest }) => [
        { subject: 'mean of 27 ratings', what: name, value: mean, unit: '%' },
        { subject: 'tightest rating', what: name, value: tightest, unit: '%' },
      ]),
      ratios: [
        { what: 'mean in percent, departures unknown', value: of(estimated).mean, goal: { atLeast: 93.3 } },
        { what: 'mean in percent, departures known', value: of(known).mean, goal: { atLeast: 94.8 } },
        { what: 'tightest in percent, departures known', value: of(known).tightest, goal: { atLeast: 50 } },
      ],
      series: results.map(({ replay: { name }, points }) => ({
        name,
        x: 'rating, kW',
        y: 'delivered, %',
        points: points.map(([rating, share]) => [rating, share]),
      })),
      notes: [
        `${sessions.length} sessions at ${acnSite(10).connectors.length} stations. Each period was checked against the limits of the network.`,
      ],
    });
  },
};

/** Session during the replay. */
interface Car extends ReplayedSession {
  /** Current that would deliver the rest within one period, in ampere. */
  missingAmps: number;
}

const kwhPerAmp = (208 / 1000) * (periodMinutes / 60);

/** Returns the delivered share of all requested energy in percent. */
function deliveredShare(replay: Replay, rating: number, sessions: readonly ReplayedSession[]): number {
  const site = acnSite(rating);
  const drawnPhases = site.connectors.map(() => null);
  const lines = linesOf(site, { localMinute: 0, otherAmps: new Map(), drawnPhases });
  const cars: Car[] = sessions.map((session) => ({
    ...session,
    missingAmps: session.requestedKwh / kwhPerAmp,
  }));
  const end = Math.max(...cars.map(({ departure }) => departure));
  let next = 0;
  let present: Car[] = [];
  for (let period = 0; period < end; period += 1) {
    while ((cars[next]?.arrival ?? Infinity) <= period) present.push(...cars.slice(next, (next += 1)));
    present = present.filter(({ departure, missingAmps }) => departure > period && missingAmps > 1e-6);
    if (present.length === 0) continue;
    const amps = shareOf(site, lines, replay, present, period);
    if (acnLoad(rating, amps) > 1 + 1e-6) throw new Error(`A limit was exceeded in period ${period}.`);
    for (const car of present) car.missingAmps -= Math.min(car.missingAmps, amps[car.connector] ?? 0);
  }
  const missing = cars.reduce((sum, car) => sum + car.missingAmps, 0) * kwhPerAmp;
  const requested = cars.reduce((sum, car) => sum + car.requestedKwh, 0);
  return 100 * (1 - missing / requested);
}

const toMs = (periods: number): number => periods * periodMinutes * 60_000;

function shareOf(
  site: Site,
  lines: ReturnType<typeof linesOf>,
  { strategy, knowsDepartures }: Replay,
  present: readonly Car[],
  period: number,
): number[] {
  const demands: (Demand | null)[] = site.connectors.map(() => null);
  const caps = site.connectors.map(() => 0);
  for (const { connector, arrival, departure, missingAmps } of present) {
    caps[connector] = Math.min(maxCarAmps, missingAmps);
    demands[connector] = {
      arrivedAt: toMs(arrival),
      priority: 1,
      departsAt: knowsDepartures ? toMs(departure) : null,
      neededWh: missingAmps * kwhPerAmp * 1000,
      mode: { kind: 'charging', since: toMs(arrival) },
    };
  }
  const from = site.connectors.map(() => 0);
  const now = toMs(period);
  return allocate({
    connectors: site.connectors,
    lines,
    from,
    caps,
    demands,
    strategy,
    now,
    times: { ...defaultSettings.times, minOn: 0 },
  }).map(({ amps }) => amps);
}
