import type { ApiDeps } from '#api/services/deps.ts';
import { readCertificateExpiry } from '#api/services/fleet/certificate-expiry.ts';
import type { Logger } from '#shared/log/log.ts';
import { refreshAlerts } from '#shared/postgres/fleet/alerts.ts';

/** Opens what an operator must look at, and resolves what is over. Any number of processes may run it. */
export async function watchForAlerts({
  sql,
  settings,
  log,
}: Pick<ApiDeps, 'sql' | 'settings'> & { log: Logger }): Promise<void> {
  await readCertificateExpiry({ sql });
  const { opened, resolved } = await refreshAlerts(sql, settings);
  if (opened + resolved > 0) log.info({ opened, resolved }, 'alerts were opened or resolved');
}
