import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type NetworkScope, onlyNetworks } from '#shared/domain/access/tenancy.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import {
  findNetwork,
  holdNetwork,
  listNetworks,
  type NetworkRecord,
} from '#shared/postgres/fleet/networks.statements.ts';
import type { Caller } from './callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Reads of networks: by the pool, or by the transaction of a caller that has one and must not wait for a second connection. */
interface NetworkReads {
  sql: Queryable;
}

/** Returns the number of networks that the caller can operate. */
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
  deps: NetworkReads,
  caller: Caller,
  networkUuid: string | undefined,
  field = 'networkUuid',
): Promise<NetworkRecord> {
  if (networkUuid !== undefined) return namedNetwork(deps, caller, networkUuid);
  const networks = await listNetworks(deps.sql, caller.networks);
  const [only] = networks;
  if (only === undefined)
    throw new DomainError('NETWORK_NOT_FOUND', 'This key has no access to any network.');
  if (networks.length === 1) return only;
  throw new DomainError(
    'VALIDATION_FAILED',
    `${field} is required: this key has access to ${networks.length} networks.`,
    { errors: [{ field, message: 'is required' }] },
  );
}

/**
 * One network of the caller's.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function namedNetwork(
  { sql }: NetworkReads,
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
