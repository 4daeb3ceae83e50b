import { areRechecksDue } from '#shared/postgres/charging/signature-rechecks.ts';
import { isPricingDue } from '#shared/postgres/charging/pending-costs.ts';
import { removeOldReceipts } from '#shared/postgres/charging/reading-receipts.ts';
import { areStartsExpired, expireRemoteStarts } from '#shared/postgres/charging/remote-starts.statements.ts';
import { areReservationsOver } from '#shared/postgres/charging/reservation-records.ts';
import { doSessionsRun, removeOldChecks } from '#shared/postgres/charging/session-limits.statements.ts';
import { recheckAllSignatures } from '#shared/postgres/charging/session-writes/signatures.ts';
import { releaseExpiredHolds } from '#shared/postgres/money/wallet-holds.ts';
import type { Job, JobDeps } from './job.ts';
import { rollUpChangedDays } from './reading-rollup.job.ts';
import { endReservations } from './reservation-expiry.ts';
import { dropPastPartitions } from './retention.job.ts';
import { closeAbandonedSessions } from './session-closer.ts';
import { pricePendingSessions } from './session-pricer.ts';
import { stopSessionsOverLimit } from './session-watchdog.ts';
import { showRunningCosts } from './shown-costs.job.ts';
import { updateStationTariffs } from './station-tariffs.job.ts';

/** Jobs of sessions, remote starts, reservations and readings. Any number of processes run each of them. */
export function chargingJobs(deps: JobDeps): Job[] {
  const { sql, longJobs } = deps;
  return [
    {
      name: 'session-pricer',
      every: 1000,
      due: isPricingDue,
      run: (stopping) => pricePendingSessions(deps, undefined, stopping),
    },
    { name: 'session-watchdog', every: 3000, due: doSessionsRun, run: () => stopSessionsOverLimit(deps) },
    { name: 'shown-costs', every: 10_000, due: doSessionsRun, run: () => showRunningCosts(deps) },
    {
      name: 'station-tariffs',
      every: 60_000,
      oncePer: 'installation',
      run: (stopping) => updateStationTariffs(deps, stopping),
    },
    {
      name: 'session-closer',
      every: 30_000,
      run: (stopping) => closeAbandonedSessions(sql, undefined, stopping),
    },
    {
      name: 'reservation-expiry',
      every: 5000,
      due: areReservationsOver,
      run: (stopping) => endReservations(deps, stopping),
    },
    {
      name: 'remote-start-expiry',
      every: 5000,
      due: areStartsExpired,
      run: () => expireRemoteStarts(sql),
      done: 'remote starts expired: their chargers reported no session',
    },
    { name: 'hold-expiry', every: 30_000, run: () => releaseExpiredHolds(sql) },
    {
      name: 'signature-rechecks',
      every: 10_000,
      due: areRechecksDue,
      run: (stopping) => recheckAllSignatures(sql, stopping),
    },
    { name: 'reading-rollup', every: 60_000, run: (stopping) => rollUpChangedDays(deps, stopping) },
    { name: 'limit-check-retention', every: 600_000, run: () => removeOldChecks(sql) },
    {
      name: 'reading-receipts',
      every: 3_600_000,
      oncePer: 'installation',
      run: (stopping) => removeOldReceipts(longJobs.sql, stopping),
    },
    {
      name: 'reading-retention',
      every: 3_600_000,
      oncePer: 'installation',
      run: () => dropPastPartitions(deps),
    },
  ];
}
