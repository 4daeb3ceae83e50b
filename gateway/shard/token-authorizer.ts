import type { Bus } from '#shared/bus/contract.ts';
import {
  partnerDeadlineMs,
  type TokenAuthorizationRequest,
  type PartnerAuthorization,
  authorizerChannel,
  authorizerChannelOf,
} from '#shared/domain/roaming/roaming.ts';
import type { Logger } from '#shared/log/log.ts';

/** Asks roaming partners whether their tokens may charge. */
export interface TokenAuthorizer {
  /** Null: nobody answered in time. */
  authorize(question: TokenAuthorizationRequest): Promise<PartnerAuthorization>;
}

/** What an API process that lives takes to say so, and what it needs beside its partner's time (ms). */
const hereMs = 3000;
const ownMs = 1000;

/**
 * Asks through the API tier: the gateway itself calls nobody. Whichever API process says first that it is there gets the
 * question, so that the partner is asked once; with none alive the answer is null at once.
 */
export function openTokenAuthorizer(bus: Bus, log: Logger): TokenAuthorizer {
  return {
    async authorize(question) {
      try {
        const node = (await bus.request(authorizerChannel, null, { timeoutMs: hereMs })) as string;
        const timeoutMs = partnerDeadlineMs + ownMs;
        return (await bus.request(authorizerChannelOf(node), question, {
          timeoutMs,
        })) as PartnerAuthorization;
      } catch (error) {
        const { partnerId, chargerId } = question;
        log.warn({ err: error, partnerId, chargerId }, 'no API process authorized the token of a partner');
        return null;
      }
    },
  };
}
