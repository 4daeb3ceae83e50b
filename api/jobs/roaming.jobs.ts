import { queueCancellations } from '#api/services/roaming/commands/notify.ts';
import { queueChangedProfiles } from '#api/services/roaming/profiles/push.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import { pullHubClients, pullTokens } from '#api/services/roaming/pulled-lists.ts';
import { renewDueToken } from '#api/services/roaming/registration/renewal.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { pushPolicy } from '#shared/domain/roaming/ocpi-push.ts';
import { isCdrDue } from '#shared/postgres/roaming/cdrs.statements.ts';
import { removeUnusedAuthorizations } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import { areCancellationsDue, removeOldCommands } from '#shared/postgres/roaming/ocpi-commands.ts';
import { arePullsDue } from '#shared/postgres/roaming/ocpi-list-pulls.ts';
import { areProfilesDue } from '#shared/postgres/roaming/ocpi-profiles.ts';
import { arePushesDue } from '#shared/postgres/roaming/ocpi-pushes.ts';
import { removeUnknownTokens } from '#shared/postgres/roaming/ocpi-unknown-tokens.ts';
import { removeOldWithdrawals } from '#shared/postgres/roaming/ocpi-withdrawals.ts';
import { makeDueCdrs } from './cdrs.job.ts';
import type { Job, JobDeps } from './job.ts';
import { Pusher } from './ocpi-pusher.ts';

/** Interval in ms at which pushes are looked for although the search found none. */
const pushSweepMs = 60_000;

/** Jobs of roaming partners. Any number of processes run each of them. */
export function roamingJobs(deps: JobDeps): Job[] {
  const { sql } = deps.longJobs;
  const pusher = new Pusher(deps, { ...pushPolicy, everyMs: pushSweepMs });
  const hourly = { every: 3_600_000, oncePer: 'installation' } as const;
  return [
    { name: 'cdrs', every: 1000, due: isCdrDue, run: (stopping) => makeDueCdrs(deps, stopping) },
    {
      name: 'ocpi-pushes',
      every: pushPolicy.everyMs,
      due: arePushesDue,
      run: async () => pusher.look(),
      stop: () => pusher.stop(),
    },
    {
      name: 'ocpi-reservation-ends',
      every: 2000,
      due: areCancellationsDue,
      run: () => queueCancellations(deps),
    },
    { name: 'ocpi-active-profiles', every: 2000, due: areProfilesDue, run: () => queueChangedProfiles(deps) },
    {
      name: 'ocpi-token-pull',
      every: 5000,
      due: (pool) => arePullsDue(pool, 'tokens'),
      run: (stopping) => pullTokens(deps, stopping),
    },
    {
      name: 'ocpi-hub-client-pull',
      every: 5000,
      due: (pool) => arePullsDue(pool, 'hubclientinfo'),
      run: (stopping) => pullHubClients(deps, stopping),
    },
    { name: 'ocpi-token-renewal', every: 60_000, run: (stopping) => renewExpiringTokens(deps, stopping) },
    { ...hourly, name: 'ocpi-authorizations', run: () => removeUnusedAuthorizations(sql) },
    { ...hourly, name: 'ocpi-unknown-tokens', run: () => removeUnknownTokens(sql) },
    { ...hourly, name: 'ocpi-command-retention', run: (stopping) => removeOldCommands(sql, stopping) },
    { ...hourly, name: 'ocpi-withdrawal-retention', run: async () => void (await removeOldWithdrawals(sql)) },
  ];
}

/** Renews the tokens of partners that expire soon. */
export async function renewExpiringTokens(
  deps: Pick<JobDeps, keyof RoamingDeps | 'log'>,
  stopping = AbortSignal.any([]),
): Promise<void> {
  while (!stopping.aborted) {
    const renewal = await renewDueToken(deps);
    if (renewal === null) return;
    const { partner, failure } = renewal;
    if (failure === null) deps.log.info({ partner }, 'the token of a roaming partner was renewed');
    else if (failure instanceof DomainError) {
      deps.log.warn({ partner, code: failure.code }, 'the token of a roaming partner was not renewed');
    } else deps.log.error({ partner, err: failure }, 'the renewal of the token of a roaming partner failed');
  }
}
