import type { SigningAnswer, SigningRequest } from '#shared/domain/commands/charger-messages.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';

/** OCPP 1.6 security extension A02. */
export function message({ csr }: RequestOf<'1.6', 'SignCertificate'>): SigningRequest {
  return { csr, certificateType: null };
}

export function response({ refusal }: SigningAnswer): ResponseOf<'1.6', 'SignCertificate'> {
  return { status: refusal === null ? 'Accepted' : 'Rejected' };
}
