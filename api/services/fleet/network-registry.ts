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
import { type Actor } from '#api/services/access/audit.ts';
import { type Caller, requireScope } from '#api/services/access/callers.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { defined } from '#api/services/kernel/edits.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { withSellerFields } from './sellers.ts';
import { requireTimeZone } from '#api/services/kernel/time-zones.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';

export type { NetworkDetailRecord } from '#shared/postgres/fleet/network-details.ts';

const networks = new AuditedRecords<NetworkDetailRecord>({
  category: 'network',
  notFound: 'NETWORK_NOT_FOUND',
  find: findNetworkDetails,
  networkOf: ({ id }) => id,
  nameOf: ({ name }) => name,
});

/** Required fields of a new network; the rest has defaults. */
type NewNetwork = NetworkChange & Pick<NetworkDetails, 'name'> & { slug: string; currency: string };

/** Fields of a network that can be set; `minimumBalance` in the major unit of its currency. */
type NetworkChange = Partial<Omit<NetworkDetails, 'minimumBalanceMinor'>> & {
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
  return networks.require(sql, caller.networks, uuid);
}

/**
 * Makes a network: the business of first-party callers, who are not pinned to networks.
 * @throws {DomainError} NETWORK_NOT_ALLOWED, NETWORK_EXISTS, SCOPE_MISSING, VALIDATION_FAILED.
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
  requireFactorSetter(by.caller, defaults, network);
  requireTimeZone(details.timeZone);
  try {
    const { slug, currency } = network;
    return await networks.create(sql, by, (transaction) =>
      insertNetwork(transaction, { ...details, slug, currency }),
    );
  } catch (error) {
    if (!violates(error, 'networks_slug_key')) throw error;
    throw new DomainError('NETWORK_EXISTS', `There is a network with the slug ${network.slug} already.`);
  }
}

/**
 * Changes fields of a network; undefined fields stay.
 * @throws {DomainError} NETWORK_NOT_FOUND, NETWORK_NOT_ALLOWED, PRECONDITION_FAILED, SCOPE_MISSING, VALIDATION_FAILED.
 */
export async function changeNetwork(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  change: NetworkChange,
): Promise<NetworkDetailRecord> {
  requireTimeZone(change.timeZone);
  return networks.change(sql, by, uuid, expected, (transaction, before) => {
    requireLimitSetter(by.caller, before, change);
    requireFactorSetter(by.caller, before, change);
    const details = { ...before, ...storedFields(change, before.currency) };
    return updateNetwork(transaction, before.id, details);
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
  await networks.remove(sql, by, uuid, expected, async (transaction, { id }) => {
    if (await isNetworkInUse(transaction, id)) {
      throw new DomainError(
        'NETWORK_IN_USE',
        'The network still has chargers or drivers: remove them first.',
      );
    }
    await removeNetwork(transaction, id);
  });
}

const defaults: Omit<NetworkDetails, 'name'> = {
  timeZone: 'UTC',
  countryCode: 'NL',
  partyId: 'CWY',
  language: 'en',
  allowsUnauthenticatedChargers: false,
  requiresVerifiedEmail: false,
  requiresSecondFactor: false,
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
  chargingUrl: null,
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

/**
 * The setting decides on the log-in of accounts, so that it needs their scope.
 * @throws {DomainError} SCOPE_MISSING.
 */
function requireFactorSetter(
  caller: Caller,
  { requiresSecondFactor }: Pick<NetworkDetails, 'requiresSecondFactor'>,
  change: Pick<NetworkChange, 'requiresSecondFactor'>,
): void {
  if (change.requiresSecondFactor === undefined || change.requiresSecondFactor === requiresSecondFactor)
    return;
  requireScope(caller, 'cpms:write:operators');
}
