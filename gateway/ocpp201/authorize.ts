import type { AuthorizeRequest } from '#shared/domain/commands/charger-messages.ts';
import type { ContractStatus } from '#shared/domain/commands/contract-certificates.ts';
import type { Authorization } from '#shared/domain/charging/session.ts';
import type { RequestOf, ResponseOf } from '#shared/ocpp/validators.ts';
import { idTokenInfo } from './id-token-info.ts';

/** OCPP 2.0.1 C01, C07 */
export function message(request: RequestOf<'2.0.1', 'Authorize'>): AuthorizeRequest {
  const { idToken, certificate, iso15118CertificateHashData: hashData } = request;
  if (certificate === undefined && hashData === undefined) {
    return { idToken: idToken.idToken, contract: null };
  }
  return {
    idToken: idToken.idToken,
    contract: {
      chain: certificate ?? null,
      hashData: (hashData ?? []).map(({ responderURL: responderUrl, ...named }) => ({
        hashAlgorithm: named.hashAlgorithm,
        issuerNameHash: named.issuerNameHash,
        issuerKeyHash: named.issuerKeyHash,
        serialNumber: named.serialNumber,
        responderUrl,
      })),
    },
  };
}

export function response(
  answer: Authorization & { contractStatus: ContractStatus | null },
): ResponseOf<'2.0.1', 'Authorize'> {
  const { contractStatus } = answer;
  return {
    idTokenInfo: idTokenInfo(answer),
    ...(contractStatus !== null && { certificateStatus: contractStatus }),
  };
}
