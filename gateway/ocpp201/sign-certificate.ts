import type { SigningAnswer, SigningRequest } from '#shared/domain/commands/charger-messages.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';

/** Translates OCPP 2.0.1 A02. Without a type the certificate serves every purpose of the station. */
export function message({ csr, certificateType }: RequestOf<'2.0.1', 'SignCertificate'>): SigningRequest {
  return { csr, certificateType: certificateType ?? null };
}

export function response({ refusal }: SigningAnswer): ResponseOf<'2.0.1', 'SignCertificate'> {
  if (refusal === null) return { status: 'Accepted' };
  return {
    status: 'Rejected',
    statusInfo: { reasonCode: 'InvalidCSR', additionalInfo: refusal.slice(0, 512) },
  };
}
