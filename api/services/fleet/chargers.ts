import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import {
  type ChargerFilter,
  chargerReads,
  type ChargerRecord,
  findCharger,
  listChargers,
  publicChargerReads,
} from '#shared/postgres/fleet/charger-records.ts';
import { type ConnectorInUse, findConnectorsOf, listConnectors } from '#shared/postgres/fleet/connectors.ts';
import { type Caller, seesPublicOnly } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type ItemReads, itemReads, type Versioned } from '#api/services/kernel/item-reads.ts';
import type { RecordReads, RecordScope } from '#shared/postgres/kernel/record-reads.ts';
import { networksOfCall } from '#api/services/access/networks.ts';

export type { ChargerRecord } from '#shared/postgres/fleet/charger-records.ts';
export type { ConnectorInUse, ConnectorRecord } from '#shared/postgres/fleet/connectors.ts';

/** A charger with its connectors, ordered by number. */
export interface ChargerWithConnectors {
  charger: ChargerRecord;
  connectors: ConnectorInUse[];
}

/** Filter of an operator's list of chargers. */
export type OperatorChargerFilter = Omit<ChargerFilter, 'publicOnly'>;

/** One page of the chargers of the caller's networks, or of the one that the call names. */
export async function listOperatorChargers(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  filter: OperatorChargerFilter,
  page: PageRequest,
): Promise<Page<ChargerRecord>> {
  const networks = await networksOfCall(deps, caller, networkUuid);
  return listChargers(deps.sql, networks, filter, page);
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
 * One page of the chargers that a caller of the public API sees: an operator all of its networks', a driver
 * the public ones at published locations.
 */
export async function listDriverChargers(
  { sql }: ServiceDeps,
  caller: Caller,
  filter: Omit<ChargerFilter, 'publicOnly'>,
  page: PageRequest,
): Promise<Page<ChargerWithConnectors>> {
  const visible = { ...filter, publicOnly: seesPublicOnly(caller) };
  const { rows, total } = await listChargers(sql, caller.networks, visible, page);
  const connectors = await listConnectors(
    sql,
    rows.map((row) => row.id),
  );
  const byCharger = Map.groupBy(connectors, (connector) => connector.chargerId);
  return { rows: rows.map((charger) => ({ charger, connectors: byCharger.get(charger.id) ?? [] })), total };
}

/**
 * Returns one charger in the form of the public API; `listDriverChargers` describes its visibility.
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
  return chargerItem(deps, caller, seesPublicOnly(caller) ? publicChargerReads : chargerReads, uuid);
}

/** The connectors are read after the version, which includes theirs: a later change has another version. */
function chargerItem(
  { sql }: Pick<ServiceDeps, 'sql'>,
  scope: RecordScope,
  reads: RecordReads<ChargerRecord>,
  uuid: string,
): ItemReads<Versioned<ChargerWithConnectors>> {
  const single = itemReads({ sql, scope, reads, key: uuid, notFound: () => noCharger(uuid) });
  return {
    version: single.version,
    async row() {
      const { rowVersion, ...charger } = await single.row();
      return { charger, connectors: await findConnectorsOf(sql, charger.id), rowVersion };
    },
  };
}

function found(charger: ChargerRecord | null, uuid: string): ChargerRecord {
  if (charger === null) throw noCharger(uuid);
  return charger;
}

function noCharger(uuid: string): DomainError {
  return new DomainError('CHARGER_NOT_FOUND', `There is no charger ${uuid}.`);
}
