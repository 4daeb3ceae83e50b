import { ExportWorker, sweepExports } from '#api/services/reporting/exports/export-worker.ts';
import { outboxDays } from '#shared/domain/kernel/retention.ts';
import { areWebhooksDue } from '#shared/postgres/events/webhook-lanes.ts';
import { hasEvents } from '#shared/postgres/kernel/outbox.statements.ts';
import { areLogRowsWaiting } from '#shared/postgres/kernel/waiting-log-rows.ts';
import { areExportsDue } from '#shared/postgres/reporting/export-work.ts';
import { removePastEvents } from './event-retention.ts';
import type { Job, JobDeps } from './job.ts';
import { limitLogs } from './retention.job.ts';
import { sessionFactSender } from './session-facts.job.ts';
import { sendWaitingLogs } from './waiting-logs.job.ts';
import { WebhookDeliverer } from './webhook-deliverer.ts';

/** Jobs of reports, exports, events and logs. Any number of processes run each of them. */
export function reportingJobs(deps: JobDeps): Job[] {
  const { log, longJobs, settings } = deps;
  const webhooks = new WebhookDeliverer(deps);
  const exports = new ExportWorker(
    deps,
    {
      failed: (err, uuid) => log.warn({ err, export: uuid }, 'a part of an export failed; it is made again'),
    },
    longJobs,
  );
  const hourly = { every: 3_600_000, oncePer: 'installation' } as const;
  return [
    {
      name: 'session-facts',
      every: 2000,
      due: (sql) => hasEvents(sql, 'facts'),
      run: sessionFactSender(deps),
    },
    {
      name: 'exports',
      every: 1000,
      due: areExportsDue,
      run: () => exports.work(),
      stop: async () => exports.stop(),
    },
    {
      name: 'export-expiry',
      every: 600_000,
      run: () => sweepExports(deps),
      done: 'exports expired, and their files were removed',
    },
    {
      name: 'webhooks',
      every: 1000,
      due: areWebhooksDue,
      run: async () => webhooks.look(),
      stop: () => webhooks.stop(),
    },
    {
      name: 'waiting-logs',
      every: 2000,
      due: areLogRowsWaiting,
      run: (stopping) => sendWaitingLogs(deps, stopping),
    },
    {
      ...hourly,
      name: 'event-retention',
      run: (stopping) => removePastEvents(longJobs.sql, { ...settings.retention, outboxDays }, stopping),
    },
    { ...hourly, name: 'log-retention', run: () => limitLogs(deps) },
  ];
}
