import { listSecrets } from '#shared/postgres/events/webhook-endpoints.statements.ts';
import type { WebhookDeps } from './deps.ts';

/**
 * Returns a function that returns the secrets of an endpoint that are valid now, the present one first. Secrets that another key
 * sealed are left out.
 */
export async function openSecrets(
  { sql, secrets }: Pick<WebhookDeps, 'sql' | 'secrets'>,
  endpointId: number,
): Promise<() => readonly string[]> {
  const opened = (await listSecrets(sql, endpointId))
    .filter(({ sealingKey }) => secrets.knownIds.includes(sealingKey))
    .map(({ sealed, sealingKey, expiresAt }) => ({ secret: secrets.open(sealed, sealingKey), expiresAt }));
  return () => {
    const now = new Date();
    return opened.flatMap(({ secret, expiresAt }) => (expiresAt === null || expiresAt > now ? [secret] : []));
  };
}
