import { renewDueToken } from '#api/services/roaming/registration/renewal.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Logger } from '#shared/log/log.ts';

/** Renews the tokens of partners that expire soon. Any number of processes may run it. */
export async function renewExpiringTokens(
  deps: RoamingDeps & { log: Logger },
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
