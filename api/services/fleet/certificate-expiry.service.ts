import { X509Certificate } from 'node:crypto';
import {
  listUnreadCertificates,
  storeCertificateExpiry,
} from '#shared/postgres/fleet/certificate-expiry.statements.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Certificates read in one round. */
const atOnce = 1000;

/**
 * Stores when the certificates of chargers expire. The PEM is stored by the gateway, whose writers need no X.509; a round reads
 * those that are new.
 */
export async function readCertificateExpiry({ sql }: Pick<ServiceDeps, 'sql'>): Promise<void> {
  const unread = await listUnreadCertificates(sql, atOnce);
  if (unread.length === 0) return;
  await storeCertificateExpiry(
    sql,
    unread.map(({ id, pem }) => ({ id, validTo: expiryOf(pem) })),
  );
}

function expiryOf(pem: string): Date | null {
  try {
    return new X509Certificate(pem).validToDate;
  } catch {
    return null;
  }
}
