import { moduleOfObject, type PushPolicy } from '#shared/domain/roaming/ocpi-push.ts';
import { ocpiStatus, type PartyOnWire } from '#shared/domain/roaming/ocpi.ts';
import { findReceivingPartner } from '#shared/postgres/roaming/ocpi-receivers.ts';
import {
  settleDeferred,
  settleFailed,
  settleRefused,
  settleReplaced,
  settleSent,
  settleVoid,
} from '#shared/postgres/roaming/ocpi-push-results.ts';
import type { ClaimedPush } from '#shared/postgres/roaming/ocpi-pushes.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import { OutboundError } from '#api/services/access/outbound.ts';
import { clientStateOf } from '#api/services/roaming/hub-clients.ts';
import { ourRole } from '#api/services/roaming/our-credentials.ts';
import { isWithheld } from '#api/services/roaming/own-parties.ts';
import {
  addressedFor,
  type CalledPartner,
  callPartner,
  isSuccess,
  isUndelivered,
  openlyRouted,
  type PartnerAnswer,
} from '#api/services/roaming/partner-calls.ts';
import type { PartnerRecord } from '#api/services/roaming/partners.service.ts';
import { serializerFor } from '#api/services/roaming/wire/serializer.ts';
import { type PushRequest, requestFor } from './requests.service.ts';

type Deps = Pick<RoamingDeps, 'sql' | 'clickhouse' | 'outbound' | 'exchanges' | 'secrets'>;

/** Outcome of a request, which settles a push. */
type Outcome =
  | { kind: 'sent' }
  /** The partner does not know the object to change. */
  | { kind: 'unknown' }
  /** The hub responded, and could not reach the party to which the object was addressed. */
  | { kind: 'undelivered'; error: string }
  /** The partner responded, and refuses this object. */
  | { kind: 'refused'; error: string }
  /** The partner did not respond, or not with OCPI: it may be unavailable. */
  | { kind: 'failed'; error: string };

/**
 * Sends one object to its partner as it is now, and settles the outcome.
 * @returns the reason of the refusal when the push was given up; else null.
 */
export async function sendPush(deps: Deps, push: ClaimedPush, policy: PushPolicy): Promise<string | null> {
  const { sql } = deps;
  const partner = await findReceivingPartner(sql, push.partnerId, moduleOfObject[push.object]);
  // Suspended or unregistered on the way here. What it is owed stays, and is due again when its claim ends.
  if (partner?.status !== 'REGISTERED') return null;
  const { receiver: url, networkId, ocpiVersion } = partner;
  const from = await ourRole(deps, networkId);
  const { isNationalAccessPoint } = partner;
  const sender = { ...from, networkId, serializer: serializerFor(ocpiVersion), isNationalAccessPoint };
  const request = url === null ? null : await requestFor(deps, sender, push);
  if (url === null || request === null) {
    await settleVoid(sql, push);
    return null;
  }
  const obstacle = await obstacleTo(deps, partner, request.token);
  if (obstacle !== null) {
    // A session that the party missed is its own to read once it is connected (OCPI 2.2.1 §15.1.2).
    if (push.object === 'cdr') {
      await settleDeferred(sql, push, policy, obstacle.reason, obstacle.isLasting);
    } else await settleVoid(sql, push);
    return null;
  }
  const outcome = await send(deps, { ...partner, from }, url, request, push, policy.timeoutMs);
  if (outcome.kind === 'undelivered') return settleUndelivered(sql, push, policy, outcome.error);
  if (outcome.kind === 'refused') {
    return (await settleRefused(sql, push, policy, outcome.error)) ? outcome.error : null;
  }
  if (outcome.kind === 'failed') await settleFailed(sql, push, policy, outcome.error);
  // What the partner is to forget it may well not know.
  else if (outcome.kind === 'unknown' && request.ifUnknown) {
    await settleReplaced(sql, push, policy, request.ifUnknown);
  } else await settleSent(sql, push, policy);
  return null;
}

/**
 * Settles a push that a hub could not forward. It is no fault of the hub or of its other clients.
 * @returns the reason when the push was given up; else null.
 */
async function settleUndelivered(
  sql: Sql,
  push: ClaimedPush,
  policy: PushPolicy,
  reason: string,
): Promise<string | null> {
  if (push.object === 'cdr' || push.attempts < policy.maxRefusals) {
    await settleDeferred(sql, push, policy, reason);
    return null;
  }
  await settleVoid(sql, push);
  return reason;
}

/** Returns a partner with the addressee of a push: a hub broadcasts what is for all of its clients, except a DELETE. */
function addresseeOf(partner: PartnerRecord, { module, method, token }: PushRequest): PartnerRecord {
  if (module !== 'locations' && module !== 'tariffs') return addressedFor(partner, token);
  return method === 'DELETE' ? openlyRouted(partner) : partner;
}

/** Reason that an object cannot be sent to the party of its token now. */
interface Obstacle {
  reason: string;
  /** True: it persists until an operator or the partner changes something. */
  isLasting: boolean;
}

/** Returns the reason that an object cannot be sent to the party of its token now, or null. */
async function obstacleTo(
  deps: Deps,
  partner: PartnerRecord,
  token: PartyOnWire | undefined,
): Promise<Obstacle | null> {
  if (isWithheld(partner, token)) {
    return { reason: 'the partner is no longer the hub of the party', isLasting: true };
  }
  const state = await clientStateOf(deps, partner, token);
  if (state === 'CONNECTED') return null;
  return { reason: `the hub reports the party as ${state}`, isLasting: state === 'SUSPENDED' };
}

async function send(
  deps: Deps,
  partner: PartnerRecord & Pick<CalledPartner, 'from'>,
  url: string,
  request: PushRequest,
  pushed: Pick<ClaimedPush, 'object' | 'objectId'>,
  timeoutMs: number,
): Promise<Outcome> {
  const { module, method, path, body, ifUnknown } = request;
  const called = { ...partner, ...addresseeOf(partner, request) };
  try {
    const call = { module, method, url: under(url, path), body, timeoutMs, pushed };
    const answer = await callPartner(deps, called, call);
    if (isUndelivered(partner, called, answer)) return { kind: 'undelivered', error: errorOf(answer) };
    return outcomeOf(answer, method, ifUnknown !== undefined);
  } catch (error) {
    if (error instanceof OutboundError) return { kind: 'failed', error: `${error.fault}: ${error.message}` };
    throw error;
  }
}

/** An endpoint's address with these segments at its end. */
function under(endpoint: string, path: readonly string[]): string {
  const url = new URL(endpoint);
  url.pathname = [url.pathname.replace(/\/+$/, ''), ...path.map(encodeURIComponent)].join('/');
  return url.href;
}

const unknownStatuses = new Set([404, 410]);
/** Answers that say nothing of the object: of a wrong token, too many requests, a request that took too long. */
const awayStatuses = new Set([401, 403, 404, 408, 410, 425, 429]);

/**
 * Returns the outcome of a response (OCPI 2.2.1 §5).
 * @param mayBeUnknown whether the request is for something that the partner should have. A PUT or POST
 * creates it, so 404 then means that the endpoint is gone.
 */
function outcomeOf(answer: PartnerAnswer, method: string, mayBeUnknown: boolean): Outcome {
  const { httpStatus, statusCode } = answer;
  if (isSuccess(answer)) return { kind: 'sent' };
  if (method === 'POST' && isThereAlready(answer)) return { kind: 'sent' };
  if (mayBeUnknown && (unknownStatuses.has(httpStatus) || statusCode === ocpiStatus.unknownLocation)) {
    return { kind: 'unknown' };
  }
  const isOfPartner = httpStatus >= 200 && httpStatus < 500 && !(httpStatus >= 300 && httpStatus < 400);
  const isAway = !isOfPartner || awayStatuses.has(httpStatus) || (statusCode !== null && statusCode >= 3000);
  return { kind: isAway ? 'failed' : 'refused', error: errorOf(answer) };
}

function errorOf({ httpStatus, statusCode, statusMessage }: PartnerAnswer): string {
  const message = statusMessage === null ? '' : `: ${statusMessage}`;
  return `HTTP ${httpStatus}, status_code ${statusCode ?? 'none'}${message}`;
}

/** OCPI has no code for a CDR that is sent twice: partners say 409, or so in words. */
function isThereAlready({ httpStatus, statusCode, statusMessage }: PartnerAnswer): boolean {
  if (httpStatus === 409) return true;
  return (
    statusCode !== null &&
    Math.floor(statusCode / 1000) === 2 &&
    /\b(already (exists|known|received|there)|duplicate)\b/i.test(statusMessage ?? '')
  );
}
