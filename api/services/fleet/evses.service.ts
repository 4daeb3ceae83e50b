import type { EvseDetails } from '#shared/postgres/fleet/evse-records.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { lockChargerForEdit } from '#shared/postgres/fleet/charger-edits.statements.ts';
import { type EvseRecord, findEvse, listEvses } from '#shared/postgres/fleet/evse-records.ts';
import { stateEvse } from '#shared/postgres/roaming/ocpi-location-writes.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ChargerTarget } from './charger-edits.service.ts';
import { requireCharger } from './chargers.service.ts';
import { defined, requireVersion } from '#api/services/kernel/edits.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';

export type { EvseRecord } from '#shared/postgres/fleet/evse-records.ts';

/**
 * The EVSEs of a charger, in the order of their numbers.
 * @throws {DomainError} CHARGER_NOT_FOUND, NETWORK_NOT_FOUND.
 */
export async function listOperatorEvses(
  deps: ServiceDeps,
  caller: Caller,
  chargerUuid: string,
  networkUuid: string | undefined,
): Promise<EvseRecord[]> {
  const charger = await requireCharger(deps, caller, chargerUuid, networkUuid);
  return listEvses(deps.sql, charger.id);
}

/**
 * Returns an EVSE of a charger by its OCPP number.
 * @throws {DomainError} CHARGER_NOT_FOUND, NETWORK_NOT_FOUND, EVSE_NOT_FOUND.
 */
export async function readOperatorEvse(
  deps: ServiceDeps,
  caller: Caller,
  { uuid, networkUuid }: Pick<ChargerTarget, 'uuid' | 'networkUuid'>,
  number: number,
): Promise<EvseRecord> {
  const charger = await requireCharger(deps, caller, uuid, networkUuid);
  return found(await findEvse(deps.sql, charger.id, number), number);
}

/**
 * Changes fields of an EVSE that roaming partners and drivers see. Undefined: unchanged; null: cleared.
 * @throws {DomainError} CHARGER_NOT_FOUND, NETWORK_NOT_FOUND, EVSE_NOT_FOUND, PRECONDITION_FAILED,
 * VALIDATION_FAILED.
 */
export async function changeEvse(
  deps: ServiceDeps,
  by: Actor,
  { uuid, networkUuid, expected }: ChargerTarget,
  number: number,
  change: Partial<EvseDetails>,
): Promise<EvseRecord> {
  requirePeriods(change.statusSchedule ?? []);
  const charger = await requireCharger(deps, by.caller, uuid, networkUuid);
  return deps.sql.begin(async (transaction) => {
    // The charger first, as all do who change both.
    if ((await lockChargerForEdit(transaction, charger.id)) === null) {
      throw new DomainError('CHARGER_NOT_FOUND', `There is no charger ${uuid}.`);
    }
    const before = found(await findEvse(transaction, charger.id, number, true), number);
    requireVersion(before, expected);
    await stateEvse(transaction, before.id, { ...before, ...defined(change), statedAt: new Date() });
    const after = found(await findEvse(transaction, charger.id, number), number);
    await auditChange(transaction, by, {
      networkId: charger.networkId,
      category: 'evse',
      action: 'update',
      resourceId: before.uid,
      resourceName: `${charger.uid}/${number}`,
      before,
      after,
    });
    return after;
  });
}

function requirePeriods(schedule: EvseDetails['statusSchedule']): void {
  for (const [index, { periodBegin, periodEnd }] of schedule.entries()) {
    if (periodEnd !== undefined && Date.parse(periodEnd) <= Date.parse(periodBegin)) {
      throw wrongField(`statusSchedule.${index}.periodEnd`, 'must be after periodBegin');
    }
  }
}

function found(evse: EvseRecord | null, number: number): EvseRecord {
  if (evse === null) throw noEvse(number);
  return evse;
}

function noEvse(number: number): DomainError {
  return new DomainError('EVSE_NOT_FOUND', `The charger has no EVSE ${number}.`);
}
