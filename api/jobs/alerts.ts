import type { ApiDeps } from '#api/services/deps.ts';
import { deliverAlerts } from '#api/services/fleet/alert-notifier.ts';
import { readCertificateExpiry } from '#api/services/fleet/certificate-expiry.ts';
import type { Logger } from '#shared/log/log.ts';
import { removeOldNotifications } from '#shared/postgres/fleet/alert-notifications.ts';
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

/** Sends what recipients are to know of alerts. Any number of processes may run it; one at a time delivers. */
export async function sendAlerts(
  deps: Pick<ApiDeps, 'sql' | 'queue' | 'settings'> & { log: Logger },
): Promise<void> {
  const mails = await deliverAlerts(deps);
  if (mails > 0) deps.log.info({ mails }, 'e-mails about alerts were queued');
}

/** Days for which notifications that are over, with the addresses of their recipients, are kept. */
const keepDays = 30;

/** Deletes old notifications. */
export function forgetNotifications({ sql }: Pick<ApiDeps, 'sql'>): Promise<void> {
  return removeOldNotifications(sql, keepDays);
}
