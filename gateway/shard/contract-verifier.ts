import type { Bus } from '#shared/bus/contract.ts';
import {
  contractDeadlineMs,
  contractVerifierChannelOf,
  type ContractVerificationRequest,
  type ContractStatus,
} from '#shared/domain/commands/contract-certificates.ts';
import { authorizerChannel } from '#shared/domain/roaming/roaming.ts';
import type { Logger } from '#shared/log/log.ts';

/** Has contract certificates verified. */
export interface ContractVerifier {
  /** Resolves to NoCertificateAvailable when there is no answer in time. */
  verify(question: ContractVerificationRequest): Promise<ContractStatus>;
}

/** Time for a living API process to answer that it is there, and its own part of a verification (ms). */
const hereMs = 3000;
const ownMs = 1000;

/** Asks one API process that lives: the gateway itself calls no OCSP responder. */
export function openContractVerifier(bus: Bus, log: Logger): ContractVerifier {
  return {
    async verify(question) {
      try {
        // The processes that ask roaming partners verify certificates too.
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
