import { renewDueToken } from '#api/services/roaming/registration/renewal.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import type { Logger } from '#shared/log/log.ts';

/** Renews the tokens of partners that expire soon. Any number of processes may run it. */
export async function renewExpiringTokens(deps: RoamingDeps & { log: Logger }): Promise<void> {
  for (;;) {
    const renewal = await renewDueToken(deps);
    if (renewal === null) return;
    const { partner, failure } = renewal;
    if (failure === null) deps.log.info({ partner }, 'the token of a roaming partner was renewed');
    else deps.log.warn({ partner, code: failure.code }, 'the token of a roaming partner was not renewed');
  }
}
