import type { SigningAnswer, SigningRequest } from '#shared/domain/commands/charger-messages.ts';
import {
  findCertificateOwner,
  insertCertificateRequest,
} from '#shared/postgres/commands/certificate-requests.ts';
import type { Context } from './context.ts';

/** Checks and stores a charger's certificate request; CertificateSigned follows once the certificate is signed. */
export async function handleSignCertificate(
  context: Context<'sql' | 'certificates'>,
  request: SigningRequest,
): Promise<SigningAnswer> {
  const { charger, receivedAt } = context;
  const { sql, certificates } = context.stores;
  const owner = await findCertificateOwner(sql, charger.id);
  const rule = { commonNames: owner.commonNames, organization: owner.networkName };
  const refusal = await certificates.check(request, rule);
  const stored = await insertCertificateRequest(sql, {
    ...request,
    chargerId: charger.id,
    refusal,
    at: receivedAt,
  });
  if (refusal === null) certificates.issue({ ...request, ...stored, charger, rule });
  return { refusal };
}
