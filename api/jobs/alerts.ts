import type { ApiDeps } from '#api/services/deps.ts';
import type { Logger } from '#shared/log/log.ts';
import { refreshAlerts } from '#shared/postgres/fleet/alerts.ts';

/** Opens what an operator must look at, and resolves what is over. Any number of processes may run it. */
export async function watchForAlerts({
  sql,
  settings,
  log,
}: Pick<ApiDeps, 'sql' | 'settings'> & { log: Logger }): Promise<void> {
  const { opened, resolved } = await refreshAlerts(sql, settings.offlineAlertMinutes);
  if (opened + resolved > 0) log.info({ opened, resolved }, 'alerts were opened or resolved');
}
