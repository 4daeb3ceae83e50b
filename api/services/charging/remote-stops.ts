import type { CommandResult } from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { SessionStatus } from '#shared/domain/charging/session.ts';
import { listStoppableSessions, type StoppableRecord } from '#shared/postgres/charging/session-records.ts';
import { markStopping } from '#shared/postgres/charging/session-writes/requests.statements.ts';
import { type Commander, send } from '#api/services/commands/send.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Running session of a charger that is to stop. */
interface StopChoice {
  sessionId?: string | undefined;
  connectorNumber?: number | undefined;
}

/**
 * Requests the stop of a session from its charger, and marks the session as stopping when the charger accepted.
 * @throws {DomainError} NO_ACTIVE_SESSION, SESSION_AMBIGUOUS, and what `send` throws.
 */
export async function remoteStop(
  deps: ServiceDeps,
  by: Commander,
  charger: ChargerRecord,
  choice: StopChoice,
): Promise<{ sessionUuid: string; status: SessionStatus; result: CommandResult }> {
  const session = chooseSession(await listStoppableSessions(deps.sql, charger.id), choice);
  const command = { type: 'remote-stop', transactionId: session.transactionId } as const;
  const result = await send(deps, by, charger, command);
  if (result.accepted) await markStopping(deps.sql, session.uuid);
  return { sessionUuid: session.uuid, status: result.accepted ? 'STOPPING' : session.status, result };
}

function chooseSession(running: StoppableRecord[], choice: StopChoice): StoppableRecord {
  const { sessionId, connectorNumber } = choice;
  const meant = running.filter(
    (session) =>
      (sessionId === undefined || session.uuid === sessionId.toLowerCase()) &&
      (connectorNumber === undefined || session.connectorNumber === connectorNumber),
  );
  const [only] = meant;
  if (only === undefined) {
    throw new DomainError('NO_ACTIVE_SESSION', 'No such session runs at this charger.');
  }
  if (meant.length === 1) return only;
  throw new DomainError(
    'SESSION_AMBIGUOUS',
    'Several sessions run at this charger: specify sessionId or connectorNumber.',
    {
      sessions: meant.map((session) => ({
        sessionId: session.uuid,
        connectorNumber: session.connectorNumber,
      })),
    },
  );
}
