import type { RoamingDeps } from './deps.ts';
import { OutboundError } from '#api/services/access/outbound.ts';
import type { Unsubscribe } from '#shared/bus/contract.ts';
import { ocpiStatus } from '#shared/domain/roaming/ocpi.ts';
import {
  partnerDeadlineMs,
  type TokenAuthorizationRequest,
  type PartnerAuthorization,
  authorizerChannel,
  authorizerChannelOf,
} from '#shared/domain/roaming/roaming.ts';
import type { AuthorizationStatus } from '#shared/domain/charging/session.ts';
import { insertAuthorization } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import { findPartnerById, listPartnerEndpoints } from '#shared/postgres/roaming/ocpi-partners.ts';
import { findChargerPlace } from '#shared/postgres/roaming/ocpi-sessions.ts';
import { ourRole } from './our-credentials.ts';
import { addressedFor, callPartner, isSuccess, type PartnerAnswer } from './partner-calls.ts';

type Deps = Pick<RoamingDeps, 'sql' | 'bus' | 'outbound' | 'exchanges' | 'secrets'>;

/** Time in ms between an authorization and the start of its session. */
const goodForMs = 15 * 60_000;

/** AuthorizationInfo.allowed (OCPI 2.2.1 §12.4.3) in OCPP's words. */
const statuses: Record<string, AuthorizationStatus> = {
  ALLOWED: 'Accepted',
  BLOCKED: 'Blocked',
  EXPIRED: 'Expired',
  NO_CREDIT: 'Blocked',
  NOT_ALLOWED: 'Invalid',
};

/** Takes the gateway's questions about partners' tokens in this process, until the answer is called. */
export async function serveTokenAuthorizations(deps: Deps): Promise<Unsubscribe> {
  const { bus } = deps;
  const stops = [
    await bus.respond(authorizerChannelOf(bus.node), (question) =>
      authorizeAtPartner(deps, question as TokenAuthorizationRequest),
    ),
    // Last, because other processes can send requests to this one from now on.
    await bus.respond(authorizerChannel, () => Promise.resolve(bus.node)),
  ];
  return async () => {
    for (const stop of stops.toReversed()) await stop();
  };
}

/**
 * Asks a token's partner whether it may charge at a charger (OCPI 2.2.1 §12.2.2.2), within `partnerDeadlineMs`; a yes is
 * kept for the session that follows. Null: the partner has no such endpoint, or gave no answer that could be used.
 */
export async function authorizeAtPartner(
  deps: Deps,
  question: TokenAuthorizationRequest,
): Promise<PartnerAuthorization> {
  const { sql } = deps;
  const partner = await findPartnerById(sql, question.partnerId);
  if (partner === null || partner.status !== 'REGISTERED') return null;
  const endpoints = await listPartnerEndpoints(sql, partner.id);
  const tokens = endpoints.find(({ identifier, role }) => identifier === 'tokens' && role === 'SENDER');
  if (tokens === undefined) return null;
  const asked = await locationReferences(deps, question);
  const answer = await ask(deps, {
    called: { ...addressedFor(partner, question.token), from: await ourRole(deps, partner.networkId) },
    url: authorizeUrl(tokens.url, question),
    body: asked,
  });
  if (answer === null) return null;
  const { status, authorizationReference } = answer;
  const no = { status, authorizationReference, authorizationId: null };
  if (status !== 'Accepted') return no;
  if (!isAllowedThere(answer.evseUids, asked?.evse_uids ?? [])) return { ...no, status: 'Invalid' };
  const authorizationId = await insertAuthorization(sql, {
    ...question,
    authMethod: 'AUTH_REQUEST',
    authorizationReference,
    expiresAt: new Date(Date.now() + goodForMs),
  });
  return { status, authorizationReference, authorizationId };
}

/** LocationReferences (§12.4.4): the EVSE where it is known, else all of the charger's. Undefined: it stands nowhere. */
async function locationReferences({ sql }: Deps, { chargerId, evse }: TokenAuthorizationRequest) {
  const place = await findChargerPlace(sql, chargerId);
  if (place === null || place.locationId === null) return undefined;
  const there = place.evses.filter(({ number }) => evse === null || number === evse);
  return { location_id: place.locationId, evse_uids: there.map(({ uid }) => uid) };
}

function authorizeUrl(endpoint: string, { token }: TokenAuthorizationRequest): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(token.uid)}/authorize`;
  url.searchParams.set('type', token.type);
  return url.href;
}

interface PartnerSaid {
  status: AuthorizationStatus;
  authorizationReference: string | null;
  /** EVSEs that it is restricted to. Empty: no restriction. */
  evseUids: string[];
}

async function ask(
  deps: Deps,
  request: { called: Parameters<typeof callPartner>[1]; url: string; body: object | undefined },
): Promise<PartnerSaid | null> {
  const { called, url, body } = request;
  try {
    const call = { module: 'tokens', method: 'POST', url, body, timeoutMs: partnerDeadlineMs } as const;
    return said(await callPartner(deps, called, call));
  } catch (error) {
    if (error instanceof OutboundError) return null;
    throw error;
  }
}

function said(answer: PartnerAnswer): PartnerSaid | null {
  const { httpStatus, statusCode, data } = answer;
  // "When the eMSP does not know the Token": HTTP 404, or 2004 (§12.2.2.2).
  if (httpStatus === 404 || statusCode === ocpiStatus.unknownToken) {
    return { status: 'Invalid', authorizationReference: null, evseUids: [] };
  }
  if (!isSuccess(answer) || typeof data !== 'object' || data === null) return null;
  const { allowed, authorization_reference: reference, location } = data as Record<string, unknown>;
  const status = typeof allowed === 'string' ? statuses[allowed] : undefined;
  if (status === undefined) return null;
  const authorizationReference =
    typeof reference === 'string' && /^[^\p{Cc}]{1,36}$/u.test(reference) ? reference : null;
  return { status, authorizationReference, evseUids: evseUidsOf(location) };
}

function evseUidsOf(location: unknown): string[] {
  if (typeof location !== 'object' || location === null || !('evse_uids' in location)) return [];
  const { evse_uids: uids } = location;
  return Array.isArray(uids) ? uids.filter((uid) => typeof uid === 'string') : [];
}

function isAllowedThere(allowed: string[], asked: string[]): boolean {
  if (allowed.length === 0) return true;
  const among = new Set(allowed.map((uid) => uid.toLowerCase()));
  return asked.some((uid) => among.has(uid.toLowerCase()));
}
