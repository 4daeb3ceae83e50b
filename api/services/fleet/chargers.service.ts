import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { ChargerOrder } from '#shared/domain/fleet/charger-state.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { ChargerFilter } from '#shared/postgres/fleet/charger-filter.ts';
import { listChargers } from '#shared/postgres/fleet/charger-lists.ts';
import {
  chargerReads,
  type ChargerReads,
  type ChargerRecord,
  type ChargerWithConnectors,
  findCharger,
  type ListedCharger,
  listedChargers,
  publicChargerReads,
} from '#shared/postgres/fleet/charger-records.ts';
import { type Caller, seesPublicOnly } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { listRecords } from '#shared/postgres/kernel/records.statements.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';

export type {
  ChargerRecord,
  ChargerWithConnectors,
  ListedCharger,
} from '#shared/postgres/fleet/charger-records.ts';
export type { ConnectorInUse, ConnectorRecord } from '#shared/postgres/fleet/connectors.statements.ts';

const listWithActivity = (sql: Queryable, found: Fragment) =>
  listRecords<ListedCharger>(sql, listedChargers, found);

/** Filter of an operator's list of chargers. */
export type OperatorChargerFilter = Omit<ChargerFilter, 'publicOnly' | 'uuids'>;

/**
 * Returns one page of the chargers of the caller's networks, or of the one that the call names.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function listOperatorChargers(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  filter: OperatorChargerFilter,
  page: PageRequest,
  order?: ChargerOrder,
): Promise<Page<ListedCharger>> {
  const networks = await networksOfCall(deps, caller, networkUuid);
  return listChargers(deps.sql, listWithActivity, networks, filter, page, order);
}

/**
 * One charger of the caller's networks.
 * @throws {DomainError} CHARGER_NOT_FOUND for an unknown charger and for another tenant's alike.
 */
export async function requireCharger(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
  networkUuid?: string,
): Promise<ChargerRecord> {
  const networks = await networksOfCall(deps, caller, networkUuid);
  return found(await findCharger(deps.sql, networks, uuid), uuid);
}

/**
 * Returns a charger of the caller's networks, or of the one that the call names, with its connectors.
 * @throws {DomainError} NETWORK_NOT_FOUND, CHARGER_NOT_FOUND.
 */
export async function readOperatorCharger(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
  networkUuid: string | undefined,
): Promise<ChargerWithConnectors> {
  const networks = await networksOfCall(deps, caller, networkUuid);
  return found(await chargerReads.find(deps.sql, { networks, userId: null }, uuid), uuid);
}

/**
 * Returns one page of the chargers that a caller of the public API sees: an operator all of its networks', a driver the public
 * ones at published locations.
 */
export async function listDriverChargers(
  { sql }: ServiceDeps,
  caller: Caller,
  filter: Omit<ChargerFilter, 'publicOnly'>,
  page: PageRequest,
): Promise<Page<ChargerWithConnectors>> {
  const visible = { ...filter, publicOnly: seesPublicOnly(caller) };
  return listChargers(sql, readsFor(caller).list, caller.networks, visible, page);
}

/**
 * Returns one charger in the form of the public API; `listDriverChargers` describes its visibility.
 * @throws {DomainError} CHARGER_NOT_FOUND.
 */
export async function readDriverCharger(
  { sql }: Pick<ServiceDeps, 'sql'>,
  caller: Caller,
  uuid: string,
): Promise<ChargerWithConnectors> {
  return found(await readsFor(caller).find(sql, caller, uuid), uuid);
}

function readsFor(caller: Caller): ChargerReads {
  return seesPublicOnly(caller) ? publicChargerReads : chargerReads;
}

function found<Charger>(charger: Charger | null, uuid: string): Charger {
  if (charger !== null) return charger;
  throw new DomainError('CHARGER_NOT_FOUND', `There is no charger ${uuid}.`);
}
