import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { findNetworkOfEmail } from '#shared/postgres/people/driver-accounts.ts';
import {
  findNetwork,
  findNetworksNamed,
  listNetworks,
  type NetworkRecord,
} from '#shared/postgres/fleet/networks.statements.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';

type Deps = Pick<ServiceDeps, 'sql' | 'settings'>;

/**
 * Returns the network that a new account goes into: the named one, else the default network. That is the
 * network of the setting `DEFAULT_NETWORK`, else the oldest, so that an app without a network keeps working
 * when another network is created.
 * @throws {DomainError} VALIDATION_FAILED when there is no such network.
 */
export async function networkOfDrivers(deps: Deps, networkUuid: string | undefined): Promise<NetworkRecord> {
  return networkUuid === undefined ? defaultNetwork(deps) : namedNetwork(deps, networkUuid);
}

/**
 * Returns the network of a driver who names an account by its e-mail address: the named one, else the only one in which the
 * address is known. Of several the default network goes first, then the oldest. An unknown address is treated as one of
 * the default network, so neither the answer nor the lookups depend on where an address is known.
 * @throws {DomainError} VALIDATION_FAILED when there is no such network.
 */
export async function networkOfAccount(
  deps: Deps,
  email: string,
  networkUuid: string | undefined,
): Promise<Pick<NetworkRecord, 'id'>> {
  if (networkUuid !== undefined) return namedNetwork(deps, networkUuid);
  const usual = await defaultNetwork(deps);
  return { id: (await findNetworkOfEmail(deps.sql, email, usual.id)) ?? usual.id };
}

async function namedNetwork({ sql }: Deps, networkUuid: string): Promise<NetworkRecord> {
  const named = await findNetwork(sql, allNetworks, networkUuid);
  if (named === null) throw wrongField('networkId', 'is no network');
  return named;
}

async function defaultNetwork({ sql, settings }: Deps): Promise<NetworkRecord> {
  const { defaultNetwork: chosen } = settings;
  const networks = await listNetworks(sql, allNetworks);
  if (chosen === null) {
    const [oldest] = networks;
    if (oldest === undefined) throw wrongField('networkId', 'is required: no network is served here');
    return oldest;
  }
  const [id] = await findNetworksNamed(sql, [chosen]);
  const found = networks.find((network) => network.id === id);
  if (found === undefined)
    throw wrongField('networkId', 'is required: the default network is not served here');
  return found;
}
