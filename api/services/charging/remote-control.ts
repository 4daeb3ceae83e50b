import { randomInt } from 'node:crypto';
import type { CommandResult, RemoteStartCommand } from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { limitsExpireMs } from '#shared/domain/charging/remote-start.ts';
import type { SessionLimits, SessionStatus } from '#shared/domain/charging/session.ts';
import { ensureIdToken } from '#shared/postgres/people/id-tokens.ts';
import { insertPendingLimits } from '#shared/postgres/charging/session-limits.ts';
import { listStoppableSessions, type StoppableRecord } from '#shared/postgres/charging/session-records.ts';
import { markStopping } from '#shared/postgres/charging/session-writes/requests.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { chargingToken } from './known-token.ts';
import { commandCharger, type Commander, positionIfAny } from '#api/services/commands/operator-commands.ts';
import { limitsAt, type WantedLimits } from './session-limits.ts';

/** The token a remote start carries when the operator names none: OCPP requires one, and it has to be valid. */
export const operatorIdTag = 'OPERATOR';

/** The largest remoteStartId: an integer of 32 bits (OCPP 2.0.1 F01). */
const maxRemoteStartId = 2 ** 31 - 1;

const noLimits: SessionLimits = { maxCostMinor: null, maxDurationSeconds: null, maxEnergyWh: null };

/**
 * Asks the charger to start a session; the session itself begins when the charger reports it, and takes the limits
 * and the driver's hold then. Giving back the hold of a start that was refused is the caller's business.
 * @throws {DomainError} CONNECTOR_NOT_FOUND, ID_TOKEN_NOT_ACCEPTED, and what `commandCharger` throws.
 */
export async function remoteStart(
  deps: ServiceDeps,
  by: Commander,
  charger: ChargerRecord,
  start: {
    idTag: string;
    connectorNumber: number | null;
    limits?: WantedLimits;
    hold?: { id: bigint } | null;
    /** A roaming partner vouches for the token: it is not looked at here (OCPI 2.2.1 §13.3.5). */
    isVouched?: boolean;
    /** Of the start that is known already (`charging-starts.ts`). */
    startUuid?: string;
  },
): Promise<CommandResult> {
  const position = await positionIfAny(deps, charger, start.connectorNumber);
  if (start.isVouched !== true) {
    // The charger asks us about the token when it starts; the operator's own must not be unknown then.
    if (start.idTag === operatorIdTag) await ensureIdToken(deps.sql, charger.networkId, operatorIdTag);
    await chargingToken(deps, charger.networkId, start.idTag);
  }
  const remoteStartId = randomInt(1, maxRemoteStartId);
  const place = { chargerId: charger.id, evse: position?.evse ?? null };
  const limits = await limitsAt(deps, place, start.limits ?? {});
  const holdId = start.hold?.id ?? null;
  if (limits !== null || holdId !== null) {
    // Before the charger hears of it: its session may be there before its answer.
    const expiresAt = new Date(Date.now() + limitsExpireMs);
    await insertPendingLimits(deps.sql, {
      ...(limits ?? noLimits),
      chargerId: charger.id,
      holdId,
      remoteStartId,
      expiresAt,
    });
  }
  const command: RemoteStartCommand = {
    type: 'remote-start',
    position,
    idToken: start.idTag,
    remoteStartId,
    ...(start.startUuid !== undefined && { startUuid: start.startUuid }),
  };
  return commandCharger(deps, by, charger, command);
}

/** Which of a charger's running sessions to stop. */
export interface StopChoice {
  sessionId?: string | undefined;
  connectorNumber?: number | undefined;
}

/**
 * Asks the charger to stop a session, and marks it as stopping when the charger accepted.
 * @throws {DomainError} NO_ACTIVE_SESSION, SESSION_AMBIGUOUS, and what `commandCharger` throws.
 */
export async function remoteStop(
  deps: ServiceDeps,
  by: Commander,
  charger: ChargerRecord,
  choice: StopChoice,
): Promise<{ sessionUuid: string; status: SessionStatus; result: CommandResult }> {
  const session = chooseSession(await listStoppableSessions(deps.sql, charger.id), choice);
  const command = { type: 'remote-stop', transactionId: session.transactionId } as const;
  const result = await commandCharger(deps, by, charger, command);
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
    'Several sessions run at this charger: name sessionId or connectorNumber.',
    {
      sessions: meant.map((session) => ({
        sessionId: session.uuid,
        connectorNumber: session.connectorNumber,
      })),
    },
  );
}
