import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  type AssignmentLevel,
  type EffectiveTariff,
  listEffectiveTariffs,
  type PlaceTariff,
} from '#shared/postgres/money/effective-tariff.ts';
import {
  type AssignmentFilter,
  type AssignmentRecord,
  endAssignment,
  findAssignment,
  findPlace,
  insertAssignment,
  isOverlap,
  listAssignments,
} from '#shared/postgres/money/tariff-assignments.statements.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { requireCharger } from '#api/services/fleet/chargers.service.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import { tariffs } from './tariffs.service.ts';
import { invalid } from './tariff-terms.ts';

export { assignmentLevels } from '#shared/postgres/money/effective-tariff.ts';
export type { EffectiveTariff } from '#shared/postgres/money/effective-tariff.ts';
export type { AssignmentRecord } from '#shared/postgres/money/tariff-assignments.statements.ts';

/** A tariff and one place for it. */
interface NewAssignment {
  tariffUuid: string;
  networkUuid?: string | undefined;
  locationUuid?: string | undefined;
  chargerUuid?: string | undefined;
  connectorUuid?: string | undefined;
  /** Undefined: now. */
  validFrom?: Date | undefined;
  validUntil?: Date | undefined;
}

const placeFields = {
  networkUuid: 'NETWORK',
  locationUuid: 'LOCATION',
  chargerUuid: 'CHARGER',
  connectorUuid: 'CONNECTOR',
} as const satisfies Record<string, AssignmentLevel>;

const notFound = {
  NETWORK: 'NETWORK_NOT_FOUND',
  LOCATION: 'LOCATION_NOT_FOUND',
  CHARGER: 'CHARGER_NOT_FOUND',
  CONNECTOR: 'CONNECTOR_NOT_FOUND',
} as const satisfies Record<AssignmentLevel, string>;

/** One page of the assignments of the caller's networks with those that have ended, oldest first. */
export async function listOwnAssignments(
  deps: ServiceDeps,
  caller: Caller,
  { networkUuid, ...filter }: AssignmentFilter & { networkUuid?: string | undefined },
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: AssignmentRecord[]; nextCursor: string | null }> {
  const after = decodeIdCursor(cursor);
  const networks = await networksOfCall(deps, caller, networkUuid);
  return cutById(await listAssignments(deps.sql, networks, filter, after, limit + 1), limit);
}

/** @throws {DomainError} TARIFF_ASSIGNMENT_NOT_FOUND. */
export async function readAssignment(
  { sql }: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<AssignmentRecord> {
  return found(await findAssignment(sql, caller.networks, uuid), uuid);
}

/**
 * Assigns a tariff to a place of its network. What was assigned there until another one ends when this begins.
 * @throws {DomainError} TARIFF_NOT_FOUND; NETWORK_, LOCATION_, CHARGER_ or CONNECTOR_NOT_FOUND for a place that the
 * tariff's network does not have; TARIFF_ASSIGNMENT_OVERLAPS; VALIDATION_FAILED.
 */
export async function assignTariff(
  { sql }: ServiceDeps,
  by: Actor,
  assignment: NewAssignment,
): Promise<AssignmentRecord> {
  const { tariffUuid, validFrom = new Date(), validUntil = null } = assignment;
  if (validUntil !== null && validUntil <= validFrom) throw invalid('validUntil', 'must be after validFrom');
  const { networks } = by.caller;
  try {
    return await sql.begin(async (transaction) => {
      // Locked: it is not removed meanwhile.
      const tariff = await tariffs.require(transaction, networks, tariffUuid, true);
      const { level, uuid } = wantedPlace(assignment);
      const place = await findPlace(transaction, tariff.networkId, level, uuid);
      if (place === null) {
        throw new DomainError(notFound[level], `The tariff's network has no ${level.toLowerCase()} ${uuid}.`);
      }
      const made = await insertAssignment(transaction, tariff.id, place, { validFrom, validUntil });
      const after = found(await findAssignment(transaction, networks, made), made);
      await auditChange(transaction, by, { ...audited(after, 'create'), before: null, after });
      return after;
    });
  } catch (error) {
    if (!isOverlap(error)) throw error;
    throw new DomainError(
      'TARIFF_ASSIGNMENT_OVERLAPS',
      'Another tariff is assigned there for a part of that time: end that assignment, or choose another time.',
    );
  }
}

/**
 * Ends an assignment now: running sessions keep its tariff. An assignment that has not begun is withdrawn,
 * and an ended one stays as it is.
 * @throws {DomainError} TARIFF_ASSIGNMENT_NOT_FOUND.
 */
export async function endTariffAssignment({ sql }: ServiceDeps, by: Actor, uuid: string): Promise<void> {
  await sql.begin(async (transaction) => {
    const before = found(await findAssignment(transaction, by.caller.networks, uuid, true), uuid);
    if (before.validUntil !== null && before.validUntil <= new Date()) return;
    await endAssignment(transaction, before);
    const after = await findAssignment(transaction, by.caller.networks, uuid);
    await auditChange(transaction, by, { ...audited(before, 'delete'), before, after });
  });
}

/**
 * Returns the tariffs in effect at a charger and each of its connectors at a time.
 * @throws {DomainError} CHARGER_NOT_FOUND.
 */
export async function readChargerTariffs(
  deps: ServiceDeps,
  caller: Caller,
  chargerUuid: string,
  at: Date,
): Promise<{ effective: EffectiveTariff | null; connectors: PlaceTariff[] }> {
  const charger = await requireCharger(deps, caller, chargerUuid);
  const [whole, ...connectors] = await listEffectiveTariffs(deps.sql, [charger.id], at);
  return { effective: whole?.effective ?? null, connectors };
}

function wantedPlace(assignment: NewAssignment): { level: AssignmentLevel; uuid: string } {
  const places = Object.entries(placeFields).flatMap(([field, level]) => {
    const uuid = assignment[field as keyof typeof placeFields];
    return uuid === undefined ? [] : [{ level, uuid }];
  });
  const [only] = places;
  if (only === undefined || places.length > 1) {
    throw invalid(
      'networkUuid',
      'or one of locationUuid, chargerUuid and connectorUuid: exactly one must be given',
    );
  }
  return only;
}

function audited({ networkId, uuid, tariffName }: AssignmentRecord, action: string) {
  return { networkId, category: 'tariff-assignment', action, resourceId: uuid, resourceName: tariffName };
}

function found(assignment: AssignmentRecord | null, uuid: string): AssignmentRecord {
  if (assignment === null) {
    throw new DomainError('TARIFF_ASSIGNMENT_NOT_FOUND', `There is no tariff assignment ${uuid}.`);
  }
  return assignment;
}
