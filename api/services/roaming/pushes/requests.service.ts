import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import { DomainError, type ErrorCode } from '#shared/domain/kernel/errors.ts';
import type { PushedModule, PushedObject } from '#shared/domain/roaming/ocpi-push.ts';
import type { CdrToken } from '#shared/domain/roaming/roaming.ts';
import { type ClaimedPush, findPushedName, type PushedName } from '#shared/postgres/roaming/ocpi-pushes.ts';
import { readPartnerSessions } from '#shared/postgres/roaming/ocpi-sessions.ts';
import { readOcpiEvse, readOcpiLocation } from '#api/services/roaming/locations.service.ts';
import { partnerReadings } from '#api/services/roaming/sessions.service.ts';
import { readOcpiTariff } from '#api/services/roaming/tariffs.service.ts';
import type { OcpiSerializer } from '#api/services/roaming/wire/serializer.ts';
import type { Cdr } from '#api/services/roaming/wire/v221/cdr.ts';

type Deps = Pick<RoamingDeps, 'sql' | 'clickhouse'>;

/** Network of ours that sends, and the version in which it does. */
interface Sender {
  networkId: number;
  countryCode: string;
  partyId: string;
  serializer: OcpiSerializer;
  /** True when the operator marked the partner that receives. */
  isNationalAccessPoint: boolean;
}

/** Request to a partner's receiver. */
export interface PushRequest {
  module: PushedModule;
  method: 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /** Path after the endpoint's address. */
  path: string[];
  body?: unknown;
  /** Token that the object belongs to, where it belongs to one. */
  token?: CdrToken | undefined;
  /**
   * Object that is sent whole where the partner does not know the one to change. Null: none, the request is
   * done then. Without it the request creates the unknown object.
   */
  ifUnknown?: { object: PushedObject; objectId: bigint } | null;
}

/** Returns the request that sends a partner an object as it is now, in the partner's version. Null: nothing to send. */
export async function requestFor(deps: Deps, sender: Sender, push: ClaimedPush): Promise<PushRequest | null> {
  const name = await findPushedName<Cdr>(deps.sql, sender.networkId, push);
  if (name === null) return null;
  return requests[push.object](deps, sender, push, name);
}

/** A partner is sent what changes after its registration. */
const everything = ({ networkId, isNationalAccessPoint }: Sender) => ({
  networkId,
  firstRegisteredAt: null,
  isNationalAccessPoint,
});

type MakeRequest = (
  deps: Deps,
  sender: Sender,
  push: ClaimedPush,
  name: PushedName<Cdr>,
) => Promise<PushRequest | null>;

const requests: Record<PushedObject, MakeRequest> = {
  location: locationRequest,
  evse: evseRequest,
  tariff: tariffRequest,
  session: sessionRequest,
  // §10.2.2: a partner that has it answers so, and it is never changed.
  cdr: async (_deps, { serializer }, _push, { document }) =>
    document && {
      module: 'cdrs',
      method: 'POST',
      path: [],
      body: serializer.cdr(document),
      token: document.cdr_token,
    },
};

/**
 * Returns a PUT (§8.2.2.2). A withdrawn location is sent as such, since no location is ever deleted (§8.2.2). An EVSE that
 * left the location is not part of it: a partner that identifies EVSEs only by their uid would lose it at the next one.
 */
async function locationRequest(
  deps: Deps,
  sender: Sender,
  _push: ClaimedPush,
  { key }: PushedName<Cdr>,
): Promise<PushRequest | null> {
  const { serializer } = sender;
  const location = await unless('LOCATION_NOT_FOUND', readOcpiLocation(deps, everything(sender), key));
  const place = { module: 'locations' as const, path: [sender.countryCode, sender.partyId, key] };
  if (location !== null && !location.isWithdrawn) {
    const evses = location.evses.filter(({ withdrawnAt }) => withdrawnAt === null);
    return { ...place, method: 'PUT', body: serializer.location({ ...location, evses }) };
  }
  if (serializer.withdrawnLocation !== null) {
    return { ...place, method: 'PATCH', body: serializer.withdrawnLocation(new Date()), ifUnknown: null };
  }
  // A version without `publish`: all EVSEs of the location are REMOVED.
  return location && { ...place, method: 'PUT', body: serializer.location(location) };
}

/**
 * Returns a PATCH of the EVSE's status (§8.2.2.3), or a PUT of the whole. The EVSE is part of its location,
 * which the partner may not know yet. If the EVSE lacks a required field by now, its location is sent without
 * it.
 */
async function evseRequest(
  deps: Deps,
  sender: Sender,
  push: ClaimedPush,
  name: PushedName<Cdr>,
): Promise<PushRequest | null> {
  const { key, locationId } = name;
  const evse = await unless('EVSE_NOT_FOUND', readOcpiEvse(deps, everything(sender), null, key));
  if (evse === null || locationId === null) return null;
  // Of an EVSE that is withdrawn with its location or charger, the location was sent. Its later removal is not sent.
  if (evse.withdrawnAt !== null) return null;
  const whole = sender.serializer.evse(evse);
  if (whole === null) {
    return push.isWhole ? locationRequest(deps, sender, push, { ...name, key: evse.locationOcpiId }) : null;
  }
  const request = {
    module: 'locations' as const,
    path: [sender.countryCode, sender.partyId, evse.locationOcpiId, key],
    ifUnknown: { object: 'location' as const, objectId: BigInt(locationId) },
  };
  if (push.isWhole) return { ...request, method: 'PUT', body: whole };
  const body = { status: evse.status, last_updated: evse.lastUpdated.toISOString() };
  return { ...request, method: 'PATCH', body };
}

/**
 * Returns a PUT (§11.2.2.2), or a DELETE (§11.2.2.3) of a tariff that is not visible any more or that the partner's version
 * cannot express.
 */
async function tariffRequest(
  deps: Deps,
  sender: Sender,
  _push: ClaimedPush,
  { key }: PushedName<Cdr>,
): Promise<PushRequest> {
  const tariff = await unless('TARIFF_NOT_FOUND', readOcpiTariff(deps, everything(sender), key));
  const place = { module: 'tariffs' as const, path: [sender.countryCode, sender.partyId, key] };
  const body = tariff === null || tariff.endedAt !== null ? null : sender.serializer.tariff(tariff);
  if (body === null) return { ...place, method: 'DELETE', ifUnknown: null };
  return { ...place, method: 'PUT', body };
}

/**
 * PUT (§9.2.2.2), or PATCH (§9.2.2.3) of what changes while it charges. Without its charging periods: those of a PATCH are added
 * to the ones that the partner has, and a push may come twice. The next PUT has them all.
 */
async function sessionRequest(
  deps: Deps,
  { serializer }: Sender,
  push: ClaimedPush,
  { key }: PushedName<Cdr>,
): Promise<PushRequest | null> {
  const [reading] = await partnerReadings(deps, await readPartnerSessions(deps.sql, [push.objectId]));
  if (reading?.session.partnerId !== push.partnerId) return null;
  const { countryCode, partyId, token } = reading.session;
  const whole = serializer.session(reading);
  const path = [countryCode, partyId, key];
  const { kwh, total_cost, status, last_updated } = whole;
  if (push.isWhole) return { module: 'sessions', method: 'PUT', path, body: whole, token };
  const ifUnknown = { object: 'session', objectId: push.objectId } as const;
  return {
    module: 'sessions',
    method: 'PATCH',
    path,
    body: { kwh, total_cost, status, last_updated },
    token,
    ifUnknown,
  };
}

/** The answer, or null where there is nothing of that name to see. */
async function unless<T>(code: ErrorCode, answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof DomainError && error.code === code) return null;
    throw error;
  }
}
