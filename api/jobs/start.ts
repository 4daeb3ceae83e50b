import type { ApiDeps } from '#api/services/deps.ts';
import { queueCancellations } from '#api/services/roaming/commands/notify.ts';
import { queueChangedProfiles } from '#api/services/roaming/profiles/push.ts';
import { pushPolicy } from '#shared/domain/roaming/ocpi-push.ts';
import type { Logger } from '#shared/log/log.ts';
import { isPricingDue } from '#shared/postgres/charging/pending-costs.ts';
import { areRechecksDue } from '#shared/postgres/charging/signature-rechecks.ts';
import { areStartsExpired } from '#shared/postgres/charging/remote-starts.ts';
import { areReservationsOver } from '#shared/postgres/charging/reservation-records.ts';
import { areBulkJobsDue } from '#shared/postgres/commands/bulk-job-work.ts';
import { areTokenChangesDue } from '#shared/postgres/commands/token-holders.ts';
import { hasEvents } from '#shared/postgres/kernel/outbox.ts';
import { areLogRowsWaiting } from '#shared/postgres/kernel/waiting-log-rows.ts';
import { areWebhooksDue } from '#shared/postgres/events/webhook-lanes.ts';
import { areExportsDue } from '#shared/postgres/reporting/export-work.ts';
import { isCdrDue } from '#shared/postgres/roaming/cdrs.ts';
import { arePushesDue } from '#shared/postgres/roaming/ocpi-pushes.ts';
import { areProfilesDue } from '#shared/postgres/roaming/ocpi-profiles.ts';
import { removeOldChecks } from '#shared/postgres/charging/session-limits.ts';
import { makeDueCdrs } from './cdrs.ts';
import { cleanupJobs } from './cleanup-jobs.ts';
import { type DueJob, runWhenDue } from './due-jobs.ts';
import { pullHubClients, pullTokens } from '#api/services/roaming/pulled-lists.ts';
import { areCancellationsDue } from '#shared/postgres/roaming/ocpi-commands.ts';
import { expireExportFiles, exportWorker } from './exports.ts';
import { releaseExpiredHolds } from './hold-expiry.ts';
import { isDeliveryDue } from '#shared/postgres/fleet/alert-notifications.ts';
import { sendAlerts, watchForAlerts } from './alerts.ts';
import { HourlyJobs } from './hourly-jobs.ts';
import { forgetAnswers } from './idempotency-expiry.ts';
import { startMailing } from './mails.ts';
import { startOcpiCommands } from './ocpi-commands.ts';
import { renewExpiringTokens } from './ocpi-token-renewal.ts';
import { BulkJobWorker } from './bulk-jobs.ts';
import { Pusher } from './ocpi-pusher.ts';
import { WebhookDeliverer } from './webhook-deliverer.ts';
import { runPeriodically } from './periodic.ts';
import { endRemoteStarts } from './remote-start-expiry.ts';
import { endReservations } from './reservation-expiry.ts';
import { startScheduledCharges } from './scheduled-charges.ts';
import { closeAbandonedSessions } from './session-closer.ts';
import { rollUpChangedDays } from './reading-rollup.ts';
import { sessionFactSender } from './session-facts.ts';
import { pricePendingSessions } from './session-pricer.ts';
import { stopSessionsOverLimit } from './session-watchdog.ts';
import { showRunningCosts } from './shown-costs.ts';
import { reportUnreadableSecrets, sealSecrets } from './secret-sealing.ts';
import { recheckSessions } from './signature-rechecks.ts';
import { TokenChangeSender } from './pending-token-changes.ts';
import { sendWaitingLogs } from './waiting-logs.ts';

/** Interval in ms at which pushes are looked for although the search found none. */
const pushSweepMs = 60_000;

/** Background work in progress. */
export interface Jobs {
  /** Starts nothing more, lets what is running end early, and resolves when it has. */
  stop(): Promise<void>;
}

/**
 * Starts the background work of an API process. Any number of processes do the same work side by side.
 * @param longJobs pools for statements that take minutes.
 */
export async function startJobs(
  deps: ApiDeps & { log: Logger },
  longJobs: Pick<ApiDeps, 'sql' | 'staleReads'>,
): Promise<Jobs> {
  const { sql } = deps;
  const { everyMs: pushEveryMs } = pushPolicy;
  const pusher = new Pusher(deps, { ...pushPolicy, everyMs: pushSweepMs });
  const webhooks = new WebhookDeliverer(deps);
  const exports = exportWorker(deps, longJobs);
  const bulkJobs = new BulkJobWorker(deps);
  const tokenChanges = new TokenChangeSender(deps);
  await reportUnreadableSecrets(deps);
  await startMailing(deps);
  await startScheduledCharges(deps);
  await startOcpiCommands(deps);
  const hourlyJobs = await HourlyJobs.open(deps, cleanupJobs({ ...deps, ...longJobs }));
  const dueJobs: DueJob[] = [
    hourlyJobs.dueJob,
    {
      name: 'session-pricer',
      everyMs: 1000,
      isDue: isPricingDue,
      work: (stopping) => pricePendingSessions(deps, undefined, stopping),
    },
    {
      name: 'cdrs',
      everyMs: 1000,
      isDue: isCdrDue,
      work: (stopping) => makeDueCdrs(deps, stopping),
    },
    { name: 'ocpi-pushes', everyMs: pushEveryMs, isDue: arePushesDue, work: async () => pusher.look() },
    { name: 'webhooks', everyMs: 1000, isDue: areWebhooksDue, work: async () => webhooks.look() },
    { name: 'bulk-jobs', everyMs: 1000, isDue: areBulkJobsDue, work: () => bulkJobs.look() },
    {
      name: 'session-facts',
      everyMs: 2000,
      isDue: (pool) => hasEvents(pool, 'facts'),
      work: sessionFactSender(deps),
    },
    {
      name: 'waiting-logs',
      everyMs: 2000,
      isDue: areLogRowsWaiting,
      work: (stopping) => sendWaitingLogs(deps, stopping),
    },
    {
      name: 'exports',
      everyMs: 1000,
      isDue: areExportsDue,
      work: () => exports.work(),
    },
    {
      name: 'token-notices',
      everyMs: 2000,
      isDue: areTokenChangesDue,
      work: () => tokenChanges.look(),
    },
    {
      name: 'signature-rechecks',
      everyMs: 10_000,
      isDue: areRechecksDue,
      work: (stopping) => recheckSessions(sql, stopping),
    },
    {
      name: 'ocpi-reservation-ends',
      everyMs: 2000,
      isDue: areCancellationsDue,
      work: () => queueCancellations(deps),
    },
    {
      name: 'ocpi-active-profiles',
      everyMs: 2000,
      isDue: areProfilesDue,
      work: () => queueChangedProfiles(deps),
    },
    {
      name: 'alert-delivery',
      everyMs: 5000,
      isDue: isDeliveryDue,
      work: () => sendAlerts(deps),
    },
    {
      name: 'reservation-expiry',
      everyMs: 5000,
      isDue: areReservationsOver,
      work: (stopping) => endReservations(deps, stopping),
    },
    {
      name: 'remote-start-expiry',
      everyMs: 5000,
      isDue: areStartsExpired,
      work: () => endRemoteStarts(deps),
    },
  ];
  const jobs = [
    runWhenDue(deps, dueJobs),
    runPeriodically(deps, {
      name: 'session-watchdog',
      everyMs: 3000,
      work: () => stopSessionsOverLimit(deps),
    }),
    runPeriodically(deps, {
      name: 'limit-check-retention',
      everyMs: 10 * 60_000,
      work: () => removeOldChecks(sql),
    }),
    runPeriodically(deps, {
      name: 'shown-costs',
      everyMs: 10_000,
      work: () => showRunningCosts(deps),
    }),
    runPeriodically(deps, {
      name: 'session-closer',
      everyMs: 30_000,
      work: (stopping) => closeAbandonedSessions(sql, undefined, stopping),
    }),
    runPeriodically(deps, {
      name: 'reading-rollup',
      everyMs: 10_000,
      work: (stopping) => rollUpChangedDays(deps, stopping),
    }),
    runPeriodically(deps, {
      name: 'ocpi-token-pull',
      everyMs: 5000,
      work: (stopping) => pullTokens(deps, stopping),
    }),
    runPeriodically(deps, {
      name: 'ocpi-hub-client-pull',
      everyMs: 5000,
      work: (stopping) => pullHubClients(deps, stopping),
    }),
    runPeriodically(deps, {
      name: 'ocpi-token-renewal',
      everyMs: 60_000,
      work: (stopping) => renewExpiringTokens(deps, stopping),
    }),
    runPeriodically(deps, {
      name: 'alerts',
      everyMs: 15_000,
      work: () => watchForAlerts(deps),
    }),
    runPeriodically(deps, {
      name: 'idempotency-expiry',
      everyMs: 10 * 60_000,
      work: (stopping) => forgetAnswers(deps, stopping),
    }),
    runPeriodically(deps, {
      name: 'export-expiry',
      everyMs: 10 * 60_000,
      work: () => expireExportFiles(deps),
    }),
    // In each process, an hour after its start: the other processes of an upgrade or of a change of keys know the key then.
    runPeriodically(deps, {
      name: 'secret-sealing',
      everyMs: 3_600_000,
      work: (stopping) => sealSecrets(deps, stopping),
    }),
    runPeriodically(deps, {
      name: 'hold-expiry',
      everyMs: 30_000,
      work: () => releaseExpiredHolds(sql),
    }),
  ];
  return {
    async stop() {
      exports.stop();
      // All learn of the stop before any of them is waited for.
      const stopped = [pusher, webhooks, bulkJobs, tokenChanges, hourlyJobs, ...jobs].map((job) =>
        job.stop(),
      );
      await Promise.all(stopped);
    },
  };
}
