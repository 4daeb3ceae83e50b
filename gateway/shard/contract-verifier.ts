import type { Bus } from '#shared/bus/contract.ts';
import {
  contractDeadlineMs,
  contractVerifierChannelOf,
  type ContractVerificationRequest,
  type ContractStatus,
} from '#shared/domain/commands/contract-certificates.ts';
import { authorizerChannel } from '#shared/domain/roaming/roaming.ts';
import type { Logger } from '#shared/log/log.ts';

/** Verifier of contract certificates. */
interface ContractVerifier {
  /** Returns NoCertificateAvailable without an answer in time. */
  verify(question: ContractVerificationRequest): Promise<ContractStatus>;
}

/** Time for an API process to reply with its node name, and its processing time alongside the verification (ms). */
const hereMs = 3000;
const ownMs = 1000;

/** Opens a verifier that sends each request to one API process: the gateway calls no OCSP responder. */
export function openContractVerifier(bus: Bus, log: Logger): ContractVerifier {
  return {
    async verify(question) {
      try {
        // The API processes that authorize partners' tokens verify certificates too.
        const node = (await bus.request(authorizerChannel, null, { timeoutMs: hereMs })) as string;
        const timeoutMs = contractDeadlineMs + ownMs;
        return (await bus.request(contractVerifierChannelOf(node), question, {
          timeoutMs,
        })) as ContractStatus;
      } catch (error) {
        log.warn(
          { err: error, networkId: question.networkId },
          'no API process verified a contract certificate',
        );
        return 'NoCertificateAvailable';
      }
    },
  };
}
