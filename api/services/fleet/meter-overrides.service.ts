import {
  type MeterOverride,
  type TransactionRegister,
  transactionRegisters,
} from '#shared/domain/fleet/meter-override.ts';
import { defaultMeasurand, measurandUnits } from '#shared/domain/charging/meter-columns.ts';
import {
  findMeterOverrides,
  type MeterOverridesRecord,
  storeMeterOverrides,
} from '#shared/postgres/fleet/meter-overrides.statements.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import { requireCatalogEditor } from '#api/services/access/callers.ts';
import { requireChargerModel } from './charger-models.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { requireVersion } from '#api/services/kernel/edits.service.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';

export type { MeterOverridesRecord } from '#shared/postgres/fleet/meter-overrides.statements.ts';

/** Measurands that can be overridden. */
export const overridable: readonly string[] = [...measurandUnits.keys(), ...transactionRegisters];

/**
 * Returns the corrections that the gateway applies to the readings of a model's chargers.
 * @throws {DomainError} MODEL_NOT_FOUND.
 */
export async function readMeterOverrides({ sql }: ServiceDeps, uuid: string): Promise<MeterOverridesRecord> {
  const model = await requireChargerModel(sql, uuid);
  return findMeterOverrides(sql, model.id);
}

/**
 * Replaces them; the gateway applies them to what comes from now on.
 * @throws {DomainError} CATALOG_NOT_ALLOWED, MODEL_NOT_FOUND, PRECONDITION_FAILED, VALIDATION_FAILED.
 */
export async function changeMeterOverrides(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  overrides: readonly MeterOverride[],
): Promise<MeterOverridesRecord> {
  requireCatalogEditor(by.caller);
  for (const [index, override] of overrides.entries()) requireSense(override, index);
  return sql.begin(async (transaction) => {
    const model = await requireChargerModel(transaction, uuid, 'change');
    const before = await findMeterOverrides(transaction, model.id);
    requireVersion(before, expected);
    const after = await storeMeterOverrides(transaction, model.id, overrides);
    await auditChange(transaction, by, {
      networkId: null,
      category: 'charger-model',
      action: 'update-meter-overrides',
      resourceId: uuid,
      resourceName: `${model.manufacturerName} ${model.modelName}`,
      before: { overrides: before.overrides },
      after: { overrides: after.overrides },
    });
    return after;
  });
}

/** Checks the units against the measurand; a register of a transaction is one number without a unit. */
function requireSense({ measurand, unit, saidUnit, phases }: MeterOverride, index: number): void {
  const field = `overrides.${index}`;
  const isRegister = transactionRegisters.includes(measurand as TransactionRegister);
  const units = measurandUnits.get(isRegister ? defaultMeasurand : measurand) ?? [];
  if (unit !== null && !units.includes(unit)) {
    throw wrongField(`${field}.unit`, `must be one of ${units.join(', ')}`);
  }
  if (isRegister && saidUnit !== null) throw wrongField(`${field}.saidUnit`, `must be null for ${measurand}`);
  if (isRegister && phases !== null) throw wrongField(`${field}.phases`, `must be null for ${measurand}`);
}
