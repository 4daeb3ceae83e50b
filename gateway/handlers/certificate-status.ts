import type { OcspStatus, OcspSubject } from '#shared/domain/commands/contract-certificates.ts';
import type { Context } from './context.ts';

/** Returns the OCSP status of a certificate; null: its issuer is not trusted, or no valid answer arrived in time. */
export function handleCertificateStatus(
  { charger, stores }: Context<'contracts'>,
  subject: OcspSubject,
): Promise<OcspStatus | null> {
  return stores.contracts.statusOf({ networkId: charger.networkId, subject });
}
