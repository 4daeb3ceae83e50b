import { unverifiedDays } from '#api/services/people/driver-registration.ts';
import { removeExpiredRequests } from '#shared/postgres/access/idempotency.statements.ts';
import { removeEndedBrowserSessions } from '#shared/postgres/people/browser-sessions.statements.ts';
import { removeExpiredRegistrations } from '#shared/postgres/people/driver-accounts.ts';
import { removeExpiredResets } from '#shared/postgres/people/password-resets.ts';
import { removeExpiredChallenges } from '#shared/postgres/people/login-challenges.statements.ts';
import { removeEndedSessions } from '#shared/postgres/people/login-sessions.ts';
import { removeUnconfirmedFactors } from '#shared/postgres/people/second-factors.statements.ts';
import type { Job, JobDeps } from './job.ts';
import { forgetMails } from './mails.job.ts';
import { removeInactiveDrivers, removePastRecords } from './retention.job.ts';
import { sealSecrets } from './secret-sealing.ts';

/** Jobs of accounts, access and e-mails. */
export function peopleJobs(deps: JobDeps): Job[] {
  const long = { ...deps, ...deps.longJobs };
  const hourly = { every: 3_600_000, oncePer: 'installation' } as const;
  return [
    {
      name: 'idempotency-expiry',
      every: 600_000,
      run: async (stopping) => void (await removeExpiredRequests(deps.sql, stopping)),
    },
    // In each process, an hour after its start: the other processes of an upgrade or of a change of keys know the key then.
    { name: 'secret-sealing', every: 3_600_000, run: (stopping) => sealSecrets(deps, stopping) },
    {
      ...hourly,
      name: 'ended-logins',
      async run() {
        await removeEndedSessions(long.sql);
        await removeEndedBrowserSessions(long.sql);
        await removeExpiredResets(long.sql);
        await removeExpiredChallenges(long.sql);
        await removeUnconfirmedFactors(long.sql);
      },
    },
    {
      ...hourly,
      name: 'driver-registrations',
      run: () => removeExpiredRegistrations(long.sql, unverifiedDays),
    },
    { ...hourly, name: 'record-retention', run: (stopping) => removePastRecords(long, stopping) },
    { ...hourly, name: 'personal-data-retention', run: (stopping) => removeInactiveDrivers(long, stopping) },
    { ...hourly, name: 'mail-retention', run: () => forgetMails(long) },
  ];
}
