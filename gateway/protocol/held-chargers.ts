import { featuresOf, type OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { Registration } from '#shared/domain/fleet/registration.ts';

/** Commands to a Pending charger (1.6 §4.2, 2.0.1 B02.FR.01), alongside TriggerMessage for a BootNotification. */
const pendingCommands = {
  keys: new Set(['GetConfiguration', 'ChangeConfiguration']),
  deviceModel: new Set(['GetVariables', 'SetVariables', 'GetBaseReport', 'GetReport']),
};

/** Returns true when a call may be sent to a charger of this registration. A Rejected one gets none (2.0.1 B03.FR.03). */
export function maySend(
  registration: Registration,
  version: OcppVersion,
  { action, request }: { action: string; request: unknown },
): boolean {
  if (registration !== 'Pending') return registration === 'Accepted';
  const isBootTrigger =
    action === 'TriggerMessage' &&
    (request as { requestedMessage: string }).requestedMessage === 'BootNotification';
  const settings = featuresOf(version).hasDeviceModel ? 'deviceModel' : 'keys';
  return isBootTrigger || pendingCommands[settings].has(action);
}

/** Actions that continue or end a session. */
const sessionActions = new Set(['StopTransaction', 'MeterValues', 'TransactionEvent']);

/**
 * Returns true when a call of a charger of this registration is served (2.0.1 B01.FR.10, B02.FR.09, B03.FR.07). A session that
 * was running when the charger was put on hold goes on to its end: `runsSession`.
 */
export function mayServe(
  registration: Registration,
  { action, payload }: { action: string; payload: unknown },
  runsSession: boolean,
): boolean {
  if (registration === 'Accepted' || action === 'BootNotification') return true;
  // Requested by GetBaseReport or GetReport.
  if (registration === 'Pending' && action === 'NotifyReport') return true;
  return runsSession && continuesSession(action, payload);
}

/**
 * Returns the transaction that a call continues or ends, or null when it names none. A held charger that repeats the
 * stop of an ended session receives the same answer as before (field note 5).
 */
export function continuedTransaction({
  action,
  payload,
}: {
  action: string;
  payload: unknown;
}): string | null {
  if (!continuesSession(action, payload)) return null;
  const named = payload as { transactionId?: unknown; transactionInfo?: { transactionId?: unknown } } | null;
  const id = action === 'TransactionEvent' ? named?.transactionInfo?.transactionId : named?.transactionId;
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' ? id : null;
}

function continuesSession(action: string, payload: unknown): boolean {
  const isStart = (payload as { eventType?: unknown } | null)?.eventType === 'Started';
  return sessionActions.has(action) && !isStart;
}
