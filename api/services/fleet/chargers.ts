import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import {
  type ChargerFilter,
  type ChargerRecord,
  findCharger,
  listChargers,
} from '#shared/postgres/fleet/charger-records.ts';
import { type ConnectorInUse, listConnectors } from '#shared/postgres/fleet/connectors.ts';
import { type Caller, seesPublicOnly } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
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

/** @throws {DomainError} CHARGER_NOT_FOUND. */
export async function readOperatorCharger(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
  networkUuid: string | undefined,
): Promise<ChargerWithConnectors> {
  const charger = await requireCharger(deps, caller, uuid, networkUuid);
  return { charger, connectors: await listConnectors(deps.sql, [charger.id]) };
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
  { sql }: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<ChargerWithConnectors> {
  const charger = found(await findCharger(sql, caller.networks, uuid, seesPublicOnly(caller)), uuid);
  return { charger, connectors: await listConnectors(sql, [charger.id]) };
}

function found(charger: ChargerRecord | null, uuid: string): ChargerRecord {
  if (charger === null) throw new DomainError('CHARGER_NOT_FOUND', `There is no charger ${uuid}.`);
  return charger;
}
