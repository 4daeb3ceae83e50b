import type { DomainError } from '#shared/domain/kernel/errors.ts';
import { type Party, partyName, type PartyOnWire } from '#shared/domain/roaming/ocpi.ts';
import { listOwnParties } from '#shared/postgres/roaming/ocpi-partner-parties.ts';
import type { RoamingDeps } from './deps.ts';
import type { CallingPartner, PartnerRecord } from './partners.service.ts';
import { invalid } from './wire/date-time.ts';

/** Returns a party on the wire in our names. */
export function partyOf({ country_code: countryCode, party_id: partyId }: PartyOnWire): Party {
  return { countryCode: countryCode.toUpperCase(), partyId: partyId.toUpperCase() };
}

/**
 * Returns the names of those parties whose objects a registered partner may send: of its roles, and of a hub also those that it
 * speaks for.
 */
export async function ownParties(
  { sql }: Pick<RoamingDeps, 'sql'>,
  { id, roles, hubParties }: Pick<PartnerRecord, 'id' | 'roles' | 'hubParties'>,
  named: readonly Party[],
): Promise<Set<string>> {
  const own = hubParties === null ? roles : await listOwnParties(sql, id, named);
  return new Set(own.map(partyName));
}

/**
 * Returns true for an object that a partner must not receive: of a party that it spoke for as a hub, which it is no more. It would
 * be addressed to the hub, which broadcasts what is addressed to it.
 */
export function isWithheld(
  { isFormerHub, parties }: Pick<PartnerRecord, 'isFormerHub' | 'parties'>,
  party: PartyOnWire | null | undefined,
): boolean {
  if (!isFormerHub || !party) return false;
  const name = partyName(partyOf(party));
  return !parties.some((own) => partyName(own) === name);
}

/**
 * Returns the party behind a hub that sent a request, from its routing headers (OCPI 2.2.1 §4.1.7). Null: the hub itself sent it.
 * @throws {DomainError} VALIDATION_FAILED (2001) for a party that the hub does not speak for.
 */
export async function clientOf(
  deps: Pick<RoamingDeps, 'sql'>,
  hub: PartnerRecord,
  { countryCode, partyId }: Record<keyof Party, unknown>,
): Promise<Party | null> {
  if (countryCode === undefined && partyId === undefined) return null;
  if (typeof countryCode !== 'string' || !/^[A-Za-z]{2}$/.test(countryCode)) throw unusable('country-code');
  if (typeof partyId !== 'string' || !/^[A-Za-z0-9]{3}$/.test(partyId)) throw unusable('party-id');
  const client = { countryCode: countryCode.toUpperCase(), partyId: partyId.toUpperCase() };
  const name = partyName(client);
  if (hub.countryCode !== null && hub.partyId !== null) {
    if (name === partyName({ countryCode: hub.countryCode, partyId: hub.partyId })) return null;
  }
  if (!(await ownParties(deps, hub, [client])).has(name)) {
    throw invalid('OCPI-from-party-id', `must name you or a party that you speak for: ${name} is neither`);
  }
  return client;
}

function unusable(header: 'country-code' | 'party-id'): DomainError {
  return invalid(`OCPI-from-${header}`, 'must be sent with the other OCPI-from header, and be of a party');
}

/**
 * Stops a partner that names a token of a party which is not one of its own, or which did not send the request through its hub.
 * @throws {DomainError} VALIDATION_FAILED (2001).
 */
export async function requireOwnParty(
  deps: Pick<RoamingDeps, 'sql'>,
  partner: CallingPartner,
  party: PartyOnWire,
): Promise<void> {
  const { client } = partner;
  const named = partyOf(party);
  const name = partyName(named);
  const isSender = client === null || partyName(client) === name;
  if (isSender && (await ownParties(deps, partner, [named])).has(name)) return;
  throw invalid('party_id', `must be yours: you are not ${party.country_code}-${party.party_id}`);
}
