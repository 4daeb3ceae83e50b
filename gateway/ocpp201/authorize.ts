import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { handleAuthorize } from '#gateway/handlers/authorize.ts';
import { serve } from '#gateway/protocol/serve.ts';
import type { OcspSubject } from '#shared/domain/commands/contract-certificates.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';
import { idTokenInfo } from './id-token-info.ts';

/** Translates OCSPRequestDataType. */
export const ocspSubjectOf = ({
  hashAlgorithm,
  issuerNameHash,
  issuerKeyHash,
  serialNumber,
  responderURL: responderUrl,
}: RequestOf<DeviceModelVersion, 'GetCertificateStatus'>['ocspRequestData']): OcspSubject => ({
  hashAlgorithm,
  issuerNameHash,
  issuerKeyHash,
  serialNumber,
  responderUrl,
});

/** OCPP 2.0.1 C01, C07 */
export const authorize = (version: DeviceModelVersion) =>
  serve(version, 'Authorize', {
    message({ idToken, certificate, iso15118CertificateHashData: hashData }) {
      if (certificate === undefined && hashData === undefined) {
        return { idToken: idToken.idToken, contract: null };
      }
      return {
        idToken: idToken.idToken,
        contract: {
          chain: certificate ?? null,
          hashData: (hashData ?? []).map(ocspSubjectOf),
        },
      };
    },
    handle: handleAuthorize,
    response: ({ contractStatus, ...authorization }) => ({
      idTokenInfo: idTokenInfo(authorization),
      ...(contractStatus !== null && { certificateStatus: contractStatus }),
    }),
  });
