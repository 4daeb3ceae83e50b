import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { ChargerOrder } from '#shared/domain/fleet/charger-state.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { ChargerFilter } from '#shared/postgres/fleet/charger-filter.ts';
import { findChargerPlaces } from '#shared/postgres/fleet/charger-lists.ts';
import {
  chargerPages,
  chargerReads,
  type ChargerReads,
  type ChargerRecord,
  type ChargerWithConnectors,
  findCharger,
  type ListedCharger,
  publicChargerReads,
} from '#shared/postgres/fleet/charger-records.ts';
import { type Caller, seesPublicOnly } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type ItemReads, itemReads, type Versioned } from '#api/services/kernel/item-reads.ts';
import type { RecordPlace } from '#shared/postgres/kernel/record-pages.ts';
import type { RecordScope } from '#shared/postgres/kernel/record-reads.ts';
import { networksOfCall } from '#api/services/access/networks.ts';

export type {
  ChargerRecord,
  ChargerWithConnectors,
  ListedCharger,
} from '#shared/postgres/fleet/charger-records.ts';
export type { ConnectorInUse, ConnectorRecord } from '#shared/postgres/fleet/connectors.ts';
export type { Versioned } from '#api/services/kernel/item-reads.ts';

/** Filter of an operator's list of chargers. */
export type OperatorChargerFilter = Omit<ChargerFilter, 'publicOnly' | 'uuids'>;

/**
 * Returns the positions of one page of the chargers of the caller's networks, or of the one that the call names.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function findOperatorChargers(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  filter: OperatorChargerFilter,
  page: PageRequest,
  order?: ChargerOrder,
): Promise<Page<RecordPlace>> {
  const networks = await networksOfCall(deps, caller, networkUuid);
  return findChargerPlaces(deps.sql, chargerPages, networks, filter, page, order);
}

/** Returns the chargers of the caller's networks at such positions, in any order. */
export async function readOperatorChargers(
  { sql }: ServiceDeps,
  { networks }: Caller,
  places: readonly RecordPlace[],
): Promise<Versioned<ListedCharger>[]> {
  return chargerPages.read(sql, { networks, userId: null }, places);
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
 * Returns the reads of a charger of the caller's networks, or of the one that the call names.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function operatorChargerItem(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
  networkUuid: string | undefined,
): Promise<ItemReads<Versioned<ChargerWithConnectors>>> {
  const networks = await networksOfCall(deps, caller, networkUuid);
  return chargerItem(deps, { networks, userId: null }, chargerReads, uuid);
}

/**
 * Returns the positions of one page of the chargers that a caller of the public API sees: an operator all of its networks',
 * a driver the public ones at published locations.
 */
export async function findDriverChargers(
  { sql }: ServiceDeps,
  caller: Caller,
  filter: Omit<ChargerFilter, 'publicOnly'>,
  page: PageRequest,
): Promise<Page<RecordPlace>> {
  const visible = { ...filter, publicOnly: seesPublicOnly(caller) };
  return findChargerPlaces(sql, readsFor(caller).pages, caller.networks, visible, page);
}

/** Returns the chargers that a caller of the public API sees at such positions, in any order. */
export async function readDriverChargers(
  { sql }: ServiceDeps,
  caller: Caller,
  places: readonly RecordPlace[],
): Promise<Versioned<ChargerWithConnectors>[]> {
  return readsFor(caller).pages.read(sql, caller, places);
}

/**
 * Returns one charger in the form of the public API; `findDriverChargers` describes its visibility.
 * @throws {DomainError} CHARGER_NOT_FOUND.
 */
export async function readDriverCharger(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<ChargerWithConnectors> {
  return driverChargerItem(deps, caller, uuid).row();
}

/** Returns the reads of a charger in the form of the public API. */
export function driverChargerItem(
  deps: Pick<ServiceDeps, 'sql'>,
  caller: Caller,
  uuid: string,
): ItemReads<Versioned<ChargerWithConnectors>> {
  return chargerItem(deps, caller, readsFor(caller), uuid);
}

function readsFor(caller: Caller): ChargerReads {
  return seesPublicOnly(caller) ? publicChargerReads : chargerReads;
}

function chargerItem(
  { sql }: Pick<ServiceDeps, 'sql'>,
  scope: RecordScope,
  { single }: ChargerReads,
  uuid: string,
): ItemReads<Versioned<ChargerWithConnectors>> {
  return itemReads({ sql, scope, reads: single, key: uuid, notFound: () => noCharger(uuid) });
}

function found(charger: ChargerRecord | null, uuid: string): ChargerRecord {
  if (charger === null) throw noCharger(uuid);
  return charger;
}

function noCharger(uuid: string): DomainError {
  return new DomainError('CHARGER_NOT_FOUND', `There is no charger ${uuid}.`);
}
