import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { chargerEvent } from './charger-records.ts';

/** Fields of a charger that an operator can change. */
export interface ChargerEdit {
  status: string;
  /** OCPI: what is written on it, and on which floor it stands. */
  physicalReference: string | null;
  floorLevel: string | null;
  locationId: number | null;
  modelId: number | null;
  isPublic: boolean;
  /** OCPP: 0 to 3. */
  securityProfile: number;
  /** The common name of its client certificate; null: its uid. */
  certificateCn: string | null;
}

/** Current fields of a charger that is locked for a change. */
export interface EditableCharger extends ChargerEdit {
  id: number;
  version: number;
}

/** Locks a charger until the end of the transaction; null when it was removed meanwhile. */
export async function lockChargerForEdit(
  transaction: Transaction,
  id: number,
): Promise<EditableCharger | null> {
  const [row] = await transaction<EditableCharger[]>`
    select id, status, physical_reference as "physicalReference", floor_level as "floorLevel",
      location_id as "locationId", model_id as "modelId", is_public as "isPublic",
      security_profile as "securityProfile", certificate_cn as "certificateCn", version
    from chargers where id = ${id} and deleted_at is null for update`;
  return row ?? null;
}

/**
 * Replaces the operator's fields of a locked charger and returns its new version. The violation of
 * `chargers_certificate_cn_key` means that the certificate's name is taken.
 */
export async function updateCharger(
  transaction: Transaction,
  id: number,
  edit: ChargerEdit,
): Promise<number> {
  const [row] = await transaction<{ version: number }[]>`
    with updated as (
    update chargers set status = ${edit.status}, physical_reference = ${edit.physicalReference},
      floor_level = ${edit.floorLevel}, location_id = ${edit.locationId}, model_id = ${edit.modelId},
      is_public = ${edit.isPublic}, security_profile = ${edit.securityProfile},
      certificate_cn = ${edit.certificateCn}, version = version + 1, updated_at = now()
    where id = ${id} returning *
    ), event as (${chargerEvent(transaction, 'charger.updated', transaction`updated`)})
    select version from updated`;
  if (row === undefined) throw new Error('the charger that was locked is gone');
  return row.version;
}

/** Records removed together with a charger. */
export interface RemovedCharger {
  deactivatedConnectors: number;
  deactivatedAssignments: number;
}

/**
 * Removes a charger that is locked, and its connectors, softly; the tariffs that were assigned to them apply no more.
 * The gateways learn of it (`charger_changed`).
 */
export async function removeCharger(transaction: Transaction, id: number): Promise<RemovedCharger> {
  const assignments = await transaction`
    update tariff_assignments set is_active = false
    where is_active and (charger_id = ${id} or connector_id in (select id from connectors where charger_id = ${id}))`;
  const connectors = await transaction`
    update connectors set deleted_at = now(), updated_at = now(), version = version + 1
    where charger_id = ${id} and deleted_at is null`;
  await transaction`
    with removed as (
      update chargers set deleted_at = now(), updated_at = now(), version = version + 1 where id = ${id} returning *
    )
    ${chargerEvent(transaction, 'charger.removed', transaction`removed`)}`;
  return { deactivatedConnectors: connectors.count, deactivatedAssignments: assignments.count };
}

/** Returns whether a session runs at a charger, or at one of its connectors. */
export async function hasRunningSession(
  sql: Queryable,
  chargerId: number,
  connectorId?: number,
): Promise<boolean> {
  const [row] = await sql<{ isRunning: boolean }[]>`
    select exists (
      select 1 from sessions
      where charger_id = ${chargerId} and status in ('ACTIVE', 'STOPPING')
        ${connectorId === undefined ? sql`` : sql`and connector_id = ${connectorId}`}
    ) as "isRunning"`;
  return row?.isRunning ?? false;
}
