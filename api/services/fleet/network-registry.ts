import { DomainError } from '#shared/domain/kernel/errors.ts';
import { violates } from '#shared/postgres/kernel/client.ts';
import {
  findNetworkDetails,
  insertNetwork,
  isNetworkInUse,
  listNetworkDetails,
  type NetworkDetailRecord,
  type NetworkDetails,
  removeNetwork,
  updateNetwork,
} from '#shared/postgres/fleet/network-details.ts';
import { inMinor } from '#api/services/kernel/amounts.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { defined, requireVersion } from '#api/services/kernel/edits.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { withSellerFields } from './sellers.ts';
import { requireTimeZone } from '#api/services/kernel/time-zones.ts';

export type { NetworkDetailRecord } from '#shared/postgres/fleet/network-details.ts';

/** Required fields of a new network; the rest has defaults. */
export type NewNetwork = NetworkChange & Pick<NetworkDetails, 'name'> & { slug: string; currency: string };

/** Fields of a network that can be set; `minimumBalance` in the major unit of its currency. */
export type NetworkChange = Partial<Omit<NetworkDetails, 'minimumBalanceMinor'>> & {
  minimumBalance?: number;
};

/** One page of the networks that the caller may operate, oldest first. */
export async function listOwnNetworks(
  { sql }: ServiceDeps,
  caller: Caller,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: NetworkDetailRecord[]; nextCursor: string | null }> {
  const after = decodeIdCursor(cursor);
  return cutById(await listNetworkDetails(sql, caller.networks, after, limit + 1), limit);
}

/** @throws {DomainError} NETWORK_NOT_FOUND. */
export async function readNetwork(
  { sql }: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<NetworkDetailRecord> {
  return found(await findNetworkDetails(sql, caller.networks, uuid), uuid);
}

/**
 * Makes a network: the business of first-party callers, who are not pinned to networks.
 * @throws {DomainError} NETWORK_NOT_ALLOWED, NETWORK_EXISTS, VALIDATION_FAILED.
 */
export async function createNetwork(
  { sql }: ServiceDeps,
  by: Actor,
  network: NewNetwork,
): Promise<NetworkDetailRecord> {
  if (!by.caller.unrestricted) {
    throw new DomainError(
      'NETWORK_NOT_ALLOWED',
      'Only a caller that is not restricted to networks can create a network.',
    );
  }
  const details = { ...defaults, ...storedFields(network, network.currency), name: network.name };
  requireTimeZone(details.timeZone);
  try {
    return await sql.begin(async (transaction) => {
      const made = await insertNetwork(transaction, {
        ...details,
        slug: network.slug,
        currency: network.currency,
      });
      await auditChange(transaction, by, { ...audited(made, 'create'), before: null, after: made });
      return made;
    });
  } catch (error) {
    if (!violates(error, 'networks_slug_key')) throw error;
    throw new DomainError('NETWORK_EXISTS', `There is a network with the slug ${network.slug} already.`);
  }
}

/**
 * Changes fields of a network; undefined fields stay.
 * @throws {DomainError} NETWORK_NOT_FOUND, NETWORK_NOT_ALLOWED, PRECONDITION_FAILED, VALIDATION_FAILED.
 */
export async function changeNetwork(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  change: NetworkChange,
): Promise<NetworkDetailRecord> {
  requireTimeZone(change.timeZone);
  return sql.begin(async (transaction) => {
    const before = found(await findNetworkDetails(transaction, by.caller.networks, uuid, true), uuid);
    requireVersion(before, expected);
    requireLimitSetter(by.caller, before, change);
    const after = await updateNetwork(transaction, before.id, {
      ...before,
      ...storedFields(change, before.currency),
    });
    await auditChange(transaction, by, { ...audited(before, 'update'), before, after });
    return after;
  });
}

/**
 * Removes a network that has no chargers and no drivers any more.
 * @throws {DomainError} NETWORK_NOT_FOUND, NETWORK_IN_USE, PRECONDITION_FAILED.
 */
export async function deleteNetwork(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  await sql.begin(async (transaction) => {
    const before = found(await findNetworkDetails(transaction, by.caller.networks, uuid, true), uuid);
    requireVersion(before, expected);
    if (await isNetworkInUse(transaction, before.id)) {
      throw new DomainError(
        'NETWORK_IN_USE',
        'The network still has chargers or drivers: remove them first.',
      );
    }
    await removeNetwork(transaction, before.id);
    await auditChange(transaction, by, { ...audited(before, 'delete'), before, after: null });
  });
}

const defaults: Omit<NetworkDetails, 'name'> = {
  timeZone: 'UTC',
  countryCode: 'NL',
  partyId: 'CWY',
  language: 'en',
  allowsUnauthenticatedChargers: false,
  requiresVerifiedEmail: false,
  newChargerRegistration: 'Accepted',
  minimumBalanceMinor: 500n,
  rateLimitPerMinute: null,
  personalDataDays: null,
  legalName: null,
  vatNumber: null,
  postalAddress: null,
  postalCode: null,
  city: null,
  country: null,
  iban: null,
  bic: null,
  bankAccount: null,
  paymentTermDays: 30,
  website: null,
  supportEmail: null,
  supportPhone: null,
  logoUrl: null,
  primaryColor: null,
  secondaryColor: null,
};

/** Returns the given fields as they are stored. */
function storedFields({ minimumBalance, ...given }: NetworkChange, currency: string) {
  const details = withSellerFields(defined(given));
  if (minimumBalance === undefined) return details;
  return { ...details, minimumBalanceMinor: inMinor(minimumBalance, currency, 'minimumBalance') };
}

/**
 * A network cannot widen what the installation grants it. Sending the present limit is no change.
 * @throws {DomainError} NETWORK_NOT_ALLOWED.
 */
function requireLimitSetter(
  { unrestricted }: Caller,
  { rateLimitPerMinute }: NetworkDetails,
  change: NetworkChange,
): void {
  if (unrestricted || change.rateLimitPerMinute === undefined) return;
  if (change.rateLimitPerMinute === rateLimitPerMinute) return;
  throw new DomainError(
    'NETWORK_NOT_ALLOWED',
    'Only a caller that is not restricted to networks can change `rateLimitPerMinute`.',
  );
}

function audited({ id, uuid, name }: NetworkDetailRecord, action: string) {
  return { networkId: id, category: 'network', action, resourceId: uuid, resourceName: name };
}

function found(network: NetworkDetailRecord | null, uuid: string): NetworkDetailRecord {
  if (network === null) throw new DomainError('NETWORK_NOT_FOUND', `There is no network ${uuid}.`);
  return network;
}
