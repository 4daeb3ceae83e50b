import type { RoamingDeps } from './deps.ts';
import type { Unsubscribe } from '#shared/bus/contract.ts';
import {
  partnerDeadlineMs,
  type TokenAuthorizationRequest,
  type PartnerAuthorization,
  authorizerChannel,
  authorizerChannelOf,
  type UnknownTokenRequest,
  unknownTokenChannelOf,
} from '#shared/domain/roaming/roaming.ts';
import { insertAuthorization } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import { findPartnerById, listPartnerEndpoints } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import { authorizationGoodForMs, locationReferences, requestAuthorization } from './authorization-request.ts';
import { clientStateOf } from './hub-clients.ts';
import { ourRole } from './our-credentials.ts';
import { addressedFor } from './partner-calls.ts';
import { authorizeUnknownToken } from './unknown-tokens.ts';

type Deps = Pick<RoamingDeps, 'sql' | 'bus' | 'outbound' | 'exchanges' | 'secrets'>;

/** Serves the gateway's requests to authorize tokens of partners in this process, until the returned function is called. */
export async function serveTokenAuthorizations(deps: Deps): Promise<Unsubscribe> {
  const { bus } = deps;
  const responders: [channel: string, respond: (question: unknown) => Promise<unknown>][] = [
    [
      authorizerChannelOf(bus.node),
      (question) => authorizeAtPartner(deps, question as TokenAuthorizationRequest),
    ],
    [
      unknownTokenChannelOf(bus.node),
      (question) => authorizeUnknownToken(deps, question as UnknownTokenRequest),
    ],
    // Last, because other processes can send requests to this one from now on.
    [authorizerChannel, () => Promise.resolve(bus.node)],
  ];
  const stops: Unsubscribe[] = [];
  const stop = async (): Promise<void> => {
    for (const each of stops.toReversed()) await each();
  };
  try {
    for (const [channel, respond] of responders) stops.push(await bus.respond(channel, respond));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/**
 * Asks a token's partner whether it may charge at a charger (OCPI 2.2.1 §12.2.2.2), within `partnerDeadlineMs`; a yes is
 * kept for the session that follows. Null: the partner has no such endpoint, gave no answer that could be used, or is a hub that
 * reports the party as not connected.
 */
export async function authorizeAtPartner(
  deps: Deps,
  question: TokenAuthorizationRequest,
): Promise<PartnerAuthorization> {
  const { sql } = deps;
  const partner = await findPartnerById(sql, question.partnerId);
  if (partner === null || partner.status !== 'REGISTERED') return null;
  // Its hub cannot deliver the request.
  if ((await clientStateOf(deps, partner, question.token)) !== 'CONNECTED') return null;
  const endpoints = await listPartnerEndpoints(sql, partner.id);
  const tokens = endpoints.find(({ identifier, role }) => identifier === 'tokens' && role === 'SENDER');
  if (tokens === undefined) return null;
  const answer = await requestAuthorization(deps, {
    called: { ...addressedFor(partner, question.token), from: await ourRole(deps, partner.networkId) },
    tokensUrl: tokens.url,
    token: question.token,
    location: await locationReferences(sql, question),
    timeoutMs: partnerDeadlineMs,
  });
  if (answer === null) return null;
  const { status, authorizationReference } = answer;
  if (status !== 'Accepted') return { status, authorizationReference, authorizationId: null };
  const authorizationId = await insertAuthorization(sql, {
    ...question,
    authMethod: 'AUTH_REQUEST',
    authorizationReference,
    expiresAt: new Date(Date.now() + authorizationGoodForMs),
  });
  return { status, authorizationReference, authorizationId };
}
