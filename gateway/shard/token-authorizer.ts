import type { Bus } from '#shared/bus/contract.ts';
import {
  partnerDeadlineMs,
  type TokenAuthorizationRequest,
  type PartnerAuthorization,
  authorizerChannel,
  authorizerChannelOf,
} from '#shared/domain/roaming/roaming.ts';
import type { Logger } from '#shared/log/log.ts';

/** Requests authorizations of partners' tokens. */
export interface TokenAuthorizer {
  /** Returns null without an answer in time. */
  authorize(question: TokenAuthorizationRequest): Promise<PartnerAuthorization>;
}

/** Time for an API process to reply with its node name, and its processing time beside the partner's (ms). */
const hereMs = 3000;
const ownMs = 1000;

/**
 * Opens an authorizer that uses the API tier: the gateway makes no outbound calls. The first API process that replies
 * receives the request, so that the partner receives one request; without a running process the result is null.
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
