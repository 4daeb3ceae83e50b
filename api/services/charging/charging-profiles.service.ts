import {
  type ChargingProfile,
  type CompositeSchedule,
  isTenths,
  type ProfilePurpose,
  profileProblem,
  type RateUnit,
} from '#shared/domain/charging/charging-profile.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  type ChargingProfileRecord,
  listChargingProfiles,
  nextChargingProfileId,
} from '#shared/postgres/charging/charging-profile-records.ts';
import { readDynamicLimit } from '#shared/postgres/commands/command-effects.statements.ts';
import { listStoppableSessions } from '#shared/postgres/charging/session-records.ts';
import { positionOf } from '#api/services/commands/connector-position.ts';
import { type Commander, send, type SentCommand } from '#api/services/commands/send.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { requireUnmanaged } from '#api/services/commands/managed-chargers.ts';

export type { ChargingProfileRecord } from '#shared/postgres/charging/charging-profile-records.ts';

/** A profile to set: without an id it is a new one, with the id of one that is there it replaces that. */
type WantedProfile = Omit<ChargingProfile, 'profileId' | 'transactionId'> & {
  profileId: number | null;
  /** 0: the charger as a whole. */
  connectorNumber: number;
  /** Session of a Tx profile, which must be the running one; without it the running one is used. */
  sessionUuid?: string;
};

/** The profiles that a charger is known to have. */
export function readChargingProfiles(
  { sql }: ServiceDeps,
  charger: ChargerRecord,
): Promise<ChargingProfileRecord[]> {
  return listChargingProfiles(sql, charger.id);
}

/**
 * Asks a charger to charge by a profile; one of a session is for the one that runs at the connector.
 * @throws {DomainError} CHARGER_LOAD_MANAGED, CONNECTOR_NOT_FOUND, NO_ACTIVE_SESSION, VALIDATION_FAILED, and as `send` does.
 */
export async function setChargingProfile(
  deps: ServiceDeps,
  by: Commander,
  charger: ChargerRecord,
  { connectorNumber, profileId, sessionUuid, ...wanted }: WantedProfile,
): Promise<SentCommand & { profileId: number }> {
  const problem = profileProblem(
    { ...wanted, profileId: profileId ?? 0, transactionId: null },
    connectorNumber,
  );
  if (problem !== null) {
    throw new DomainError('VALIDATION_FAILED', `Invalid body: ${problem}.`, {
      errors: [{ field: '', message: problem }],
    });
  }
  await requireUnmanaged(deps.sql, charger);
  const evse = await evseOf(deps, charger, connectorNumber);
  const transactionId =
    wanted.purpose === 'Tx' ? await runningAt(deps, charger, connectorNumber, sessionUuid) : null;
  const profile = {
    ...wanted,
    profileId: profileId ?? (await nextChargingProfileId(deps.sql)),
    transactionId,
  };
  const sent = await send(deps, by, charger, { type: 'set-charging-profile', evse, profile });
  return { ...sent, profileId: profile.profileId };
}

/**
 * Changes the limit of a Dynamic profile, which applies at once; the charger also gets it when it requests the limit (OCPP 2.1 K28).
 * @throws {DomainError} CHARGER_LOAD_MANAGED, VALIDATION_FAILED, PROFILE_NOT_FOUND, and as `send` does.
 */
export async function changeDynamicLimit(
  deps: ServiceDeps,
  by: Commander,
  charger: ChargerRecord,
  { profileId, limit }: { profileId: number; limit: number },
): Promise<SentCommand> {
  if (!isTenths(limit)) {
    const message = 'has one decimal at most';
    throw new DomainError('VALIDATION_FAILED', `Invalid body: limit ${message}.`, {
      errors: [{ field: 'limit', message }],
    });
  }
  if ((await readDynamicLimit(deps.sql, charger.id, profileId)) === null) {
    throw new DomainError(
      'PROFILE_NOT_FOUND',
      `The charger ${charger.uid} has no Dynamic profile ${profileId}.`,
    );
  }
  await requireUnmanaged(deps.sql, charger);
  const payload = { chargingProfileId: profileId, scheduleUpdate: { limit } };
  return send(deps, by, charger, { type: 'ocpp', action: 'UpdateDynamicSchedule', payload });
}

/**
 * Asks a charger to forget the profiles that fit everything that is named: all of them, where nothing is.
 * @throws {DomainError} CHARGER_LOAD_MANAGED, CONNECTOR_NOT_FOUND, VALIDATION_FAILED, and as `send` does.
 */
export async function clearChargingProfiles(
  deps: ServiceDeps,
  by: Commander,
  charger: ChargerRecord,
  criteria: {
    profileId: number | null;
    connectorNumber: number | null;
    purpose: ProfilePurpose | null;
    stackLevel: number | null;
  },
): Promise<SentCommand> {
  const { connectorNumber, ...named } = criteria;
  if (named.profileId !== null && (connectorNumber ?? named.purpose ?? named.stackLevel) !== null) {
    const message = 'selects one profile and cannot be combined with other filters';
    throw new DomainError('VALIDATION_FAILED', `Invalid query: profileId ${message}.`, {
      errors: [{ field: 'profileId', message }],
    });
  }
  await requireUnmanaged(deps.sql, charger);
  const evse = connectorNumber === null ? null : await evseOf(deps, charger, connectorNumber);
  return send(deps, by, charger, { type: 'clear-charging-profiles', ...named, evse });
}

/**
 * Asks a charger what of all its profiles together will apply; `schedule` null: it did not say.
 * @throws {DomainError} CONNECTOR_NOT_FOUND, and as `send` does.
 */
export async function readCompositeSchedule(
  deps: ServiceDeps,
  by: Commander,
  charger: ChargerRecord,
  asked: { connectorNumber: number; durationSeconds: number; rateUnit: RateUnit | null },
): Promise<{ sent: SentCommand; schedule: CompositeSchedule | null }> {
  const { connectorNumber, ...rest } = asked;
  const evse = await evseOf(deps, charger, connectorNumber);
  const sent = await send(deps, by, charger, { type: 'get-composite-schedule', evse, ...rest });
  return { sent, schedule: sent.schedule ?? null };
}

/** Both versions know connectors by their EVSE here; 0 is the charger as a whole. */
async function evseOf(deps: ServiceDeps, charger: ChargerRecord, connectorNumber: number): Promise<number> {
  return connectorNumber === 0 ? 0 : (await positionOf(deps, charger, connectorNumber)).evse;
}

async function runningAt(
  deps: ServiceDeps,
  charger: ChargerRecord,
  connectorNumber: number,
  sessionUuid: string | undefined,
): Promise<string> {
  const running = await listStoppableSessions(deps.sql, charger.id);
  const session = running.find(
    (candidate) =>
      candidate.connectorNumber === connectorNumber &&
      (sessionUuid === undefined || candidate.uuid === sessionUuid),
  );
  if (session !== undefined) return session.transactionId;
  throw new DomainError('NO_ACTIVE_SESSION', `No session runs at connector ${connectorNumber}.`);
}
