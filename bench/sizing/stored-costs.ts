import { measured, type Reports } from '#bench/report/reports.ts';
import { byRole, type FleetCosts } from './costs.ts';
import { readFittedCosts } from './fitted-costs.ts';

/** Roles of one process that are measured as another of the split topology. */
const allInOne = { gateway: 'product', PostgreSQL: 'PostgreSQL', ClickHouse: 'ClickHouse' } as const;

/** Scenarios whose reports have the costs. */
export const costScenarios = ['scale-out', 'idle', 'sessions', 'ingest-growth', 'year-of-sessions'] as const;

/** Joins the costs of stored reports; null while one of them is missing. */
export function readCosts(reports: Reports): FleetCosts | null {
  const fitted = readFittedCosts(reports.get('scale-out')?.measurements ?? []);
  if (fitted === null || costScenarios.some((name) => !reports.has(name))) return null;
  const last = /^[\d,]+ rows$/;
  const lastRows = reports
    .get('ingest-growth')
    ?.measurements.map(({ subject }) => subject)
    .findLast((subject) => last.test(subject));
  const disk = (what: string): number => measured(reports, 'ingest-growth', lastRows ?? '', what) ?? 0;
  const session = (role: string): number =>
    (measured(reports, 'sessions', 'all-in-one', `CPU of ${role} for a session`) ?? 0) / 1000;
  return {
    ...fitted,
    sessionCpu: byRole((role) => (role in allInOne ? session(allInOne[role as keyof typeof allInOne]) : 0)),
    // Of the idle scenario: a gateway at work has free memory that stations may take without growth.
    stationBytes: (measured(reports, 'idle', 'gateway', 'memory for a connection') ?? 0) * 1024,
    readingDisk: disk('disk for a reading'),
    callDisk: disk('disk for a call in the message log'),
    sessionDisk: measured(reports, 'year-of-sessions', 'value', 'disk for a session') ?? 0,
  };
}
