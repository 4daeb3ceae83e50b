import type { ApiDeps } from '#api/services/deps.ts';
import { readCertificateExpiry } from '#api/services/fleet/certificate-expiry.service.ts';
import { measureThresholds } from '#shared/postgres/fleet/alert-thresholds.statements.ts';
import { refreshAlerts } from '#shared/postgres/fleet/alerts.statements.ts';

/** Opens alerts for new problems and resolves alerts whose problem ended. Returns the number of changed alerts. */
export async function watchForAlerts({ sql, settings }: Pick<ApiDeps, 'sql' | 'settings'>): Promise<number> {
  await readCertificateExpiry({ sql });
  await measureThresholds(sql);
  const { opened, resolved } = await refreshAlerts(sql, settings);
  return opened + resolved;
}
