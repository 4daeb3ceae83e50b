import type { PartnerActor } from '#api/services/access/audit.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.service.ts';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import { unlockConnector } from '#api/services/commands/device-commands.ts';
import { startForPartner } from '#api/services/charging/operator-remote-starts.ts';
import { remoteStop } from '#api/services/charging/remote-stops.ts';
import { cancelAt, reserveAt } from '#api/services/charging/reservations.service.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { CommandResultType, PartnerTask, ReserveTask } from '#shared/domain/roaming/ocpi-command.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import { findCharger } from '#shared/postgres/fleet/charger-records.ts';
import { type CommandOutcome, recordOwnCancellation } from '#shared/postgres/roaming/ocpi-commands.ts';
import { connectorStatus } from '#shared/postgres/roaming/ocpi-places.ts';
import { findReservation } from '#shared/postgres/charging/reservation-records.ts';

/** For whom something is done, and in which network. */
export interface Principal {
  by: PartnerActor;
  networkId: number;
}

type CommandTask = Extract<
  PartnerTask,
  { type: 'START_SESSION' | 'STOP_SESSION' | 'UNLOCK_CONNECTOR' | 'RESERVE_NOW' | 'CANCEL_RESERVATION' }
>;

/** Executes a command at its charger and returns its outcome (OCPI 2.2.1 §13.4.2). */
export async function performCommand(
  deps: RoamingDeps,
  principal: Principal,
  task: CommandTask,
): Promise<CommandOutcome> {
  try {
    return await perform(deps, principal, task);
  } catch (error) {
    if (error instanceof DomainError) return outcomeOf(error);
    throw error;
  }
}

async function perform(deps: RoamingDeps, principal: Principal, task: CommandTask): Promise<CommandOutcome> {
  if (task.type === 'CANCEL_RESERVATION') return cancelReservation(deps, principal, task.reservationUuid);
  const charger = await chargerOf(deps, principal.networkId, task.chargerUuid);
  switch (task.type) {
    case 'START_SESSION':
      return start(deps, principal, charger, task);
    case 'STOP_SESSION': {
      const { result } = await remoteStop(deps, principal.by, charger, { sessionId: task.sessionUuid });
      return said(result.accepted ? 'ACCEPTED' : 'REJECTED', result.status);
    }
    case 'UNLOCK_CONNECTOR': {
      const { accepted, status } = await unlockConnector(deps, principal.by, charger, task.connectorNumber);
      return said(accepted ? 'ACCEPTED' : (unlockResults[status ?? ''] ?? 'REJECTED'), status);
    }
    default:
      return reserve(deps, principal, charger, task);
  }
}

/** @throws {DomainError} CHARGER_NOT_FOUND: it was removed since. */
export async function chargerOf(
  { sql }: Pick<RoamingDeps, 'sql'>,
  networkId: number,
  uuid: string,
): Promise<ChargerRecord> {
  const charger = await findCharger(sql, onlyNetworks([networkId]), uuid);
  if (charger === null) throw new DomainError('CHARGER_NOT_FOUND', 'The charge point was removed.');
  return charger;
}

/** Results for a charger's refusals to unlock (1.6 §7.46, 2.0.1 UnlockStatusEnumType). */
const unlockResults: Record<string, CommandResultType> = {
  UnlockFailed: 'FAILED',
  NotSupported: 'NOT_SUPPORTED',
};

/** Results for a charger's refusals to reserve (1.6 §7.43, 2.0.1 ReserveNowStatusEnumType). */
const reserveResults: Record<string, CommandResultType> = {
  Occupied: 'EVSE_OCCUPIED',
  Faulted: 'EVSE_INOPERATIVE',
  Unavailable: 'EVSE_INOPERATIVE',
};

async function start(
  deps: RoamingDeps,
  { by }: Principal,
  charger: ChargerRecord,
  { idTag, connectorNumber }: CommandTask & { type: 'START_SESSION' },
): Promise<CommandOutcome> {
  const { accepted, status } = await startForPartner(deps, by, charger, { idTag, connectorNumber });
  if (accepted) return said('ACCEPTED', null);
  // OCPP gives no reason for a refusal: the connector's state shows it.
  const state = connectorNumber && (await connectorStatus(deps.sql, charger.uuid, connectorNumber));
  if (state === 'Faulted' || state === 'Unavailable') return said('EVSE_INOPERATIVE', status);
  return said(state && occupied.has(state) ? 'EVSE_OCCUPIED' : 'REJECTED', status);
}

/** States of a connector at which no session can begin; 2.0.1's Occupied is ambiguous. */
const occupied = new Set(['Charging', 'SuspendedEV', 'SuspendedEVSE']);

async function reserve(
  deps: RoamingDeps,
  { by }: Principal,
  charger: ChargerRecord,
  { connectorNumber, idTag, groupId, expiresAt, tokenType, reservationId }: ReserveTask,
): Promise<CommandOutcome> {
  const { uuid } = await reserveAt(deps, by, charger, {
    connectorNumber,
    idTag,
    groupId,
    expiresAt: new Date(expiresAt),
    vouchedType: tokenType,
    reservationId,
  });
  return { ...said('ACCEPTED', null), reservationUuid: uuid };
}

async function cancelReservation(
  deps: RoamingDeps,
  principal: Principal,
  uuid: string,
): Promise<CommandOutcome> {
  const reservation = await findReservation(deps.sql, onlyNetworks([principal.networkId]), uuid);
  if (reservation?.status !== 'Active') return said('UNKNOWN_RESERVATION', 'it has ended');
  const charger = await chargerOf(deps, principal.networkId, reservation.chargerUuid);
  await recordOwnCancellation(deps.sql, uuid, true);
  try {
    const { accepted, status } = await cancelAt(deps, principal.by, charger, reservation);
    if (accepted) return said('ACCEPTED', null);
    await recordOwnCancellation(deps.sql, uuid, false);
    // The only reason to say no (1.6 §5.2, 2.0.1 H02).
    return said('UNKNOWN_RESERVATION', status);
  } catch (error) {
    await recordOwnCancellation(deps.sql, uuid, false);
    throw error;
  }
}

function said(result: CommandResultType, status: string | null): CommandOutcome {
  return { result, message: status === null ? null : `The charge point answered ${status}.` };
}

/** Returns the outcome that a partner receives for a failure of our own services. */
function outcomeOf({ code, details }: DomainError): CommandOutcome {
  switch (code) {
    case 'CHARGER_TIMEOUT':
    // The charger was connected when the command was accepted, and may have received it.
    case 'CHARGER_OFFLINE':
      return { result: 'TIMEOUT', message: 'The charge point did not answer in time.' };
    case 'COMMAND_NOT_SUPPORTED':
      return { result: 'NOT_SUPPORTED', message: 'The charge point does not support this.' };
    case 'RESERVATION_REFUSED': {
      const status = details?.['status'];
      const word = typeof status === 'string' ? status : 'no';
      return said(reserveResults[word] ?? 'REJECTED', word);
    }
    case 'NO_ACTIVE_SESSION':
      return { result: 'REJECTED', message: 'The session has ended.' };
    default:
      return { result: 'FAILED', message: 'The charge point could not be commanded.' };
  }
}
