import type { ApiDeps } from '#api/services/deps.ts';
import { unverifiedDays } from '#api/services/people/driver-registration.ts';
import { outboxDays } from '#shared/domain/kernel/retention.ts';
import type { Logger } from '#shared/log/log.ts';
import { removeOldReceipts } from '#shared/postgres/charging/reading-receipts.ts';
import { removeEndedBrowserSessions } from '#shared/postgres/people/browser-sessions.ts';
import { removeExpiredRegistrations } from '#shared/postgres/people/driver-accounts.ts';
import { removeEndedSessions } from '#shared/postgres/people/login-sessions.ts';
import { removeUnusedAuthorizations } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import { removeOldCommands } from '#shared/postgres/roaming/ocpi-commands.ts';
import { removeUnknownTokens } from '#shared/postgres/roaming/ocpi-unknown-tokens.ts';
import { removeOldWithdrawals } from '#shared/postgres/roaming/ocpi-withdrawals.ts';
import { forgetNotifications } from './alerts.ts';
import { removePastEvents } from './event-retention.ts';
import { removeFirmwareFiles } from './firmware-sweep.ts';
import { forgetMails } from './mails.ts';
import type { Job } from './periodic.ts';
import { dropPastPartitions, limitLogs, removeInactiveDrivers, removePastRecords } from './retention.ts';

/** Returns the jobs that remove what is past its retention. Each can run in any process. */
export function cleanupJobs(deps: ApiDeps & { log: Logger }): Job[] {
  const { sql } = deps;
  return [
    { name: 'ocpi-authorizations', work: () => removeUnusedAuthorizations(sql) },
    { name: 'ocpi-unknown-tokens', work: () => removeUnknownTokens(sql) },
    { name: 'ocpi-command-retention', work: (stopping) => removeOldCommands(sql, stopping) },
    { name: 'ocpi-withdrawal-retention', work: async () => void (await removeOldWithdrawals(sql)) },
    {
      name: 'ended-logins',
      async work() {
        await removeEndedSessions(sql);
        await removeEndedBrowserSessions(sql);
      },
    },
    { name: 'driver-registrations', work: () => removeExpiredRegistrations(sql, unverifiedDays) },
    { name: 'mail-retention', work: () => forgetMails(deps) },
    { name: 'reading-receipts', work: (stopping) => removeOldReceipts(sql, stopping) },
    {
      name: 'event-retention',
      work: (stopping) => removePastEvents(sql, { ...deps.settings.retention, outboxDays }, stopping),
    },
    { name: 'record-retention', work: (stopping) => removePastRecords(deps, stopping) },
    { name: 'reading-retention', work: () => dropPastPartitions(deps) },
    { name: 'personal-data-retention', work: (stopping) => removeInactiveDrivers(deps, stopping) },
    { name: 'log-retention', work: () => limitLogs(deps) },
    { name: 'alert-retention', work: () => forgetNotifications(deps) },
    { name: 'firmware-sweep', work: () => removeFirmwareFiles(deps) },
  ];
}
