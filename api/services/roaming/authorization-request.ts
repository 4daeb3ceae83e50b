import { OutboundError } from '#api/services/access/outbound.ts';
import type { AuthorizationStatus } from '#shared/domain/charging/session.ts';
import { ocpiStatus } from '#shared/domain/roaming/ocpi.ts';
import type { CdrToken } from '#shared/domain/roaming/roaming.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { findChargerPlace } from '#shared/postgres/roaming/ocpi-sessions.ts';
import type { RoamingDeps } from './deps.ts';
import { type CalledPartner, callPartner, isSuccess, type PartnerAnswer } from './partner-calls.ts';
import { serializerFor } from './wire/serializer.ts';

type Deps = Pick<RoamingDeps, 'outbound' | 'exchanges' | 'secrets'>;

/** Time in ms between an authorization and the start of its session. */
export const authorizationGoodForMs = 15 * 60_000;

/** AuthorizationInfo.allowed (OCPI 2.2.1 §12.4.3) as a status of OCPP. */
const statuses: Record<string, AuthorizationStatus> = {
  ALLOWED: 'Accepted',
  BLOCKED: 'Blocked',
  EXPIRED: 'Expired',
  NO_CREDIT: 'Blocked',
  NOT_ALLOWED: 'Invalid',
};

/** Real-time authorization request (OCPI 2.2.1 §12.2.2.2). */
interface AuthorizationRequest {
  called: CalledPartner;
  tokensUrl: string;
  token: Pick<CdrToken, 'uid' | 'type'>;
  location: LocationReferences | undefined;
  timeoutMs: number;
}

/** LocationReferences (§12.4.4). */
interface LocationReferences {
  location_id: string;
  evse_uids: string[];
}

/** Usable answer of a partner. */
export interface AuthorizationAnswer {
  status: AuthorizationStatus;
  /** False: the partner does not know the token. */
  isKnown: boolean;
  authorizationReference: string | null;
  /** Token of the answer, as the partner sent it. */
  token: unknown;
}

/** Returns the EVSE where it is known, else all EVSEs of the charger; undefined when the charger has no location. */
export async function locationReferences(
  sql: Queryable,
  { chargerId, evse }: { chargerId: number; evse: number | null },
): Promise<LocationReferences | undefined> {
  const place = await findChargerPlace(sql, chargerId);
  if (place === null || place.locationId === null) return undefined;
  const there = place.evses.filter(({ number }) => evse === null || number === evse);
  return { location_id: place.locationId, evse_uids: there.map(({ uid }) => uid) };
}

/** Requests the authorization of a token from a partner; null when no usable answer came in time. */
export async function requestAuthorization(
  deps: Deps,
  { called, tokensUrl, token, location, timeoutMs }: AuthorizationRequest,
): Promise<AuthorizationAnswer | null> {
  const type = serializerFor(called.ocpiVersion).tokenType(token);
  const url = authorizeUrl(tokensUrl, { uid: token.uid, type });
  try {
    const call = { module: 'tokens', method: 'POST', url, body: location, timeoutMs } as const;
    return answerOf(await callPartner(deps, called, call), location?.evse_uids ?? []);
  } catch (error) {
    if (error instanceof OutboundError) return null;
    throw error;
  }
}

function authorizeUrl(endpoint: string, { uid, type }: { uid: string; type: string }): string {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(uid)}/authorize`;
  url.searchParams.set('type', type);
  return url.href;
}

function answerOf(answer: PartnerAnswer, evseUids: string[]): AuthorizationAnswer | null {
  const { httpStatus, statusCode, data } = answer;
  // "When the eMSP does not know the Token": HTTP 404, or 2004 (§12.2.2.2).
  if (httpStatus === 404 || statusCode === ocpiStatus.unknownToken) {
    return { status: 'Invalid', isKnown: false, authorizationReference: null, token: undefined };
  }
  if (!isSuccess(answer) || typeof data !== 'object' || data === null) return null;
  const { allowed, authorization_reference: reference, location, token } = data as Record<string, unknown>;
  const status = typeof allowed === 'string' ? statuses[allowed] : undefined;
  if (status === undefined) return null;
  const authorizationReference =
    typeof reference === 'string' && /^[^\p{Cc}]{1,36}$/u.test(reference) ? reference : null;
  const isRefusedHere = status === 'Accepted' && !isAllowedThere(evseUidsOf(location), evseUids);
  return { status: isRefusedHere ? 'Invalid' : status, isKnown: true, authorizationReference, token };
}

/** Returns the EVSEs that an authorization is restricted to. Empty: no restriction. */
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
