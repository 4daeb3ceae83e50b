import { stationCostDiffers } from '#shared/domain/charging/station-transaction.ts';
import {
  findStationTransaction,
  type StationTransaction,
} from '#shared/postgres/charging/station-transactions.statements.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { readCallerSession } from './sessions.service.ts';

export { stationLimitNames, type StationLimits } from '#shared/domain/charging/station-transaction.ts';

/** Limits and cost that the station of a session applies and calculated itself, next to our price. */
export interface StationReading extends StationTransaction {
  sessionUuid: string;
  /** Our price with VAT in the major unit. Null: none. */
  ownTotalInclVat: number | null;
  /** The costs differ by more than rounding, and the price was reviewed. */
  isCostDifferent: boolean;
}

const nothing: StationTransaction = {
  limitsSent: null,
  limitsSentAt: null,
  limitsReported: null,
  limitsReportedAt: null,
  limitReached: null,
  limitReachedAt: null,
  tariffId: null,
  cost: null,
  costAt: null,
};

/**
 * Reads what the station of one of the caller's sessions reported by OCPP 2.1.
 * @throws {DomainError} SESSION_NOT_FOUND.
 */
export async function readStationTransaction(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<StationReading> {
  const { session, cost } = await readCallerSession(deps, caller, uuid);
  const stored = await findStationTransaction(deps.sql, session.id);
  return {
    ...(stored ?? nothing),
    sessionUuid: session.uuid,
    ownTotalInclVat: cost?.totalInclVat ?? null,
    isCostDifferent: session.flags.includes(stationCostDiffers),
  };
}
