import { randomUUID } from 'node:crypto';
import type { RoamingDeps } from './deps.ts';
import { type OutboundAnswer, OutboundError } from '#api/services/access/outbound.ts';
import type { PushedObject } from '#shared/domain/roaming/ocpi-push.ts';
import { ocpiStatus, type PartyOnWire } from '#shared/domain/roaming/ocpi.ts';
import type { PartnerRecord } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import { cleaned } from './wire/cleaned.ts';

/** Request to a partner. */
export interface PartnerCall {
  module: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  body?: unknown;
  /** The same through all requests that one event causes; a new one without it. */
  correlationId?: string | undefined;
  timeoutMs?: number | undefined;
  /** Object that the request pushes, for the exchange log. */
  pushed?: { object: PushedObject; objectId: bigint } | undefined;
}

/** Response of a partner: its HTTP status and, where it sent one, its envelope. */
export interface PartnerAnswer {
  httpStatus: number;
  /** Status code of OCPI's envelope. Null: no envelope. */
  statusCode: number | null;
  statusMessage: string | null;
  data: unknown;
  /** URL of a list's next page (header Link, OCPI 2.2.1 §4.1.4.2). Null: this was the last. */
  nextUrl: string | null;
}

/** Fields of a partner that a call needs. */
export type CalledPartner = Pick<
  PartnerRecord,
  'id' | 'networkId' | 'theirToken' | 'quirks' | 'countryCode' | 'partyId' | 'ocpiVersion'
> & {
  /** Sender of the call (routing headers, OCPI 2.2.1 §4.1.4.1). */
  from: { countryCode: string; partyId: string };
};

type Addressee = Pick<PartnerRecord, 'roles' | 'countryCode' | 'partyId' | 'hubParties'>;

/**
 * Returns a partner with one of its parties as the addressee, such as the owner of a token or the sender of a
 * request. A hub forwards to the party that it is given. Without a party behind it there is no addressee, because the hub sends to
 * all of its clients what is addressed to the hub itself. Another partner's party outside the platform (OCPI 2.2.1 §4.1.4.1) is
 * replaced by the one that the partner is registered as.
 */
export function addressedFor<Partner extends Addressee>(
  partner: Partner,
  party: PartyOnWire | null | undefined,
): Partner {
  if (partner.hubParties !== null) {
    const isItself = party?.country_code === partner.countryCode && party?.party_id === partner.partyId;
    if (!party || isItself) return openlyRouted(partner);
    return { ...partner, countryCode: party.country_code, partyId: party.party_id };
  }
  const owner = partner.roles.find(
    ({ countryCode, partyId }) => countryCode === party?.country_code && partyId === party.party_id,
  );
  return owner === undefined
    ? partner
    : { ...partner, countryCode: owner.countryCode, partyId: owner.partyId };
}

/**
 * Returns a partner without an addressee: a hub finds the receiver itself (OCPI 2.2.1 §4.1.7, Open Routing Request). Another
 * partner keeps its addressee.
 */
export function openlyRouted<Partner extends Addressee>(partner: Partner): Partner {
  return partner.hubParties === null ? partner : { ...partner, countryCode: null, partyId: null };
}

const defaultTimeoutMs = 10_000;

/**
 * Sends one request to a partner and logs the exchange. Whether the answer is a success is the caller's to say
 * (`isSuccess`).
 * @throws {OutboundError} when there was no answer.
 */
export async function callPartner(
  { outbound, exchanges, secrets }: Pick<RoamingDeps, 'outbound' | 'exchanges' | 'secrets'>,
  partner: CalledPartner,
  {
    module,
    method,
    url,
    body,
    correlationId = randomUUID(),
    timeoutMs = defaultTimeoutMs,
    pushed,
  }: PartnerCall,
): Promise<PartnerAnswer> {
  const time = Date.now();
  const startedAt = performance.now();
  const requestId = randomUUID();
  const request = body === undefined ? undefined : JSON.stringify(body);
  const note = (outcome: { httpStatus: number; ocpiStatus: number; response: string; error: string }) =>
    exchanges.add({
      networkId: partner.networkId,
      partnerId: partner.id,
      time,
      id: requestId,
      direction: 'out',
      module,
      method,
      url,
      latencyMs: performance.now() - startedAt,
      requestId,
      correlationId,
      request: request ?? '',
      object: pushed?.object ?? '',
      objectId: String(pushed?.objectId ?? 0),
      ...outcome,
    });
  try {
    const send = (to: string): Promise<OutboundAnswer> =>
      outbound.send({
        method,
        url: to,
        headers: {
          ...headersTo(partner, secrets.openText(partner.theirToken ?? ''), module),
          'x-request-id': requestId,
          'x-correlation-id': correlationId,
        },
        ...(request !== undefined && { body: request }),
        timeoutMs,
      });
    const first = await send(url);
    const target = redirectTarget(first, url);
    const { status, headers, text } = target?.isFollowed === true ? await send(target.url) : first;
    const error = target === null || target.isFollowed ? '' : `redirects to ${target.url}`;
    const envelope = envelopeOf(text);
    const statusMessage = error === '' ? envelope.statusMessage : error;
    const answer = { httpStatus: status, ...envelope, statusMessage, nextUrl: nextOf(headers['link']) };
    note({ httpStatus: status, ocpiStatus: answer.statusCode ?? 0, response: text, error });
    return answer;
  } catch (error) {
    const reason = error instanceof OutboundError ? `${error.fault}: ${error.message}` : String(error);
    note({ httpStatus: 0, ocpiStatus: 0, response: '', error: reason });
    throw error;
  }
}

/**
 * Returns the target of a redirect, or null for other responses. A redirect that keeps the method (307, 308) to the same origin is
 * followed once, such as from a path without a trailing slash. The token must not be sent to another server.
 */
function redirectTarget(
  { status, headers: { location } }: OutboundAnswer,
  url: string,
): { url: string; isFollowed: boolean } | null {
  if (status < 300 || status >= 400 || location === undefined || !URL.canParse(location, url)) return null;
  const target = new URL(location, url);
  const keepsRequest = status === 307 || status === 308;
  return { url: target.href, isFollowed: keepsRequest && target.origin === new URL(url).origin };
}

/**
 * Returns whether a partner accepted a request: HTTP 2xx and, where there is an envelope, a status code of
 * 1xxx.
 */
export function isSuccess({ httpStatus, statusCode }: PartnerAnswer): boolean {
  return (
    httpStatus >= 200 && httpStatus < 300 && (statusCode === null || Math.floor(statusCode / 1000) === 1)
  );
}

/** Status codes with which a hub reports that it cannot reach the receiver (OCPI 2.2.1 §5.1.4). */
const undeliveredCodes: ReadonlySet<number | null> = new Set([
  ocpiStatus.unknownReceiver,
  ocpiStatus.forwardedTimeout,
  ocpiStatus.connectionProblem,
]);

/** Returns true for the answer of a hub that it could not reach the party behind it to which a request was addressed. */
export function isUndelivered(
  hub: Addressee,
  addressed: Pick<Addressee, 'countryCode' | 'partyId'>,
  { httpStatus, statusCode }: PartnerAnswer,
): boolean {
  if (hub.hubParties === null || addressed.partyId === null) return false;
  const isItself = addressed.countryCode === hub.countryCode && addressed.partyId === hub.partyId;
  return !isItself && httpStatus >= 200 && httpStatus < 300 && undeliveredCodes.has(statusCode);
}

/** Modules between platforms, not parties, whose requests have no routing headers (OCPI 2.2.1 §4.1.7, Message Routing Headers). */
export const configurationModules: ReadonlySet<string> = new Set([
  'versions',
  'credentials',
  'hubclientinfo',
]);

function headersTo(
  { quirks, countryCode, partyId, from, ocpiVersion }: CalledPartner,
  token: string,
  module: string,
): Record<string, string> {
  // 2.1.1 sends tokens as they are, and has no routing headers.
  const isFlat = ocpiVersion === '2.1.1';
  const isEncoded = quirks.tokenEncoding === 'base64' && !isFlat;
  const shown = isEncoded ? Buffer.from(token).toString('base64') : token;
  const headers = {
    authorization: `Token ${shown}`,
    'content-type': 'application/json',
    accept: 'application/json',
  };
  if (isFlat || configurationModules.has(module)) return headers;
  return {
    ...headers,
    'ocpi-from-country-code': from.countryCode,
    'ocpi-from-party-id': from.partyId,
    ...(countryCode !== null && { 'ocpi-to-country-code': countryCode }),
    ...(partyId !== null && { 'ocpi-to-party-id': partyId }),
  };
}

function nextOf(link: string | string[] | undefined): string | null {
  return /<([^>]+)>\s*;[^,]*\brel="?next\b/i.exec([link].flat().join(','))?.[1] ?? null;
}

function envelopeOf(text: string): Omit<PartnerAnswer, 'httpStatus' | 'nextUrl'> {
  const none = { statusCode: null, statusMessage: null, data: undefined };
  try {
    const parsed = JSON.parse(text) as unknown;
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return none;
    const { status_code: code, status_message: message, data } = parsed as Record<string, unknown>;
    return {
      statusCode: typeof code === 'number' ? code : null,
      statusMessage: typeof message === 'string' ? message : null,
      data: cleaned(data),
    };
  } catch {
    return none;
  }
}
