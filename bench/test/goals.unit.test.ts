import t from 'tap';
import type { Report } from '#bench/report/report.ts';
import type { Ratio } from '#bench/scenarios/scenario.ts';
import { goalsTable } from '#bench/report/goals.ts';

function reportOf(scenario: string, ratios: Ratio[]): [string, Report] {
  return [scenario, { scenario, ratios } as Report];
}

function single(name: string, value: number): Ratio {
  return {
    what: `${name}: requests per second by the same statement in bare Fastify`,
    value,
    goal: { atLeast: 0.4 },
  };
}

void t.test('shows a row for each goal, and one for the reads of a group at the largest data', async (t) => {
  const reports = new Map([
    reportOf('api-reads', [
      {
        ...single('charger, operator', 0.01),
        what: 'charger: requests per second by the same statement in bare Fastify, 200 sessions',
      },
      single('charger, operator', 0.5),
      single('token, operator', 0.2),
      single('driver, operator', 0.45),
      {
        what: '50 chargers: requests per second by the same statement in bare Fastify',
        value: 0.7,
        goal: { atLeast: 0.6 },
      },
      {
        what: 'readings of a session: requests per second by the same statement in bare Fastify',
        value: 0.3,
      },
    ]),
    reportOf('idle', [
      { what: 'memory by the floor', value: 1.2, goal: { atMost: 1.5 } },
      { what: 'without a goal', value: 9 },
    ]),
  ]);
  t.same(goalsTable(reports).slice(2), [
    '| single records, requests per second by the same statement in bare Fastify: lowest, median, highest ([api-reads](api-reads.md)) | 0.2, 0.45, 0.5 | at least 0.4 | missed by 1 of 3 |',
    '| lists, requests per second by the same statement in bare Fastify: lowest, median, highest ([api-reads](api-reads.md)) | 0.7, 0.7, 0.7 | at least 0.6 | met |',
    '| memory by the floor ([idle](idle.md)) | 1.2 | at most 1.5 | met |',
  ]);
});
