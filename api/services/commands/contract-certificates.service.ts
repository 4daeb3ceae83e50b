import type { OutboundDeps } from '#api/services/access/outbound.ts';
import type { Unsubscribe } from '#shared/bus/contract.ts';
import {
  contractDeadlineMs,
  type CertificateRequest,
  contractVerifierChannelOf,
  type ContractStatus,
  type OcspStatus,
} from '#shared/domain/commands/contract-certificates.ts';
import { listTrustedCertificates } from '#shared/postgres/fleet/trusted-certificates.statements.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

type Deps = Pick<ServiceDeps, 'sql' | 'bus'> & OutboundDeps;

/** Verifies certificates for the gateway in this process, until the answer is called. */
export function serveContractVerifications(deps: Deps): Promise<Unsubscribe> {
  return deps.bus.respond(contractVerifierChannelOf(deps.bus.node), (request) =>
    verify(deps, request as CertificateRequest),
  );
}

/**
 * Verifies a contract certificate against the trusted certificates of the charger's network (OCPP 2.0.1 C07), or requests the
 * status of a certificate that one of them issued (M06, 2.1 M07).
 */
async function verify(
  { sql, outbound }: Deps,
  request: CertificateRequest,
): Promise<ContractStatus | OcspStatus | null> {
  const trusted = await listTrustedCertificates(sql, request.networkId);
  // Loaded when a certificate is verified for the first time: reading certificates takes memory.
  const { localContractVerifier } = await import('#shared/certificates/contract-verifier.ts');
  const verifier = localContractVerifier({
    trusted: trusted.map(({ pem }) => pem),
    async post(url, body) {
      const headers = { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' };
      const answer = await outbound.send({
        method: 'POST',
        url,
        headers,
        body,
        timeoutMs: contractDeadlineMs,
      });
      if (answer.status !== 200) throw new Error(`the OCSP responder answered ${answer.status}`);
      return answer.body;
    },
  });
  // Gateways of the version before send no kind.
  return request.kind === 'status'
    ? verifier.statusOf(request.subject)
    : verifier.verify(request.emaid, request);
}
