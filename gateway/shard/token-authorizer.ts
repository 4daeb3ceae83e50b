import type { Bus } from '#shared/bus/contract.ts';
import {
  partnerDeadlineMs,
  type TokenAuthorizationRequest,
  type PartnerAuthorization,
  authorizerChannel,
  authorizerChannelOf,
  type UnknownTokenAuthorization,
  type UnknownTokenRequest,
  unknownTokenChannelOf,
} from '#shared/domain/roaming/roaming.ts';
import type { Logger } from '#shared/log/log.ts';

/** Requests authorizations of partners' tokens. */
interface TokenAuthorizer {
  /** Returns null without an answer in time. */
  authorize(question: TokenAuthorizationRequest): Promise<PartnerAuthorization>;
  /** Returns null without an answer in time. */
  authorizeUnknown(question: UnknownTokenRequest): Promise<UnknownTokenAuthorization>;
}

/** Time for an API process to reply with its node name, and its processing time alongside the partner's (ms). */
const hereMs = 3000;
const ownMs = 1000;

/**
 * Opens an authorizer that uses the API tier: the gateway makes no outbound calls. The first API process that replies
 * receives the request, so that the partner receives one request; without a running process the result is null.
 */
export function openTokenAuthorizer(bus: Bus, log: Logger): TokenAuthorizer {
  const request = async (
    channelOf: (node: string) => string,
    question: { chargerId: number; partnerId?: number },
  ): Promise<unknown> => {
    try {
      const node = (await bus.request(authorizerChannel, null, { timeoutMs: hereMs })) as string;
      return await bus.request(channelOf(node), question, { timeoutMs: partnerDeadlineMs + ownMs });
    } catch (error) {
      const { partnerId, chargerId } = question;
      log.warn({ err: error, partnerId, chargerId }, 'no API process authorized the token of a partner');
      return null;
    }
  };
  return {
    authorize: async (question) => (await request(authorizerChannelOf, question)) as PartnerAuthorization,
    authorizeUnknown: async (question) =>
      (await request(unknownTokenChannelOf, question)) as UnknownTokenAuthorization,
  };
}
