import { type DeviceModelVersion, featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import type {
  StationCost,
  StationLimitName,
  StationReport,
} from '#shared/domain/charging/station-transaction.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

type Request = RequestOf<DeviceModelVersion, 'TransactionEvent'>;

/** Trigger reasons of an event that a limit caused (E16.FR.05, .06). */
const reachedBy: Partial<Record<string, StationLimitName>> = {
  CostLimitReached: 'maxCost',
  EnergyLimitReached: 'maxEnergy',
  TimeLimitReached: 'maxTime',
  SoCLimitReached: 'maxSoC',
};

/** Returns the limits, the tariff and the cost in an event; null: none, or the version does not validate them. */
export function stationReportOf(version: DeviceModelVersion, request: Request): StationReport | null {
  if (!featuresOf(version).hasStationLimits) return null;
  const { transactionInfo: info, triggerReason } = request;
  const reached = reachedBy[triggerReason] ?? null;
  const limits = 'transactionLimit' in info ? (info.transactionLimit ?? null) : null;
  const tariffId = 'tariffId' in info ? (info.tariffId ?? null) : null;
  const cost = costOf(request);
  const isResumed = triggerReason === 'TxResumed';
  if (reached === null && limits === null && tariffId === null && cost === null && !isResumed) return null;
  return { limits: limits && limitsOf(limits), reached, tariffId, cost, isResumed };
}

function limitsOf({ maxCost, maxEnergy, maxTime, maxSoC }: NonNullable<StationReport['limits']>) {
  return {
    ...(maxCost !== undefined && { maxCost }),
    ...(maxEnergy !== undefined && { maxEnergy }),
    ...(maxTime !== undefined && { maxTime }),
    ...(maxSoC !== undefined && { maxSoC }),
  };
}

function costOf(request: Request): StationCost | null {
  if (!('costDetails' in request) || request.costDetails === undefined) return null;
  const { totalCost, failureToCalculate, failureReason } = request.costDetails;
  return {
    currency: totalCost.currency,
    totalExclVat: totalCost.total.exclTax ?? null,
    totalInclVat: totalCost.total.inclTax ?? null,
    failure: failureToCalculate === true ? (failureReason ?? '') : null,
    details: request.costDetails,
  };
}
