import {
  countUnreadableSecrets,
  sealAllAgain,
  sealPartnerTokensAgain,
} from '#shared/postgres/access/sealed-secrets.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import type { Logger } from '#shared/log/log.ts';

/**
 * Seals with the present key what a former key sealed, and what is in clear from before. It begins an hour after the start, when the
 * other processes of an upgrade or of a change of keys know that key too.
 */
export async function sealSecrets(
  { sql, secrets, log }: Pick<ApiDeps, 'sql' | 'secrets'> & { log: Logger },
  stopping = AbortSignal.any([]),
): Promise<void> {
  const sealing = {
    presentKey: secrets.id,
    knownKeys: secrets.knownIds,
    sealAgain: (stored: Buffer, from: string | null) =>
      secrets.seal(from === null ? stored : secrets.openBytes(stored, from)),
  };
  const rows = await sealAllAgain(sql, sealing, stopping);
  const tokens = await sealPartnerTokensAgain(sql, (stored) => secrets.sealTextAgain(stored));
  if (rows + tokens > 0) log.info({ secrets: rows + tokens }, 'secrets are sealed with the present key');
  await reportUnreadableSecrets({ sql, secrets, log });
}

/** Logs that there are secrets which no key of this process opens. */
export async function reportUnreadableSecrets({
  sql,
  secrets,
  log,
}: Pick<ApiDeps, 'sql' | 'secrets'> & { log: Logger }): Promise<void> {
  const unreadable = await countUnreadableSecrets(sql, secrets.knownIds);
  if (unreadable === 0) return;
  log.error(
    { secrets: unreadable },
    'secrets were sealed with an unknown key: set SEALING_KEY or SEALING_KEY_FORMER',
  );
}
