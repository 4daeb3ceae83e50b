import { stationCostDiffers } from '#shared/domain/charging/station-transaction.ts';
import {
  findStationTransaction,
  type StationTransaction,
} from '#shared/postgres/charging/station-transactions.statements.ts';
import { featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { listStoppableSessions } from '#shared/postgres/charging/session-records.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { send, type SentCommand } from '#api/services/commands/send.ts';
import { requireCharger } from '#api/services/fleet/chargers.service.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { requireUnmanaged } from '#api/services/commands/managed-chargers.ts';
import { readCallerSession, requireSession } from './sessions.service.ts';

export {
  isUnlimited,
  stationLimitNames,
  type StationLimits,
} from '#shared/domain/charging/station-transaction.ts';

/** Limits and cost that the station of a session applies and calculated itself, next to our price. */
export interface StationReading extends StationTransaction {
  sessionUuid: string;
  /** True when the OCPP version of the station has these values. */
  isSupported: boolean;
  /** Our price with VAT in the major unit. Null: none. */
  ownTotalInclVat: number | null;
  /** The costs differ by more than rounding, and the price was reviewed. */
  isCostDifferent: boolean;
}

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
  if (stored === null) throw new DomainError('SESSION_NOT_FOUND', `There is no session ${uuid}.`);
  const { ocppVersion, ...reported } = stored;
  return {
    ...reported,
    isSupported: featuresOf(ocppVersion)?.hasStationLimits === true,
    sessionUuid: session.uuid,
    ownTotalInclVat: cost?.totalInclVat ?? null,
    isCostDifferent: session.flags.includes(stationCostDiffers),
  };
}

/**
 * Asks the station of a running session to charge it with priority, or no longer (OCPP 2.1 K21).
 * @throws {DomainError} SESSION_NOT_FOUND, NO_ACTIVE_SESSION, CHARGER_LOAD_MANAGED, COMMAND_NOT_SUPPORTED, and as `send` does.
 */
export async function usePriorityCharging(
  deps: ServiceDeps,
  by: Actor,
  caller: Caller,
  { uuid, isActive }: { uuid: string; isActive: boolean },
): Promise<SentCommand & { chargerUuid: string }> {
  const session = await requireSession(deps, caller, uuid);
  const charger = await requireCharger(deps, caller, session.chargerUuid);
  const running = await listStoppableSessions(deps.sql, charger.id);
  const transactionId = running.find((each) => each.uuid === session.uuid)?.transactionId;
  if (transactionId === undefined) throw new DomainError('NO_ACTIVE_SESSION', 'The session is not running.');
  if (featuresOf(charger.ocppVersion)?.hasDynamicProfiles !== true) {
    throw new DomainError(
      'COMMAND_NOT_SUPPORTED',
      `The charger ${charger.uid} has no priority charging, which came with OCPP 2.1.`,
    );
  }
  if (isActive) await requireUnmanaged(deps.sql, charger);
  const payload = { transactionId, activate: isActive };
  const sent = await send(deps, by, charger, { type: 'ocpp', action: 'UsePriorityCharging', payload });
  return { ...sent, chargerUuid: charger.uuid };
}
