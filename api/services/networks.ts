import { DomainError } from '#shared/domain/errors.ts';
import { allNetworks, type NetworkScope, onlyNetworks } from '#shared/domain/tenancy.ts';
import type { Transaction } from '#shared/postgres/client.ts';
import { findNetwork, holdNetwork, listNetworks, type NetworkRecord } from '#shared/postgres/networks.ts';
import type { Caller } from './callers.ts';
import type { ServiceDeps } from './deps.ts';
import { wrongField } from './wrong-field.ts';

/** How many networks the caller may operate. */
export async function countNetworks({ sql }: ServiceDeps, caller: Caller): Promise<number> {
  return (await listNetworks(sql, caller.networks)).length;
}

/**
 * The networks that a call is about: the one it names, else all that the caller may access.
 * @throws {DomainError} NETWORK_NOT_FOUND for an unknown network and for another tenant's alike.
 */
export async function networksOfCall(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
): Promise<NetworkScope> {
  if (networkUuid === undefined) return caller.networks;
  const network = await namedNetwork(deps, caller, networkUuid);
  return onlyNetworks([network.id]);
}

/**
 * The one network that something new goes into: the one the call names, else the caller's only one.
 * @throws {DomainError} NETWORK_NOT_FOUND; VALIDATION_FAILED when none is named and the caller has several.
 */
export async function networkForNew(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  field = 'networkUuid',
): Promise<NetworkRecord> {
  if (networkUuid !== undefined) return namedNetwork(deps, caller, networkUuid);
  const networks = await listNetworks(deps.sql, caller.networks);
  const [only] = networks;
  if (only === undefined) throw new DomainError('NETWORK_NOT_FOUND', 'This key reaches no network.');
  if (networks.length === 1) return only;
  throw new DomainError(
    'VALIDATION_FAILED',
    `${field} is required: this key reaches ${networks.length} networks.`,
    { errors: [{ field, message: 'is required' }] },
  );
}

/**
 * The network that a driver means who has not logged in: the one that is named, else the only one there is. An account belongs
 * to one network, and the same address may have one in several.
 * @throws {DomainError} VALIDATION_FAILED when there is no such network, or there are several and none is named.
 */
export async function networkOfDrivers(
  { sql }: ServiceDeps,
  networkUuid: string | undefined,
): Promise<NetworkRecord> {
  if (networkUuid !== undefined) {
    const named = await findNetwork(sql, allNetworks, networkUuid);
    if (named === null) throw wrongField('networkId', 'is no network');
    return named;
  }
  const [only, ...others] = await listNetworks(sql, allNetworks);
  if (only === undefined) throw wrongField('networkId', 'is required: no network is served here');
  if (others.length > 0) throw wrongField('networkId', 'is required: several networks are served here');
  return only;
}

/**
 * One network of the caller's.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function namedNetwork(
  { sql }: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<NetworkRecord> {
  const network = await findNetwork(sql, caller.networks, uuid);
  if (network === null) throw noNetwork(uuid);
  return network;
}

/**
 * Keeps a network from being removed before the end of the transaction.
 * @throws {DomainError} NETWORK_NOT_FOUND when it was removed since it was read.
 */
export async function keepNetwork(
  transaction: Transaction,
  { id, uuid }: Pick<NetworkRecord, 'id' | 'uuid'>,
): Promise<void> {
  if (!(await holdNetwork(transaction, id))) throw noNetwork(uuid);
}

function noNetwork(uuid: string): DomainError {
  return new DomainError('NETWORK_NOT_FOUND', `There is no network ${uuid}.`);
}
