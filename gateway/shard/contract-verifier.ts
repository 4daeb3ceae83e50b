import type { Stores } from '#gateway/handlers/context.ts';
import type { Bus } from '#shared/bus/contract.ts';
import {
  type CertificateRequest,
  contractDeadlineMs,
  contractVerifierChannelOf,
} from '#shared/domain/commands/contract-certificates.ts';
import { authorizerChannel } from '#shared/domain/roaming/roaming.ts';
import type { Logger } from '#shared/log/log.ts';

/** Time for an API process to reply with its node name, and its processing time alongside the verification (ms). */
const hereMs = 3000;
const ownMs = 1000;

/** Opens a verifier that sends each request to one API process: the gateway calls no OCSP responder. */
export function openContractVerifier(bus: Bus, log: Logger): Stores['contracts'] {
  async function ask<Answer>(request: CertificateRequest, withoutAnswer: Answer): Promise<Answer> {
    try {
      // The API processes that authorize partners' tokens verify certificates too.
      const node = (await bus.request(authorizerChannel, null, { timeoutMs: hereMs })) as string;
      const timeoutMs = contractDeadlineMs + ownMs;
      return (await bus.request(contractVerifierChannelOf(node), request, { timeoutMs })) as Answer;
    } catch (error) {
      log.warn({ err: error, networkId: request.networkId }, 'no API process verified a certificate');
      return withoutAnswer;
    }
  }
  return {
    verify: (request) => ask({ kind: 'contract', ...request }, 'NoCertificateAvailable'),
    statusOf: (request) => ask({ kind: 'status', ...request }, null),
  };
}
