import { DomainError } from '#shared/domain/kernel/errors.ts';
import { maxExclusionDays, type ExclusionCause } from '#shared/domain/reporting/availability/exclusion.ts';
import { findCharger } from '#shared/postgres/fleet/charger-records.ts';
import { findLocation } from '#shared/postgres/fleet/location-records.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import {
  type ExclusionDetails,
  type ExclusionRecord,
  type ExclusionTarget,
  findExclusion,
  findOverlap,
  hasEvse,
  insertExclusion,
  listExclusions,
  listProposals,
  lockExclusions,
  type ProposedExclusion,
  removeExclusion,
  updateExclusion,
} from '#shared/postgres/reporting/availability-exclusions.statements.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { requireOrder, wrongField } from '#api/services/kernel/validation.service.ts';

export type {
  ExclusionRecord,
  ProposedExclusion,
} from '#shared/postgres/reporting/availability-exclusions.statements.ts';

/** Exclusion to enter. One of location and charger is given. */
interface NewExclusion extends ExclusionDetails {
  locationUuid?: string | undefined;
  chargerUuid?: string | undefined;
  evseNumber?: number | undefined;
  alertUuid?: string | undefined;
}

/** Changed fields of an exclusion. A change states its reason. */
interface ExclusionChange {
  cause?: ExclusionCause | undefined;
  beginsAt?: Date | undefined;
  endsAt?: Date | undefined;
  reason: string;
}

interface ExclusionQuery {
  networkUuid: string | undefined;
  chargerUuid: string | undefined;
  locationUuid: string | undefined;
  cause: ExclusionCause | undefined;
  from: Date | undefined;
  to: Date | undefined;
  cursor: string | undefined;
  limit: number;
}

/** Exclusions and their changes. */
export const exclusions = new AuditedRecords<ExclusionRecord>({
  category: 'availability-exclusion',
  notFound: 'AVAILABILITY_EXCLUSION_NOT_FOUND',
  find: findExclusion,
  networkOf: ({ networkId }) => networkId,
  nameOf: ({ cause, locationName, chargerUid }) => `${cause} ${locationName ?? chargerUid ?? ''}`.trim(),
  audited: ({ cause, beginsAt, endsAt, reason, locationUuid, chargerUuid, evseNumber, alertUuid }) => ({
    cause,
    beginsAt,
    endsAt,
    reason,
    locationId: locationUuid,
    chargerId: chargerUuid,
    evseNumber,
    alertId: alertUuid,
  }),
});

/** Returns a page of exclusions, newest first. @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED. */
export async function readExclusions(
  deps: ServiceDeps,
  caller: Caller,
  query: ExclusionQuery,
): Promise<{ rows: ExclusionRecord[]; nextCursor: string | null }> {
  const before = decodeIdCursor(query.cursor);
  requireOrder(query);
  const scope = await networksOfCall(deps, caller, query.networkUuid);
  return cutById(await listExclusions(deps.sql, scope, query, before, query.limit + 1), query.limit);
}

/** Returns the exclusions that alerts of a period suggest, newest first. @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED. */
export async function readProposals(
  deps: ServiceDeps,
  caller: Caller,
  { networkUuid, from, to, limit }: { networkUuid: string | undefined; from: Date; to: Date; limit: number },
): Promise<ProposedExclusion[]> {
  requireOrder({ from, to });
  const scope = await networksOfCall(deps, caller, networkUuid);
  return listProposals(deps.sql, scope, { from, to }, limit);
}

/**
 * Enters an exclusion.
 * @throws {DomainError} CHARGER_NOT_FOUND, LOCATION_NOT_FOUND, AVAILABILITY_EXCLUSION_OVERLAPS, VALIDATION_FAILED.
 */
export function enterExclusion(
  deps: ServiceDeps,
  by: Actor,
  entered: NewExclusion,
): Promise<ExclusionRecord> {
  requirePeriod(entered);
  return exclusions.create(deps.sql, by, async (transaction) => {
    const target = await targetOf(transaction, by, entered);
    await requireFree(transaction, target, entered, null);
    const uuid = await insertExclusion(transaction, {
      ...entered,
      ...target,
      alertUuid: entered.alertUuid ?? null,
      createdBy: by.caller.who.name,
    });
    return exclusions.require(transaction, by.caller.networks, uuid);
  });
}

/**
 * Changes an exclusion.
 * @throws {DomainError} AVAILABILITY_EXCLUSION_NOT_FOUND, AVAILABILITY_EXCLUSION_OVERLAPS, PRECONDITION_FAILED, VALIDATION_FAILED.
 */
export function changeExclusion(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  change: ExclusionChange,
): Promise<ExclusionRecord> {
  return exclusions.change(sql, by, uuid, expected, async (transaction, before) => {
    const details = {
      cause: change.cause ?? before.cause,
      beginsAt: change.beginsAt ?? before.beginsAt,
      endsAt: change.endsAt ?? before.endsAt,
      reason: change.reason,
    };
    requirePeriod(details);
    await requireFree(transaction, before, details, before.id);
    await updateExclusion(transaction, before.id, details);
    return exclusions.require(transaction, by.caller.networks, uuid);
  });
}

/** @throws {DomainError} AVAILABILITY_EXCLUSION_NOT_FOUND, PRECONDITION_FAILED. */
export async function deleteExclusion(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  await exclusions.remove(sql, by, uuid, expected, (transaction, { id }) => removeExclusion(transaction, id));
}

function requirePeriod({ beginsAt, endsAt }: Pick<ExclusionDetails, 'beginsAt' | 'endsAt'>): void {
  if (endsAt <= beginsAt) throw wrongField('endsAt', 'must be later than beginsAt');
  if (endsAt.getTime() - beginsAt.getTime() > maxExclusionDays * 86_400_000)
    throw wrongField('endsAt', `must be at most ${maxExclusionDays} days after beginsAt`);
}

async function requireFree(
  transaction: Transaction,
  target: ExclusionTarget,
  details: ExclusionDetails,
  except: number | null,
): Promise<void> {
  await lockExclusions(transaction, target.networkId);
  const other = await findOverlap(transaction, target, details, except);
  if (other === null) return;
  throw new DomainError(
    'AVAILABILITY_EXCLUSION_OVERLAPS',
    `The exclusion ${other} covers one of these EVSEs at the same time: change that one, or choose another period.`,
  );
}

async function targetOf(
  transaction: Transaction,
  by: Actor,
  { locationUuid, chargerUuid, evseNumber }: NewExclusion,
): Promise<ExclusionTarget> {
  const { networks } = by.caller;
  if ((locationUuid === undefined) === (chargerUuid === undefined))
    throw wrongField('chargerId', 'is required, or locationId, and not both');
  if (locationUuid !== undefined) {
    if (evseNumber !== undefined) throw wrongField('evseNumber', 'needs a chargerId');
    const location = await findLocation(transaction, networks, locationUuid);
    if (location === null)
      throw new DomainError('LOCATION_NOT_FOUND', `There is no location ${locationUuid}.`);
    return { networkId: location.networkId, locationId: location.id, chargerId: null, evseNumber: null };
  }
  const charger = await findCharger(transaction, networks, chargerUuid ?? '');
  if (charger === null) throw new DomainError('CHARGER_NOT_FOUND', `There is no charger ${chargerUuid}.`);
  if (evseNumber !== undefined && !(await hasEvse(transaction, charger.id, evseNumber)))
    throw wrongField('evseNumber', 'is no EVSE of the charger');
  const { id, networkId } = charger;
  return { networkId, locationId: null, chargerId: id, evseNumber: evseNumber ?? null };
}
