import type { OutboundDeps } from '#api/services/access/outbound.ts';
import type { Unsubscribe } from '#shared/bus/contract.ts';
import {
  contractDeadlineMs,
  contractVerifierChannelOf,
  type ContractVerificationRequest,
  type ContractStatus,
} from '#shared/domain/commands/contract-certificates.ts';
import { listTrustedCertificates } from '#shared/postgres/fleet/trusted-certificates.statements.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

type Deps = Pick<ServiceDeps, 'sql' | 'bus'> & OutboundDeps;

/** Verifies the gateway's contract certificates in this process, until the answer is called. */
export function serveContractVerifications(deps: Deps): Promise<Unsubscribe> {
  return deps.bus.respond(contractVerifierChannelOf(deps.bus.node), (question) =>
    verifyContract(deps, question as ContractVerificationRequest),
  );
}

/** Verifies a contract certificate against the trusted certificates of the charger's network (OCPP 2.0.1 C07). */
async function verifyContract(
  { sql, outbound }: Deps,
  { networkId, emaid, chain, hashData }: ContractVerificationRequest,
): Promise<ContractStatus> {
  const trusted = await listTrustedCertificates(sql, networkId);
  // Loaded when a contract is verified for the first time: reading certificates takes memory.
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
  return verifier.verify(emaid, { chain, hashData });
}
