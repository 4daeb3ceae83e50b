import { BusClosedError, type PresenceEntry } from '#shared/bus/contract.ts';
import { BusUnavailableError } from '#shared/bus/contract.ts';
import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { ChargerCommand } from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { commandEvents, type CommandOutcome } from '#shared/postgres/commands/command-events.ts';
import type { Fragment } from '#shared/postgres/kernel/client.ts';
import { listConnectorPlaces } from '#shared/postgres/fleet/connectors.ts';
import {
  type Actor,
  type AuditedAct,
  auditReported,
  type OwnActor,
  type PartnerActor,
} from '#api/services/access/audit.ts';
import { changedSettings } from './changed-settings.ts';
import { findShard, type SendOptions, type SentCommand, sendCommand } from './charger-commands.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Originator of a command: a caller, a roaming partner, or a part of the product itself. */
export type Commander = Actor | PartnerActor | OwnActor;

/** Identity of a charger that is commanded. */
export type CommandedCharger = Pick<ChargerRecord, 'uid' | 'uuid' | 'networkId'>;

/**
 * Sends a command and writes its outcome to the audit log and as an event, whether the charger answered or not.
 * @throws {DomainError} as `sendCommand` does.
 */
export function commandCharger(
  deps: ServiceDeps,
  by: Commander,
  charger: CommandedCharger,
  command: ChargerCommand,
  options?: SendOptions,
): Promise<SentCommand> {
  const requestId = 'requestId' in by ? by.requestId : undefined;
  const claim = 'claim' in by ? by.claim : null;
  return sendAndRecord(
    deps,
    charger,
    command,
    { ...options, claim, ...(requestId !== undefined && { requestId }) },
    (...act) => auditReported(deps.sql, by, ...act),
  );
}

/**
 * Sends a command of the product's own accord, in the name of a part of it. A command that was not sent because the
 * charger is offline is sent again later, and is not written to the audit log each time.
 * @throws {DomainError} as `sendCommand` does.
 */
export function commandByItself(
  deps: ServiceDeps,
  part: string,
  charger: CommandedCharger,
  command: ChargerCommand,
  timeoutMs: number,
): Promise<SentCommand> {
  return sendAndRecord(
    deps,
    charger,
    command,
    { timeoutMs },
    (...act) => auditReported(deps.sql, { part }, ...act),
    isTemporary,
  );
}

/**
 * Returns the presence of a charger that is about to be commanded. Writes the command to the audit log when it cannot be sent.
 * @throws {DomainError} CHARGER_OFFLINE when no shard holds the charger.
 */
export async function findCommandShard(
  deps: ServiceDeps,
  by: Commander,
  charger: CommandedCharger,
  command: ChargerCommand,
): Promise<PresenceEntry> {
  try {
    return await findShard(deps, charger);
  } catch (error) {
    const note: Note = (...act) => auditReported(deps.sql, by, ...act);
    // The caller receives the first error.
    await record(deps, charger, command, failed(error), note).catch(() => undefined);
    throw error;
  }
}

/** Writes an entry of the audit log, and events in the same statement. */
type Note = (act: AuditedAct, events: Fragment) => Promise<void>;

/** Codes of errors after which a command is sent again later. */
const isTemporary: ReadonlySet<string> = new Set(['CHARGER_OFFLINE', 'CHARGER_HELD']);

/** @param unrecorded codes of errors that are not recorded. */
async function sendAndRecord(
  deps: ServiceDeps,
  charger: CommandedCharger,
  command: ChargerCommand,
  options: SendOptions | undefined,
  note: Note,
  unrecorded: ReadonlySet<string> = new Set(),
): Promise<SentCommand> {
  const [sent] = await Promise.allSettled([sendCommand(deps, charger, command, options)]);
  const outcome = sent.status === 'fulfilled' ? answered(command, sent.value) : failed(sent.reason);
  const isRecorded = outcome.event.errorCode === null || !unrecorded.has(outcome.event.errorCode);
  const written = isRecorded ? record(deps, charger, command, outcome, note) : Promise.resolve();
  if (sent.status === 'fulfilled') {
    await written;
    return sent.value;
  }
  // The caller receives the first error.
  await written.catch(() => undefined);
  throw sent.reason;
}

/** Writes the outcome of a command to the audit log (`note`) and as an event. */
async function record(
  { sql }: ServiceDeps,
  { networkId, uuid, uid }: CommandedCharger,
  command: ChargerCommand,
  { said, details, event }: Outcome,
  note: Note,
): Promise<void> {
  const action = command.type === 'ocpp' ? command.action : command.type;
  const act = {
    networkId,
    category: 'command',
    action,
    resourceId: uuid,
    resourceName: uid,
    description: `${action}: ${said}`,
    details: { command, ...details },
  };
  await note(act, commandEvents(sql, { chargerUuid: uuid, action, ...event }));
}

/** Outcome of a command for the audit log, and for its event. */
interface Outcome {
  said: string;
  details: Record<string, unknown>;
  event: Omit<CommandOutcome, 'chargerUuid' | 'action'>;
}

function answered(command: ChargerCommand, sent: SentCommand): Outcome {
  const { accepted, status, ocppVersion, action, payload } = sent;
  const changedKeys = changedSettings(command, sent);
  const said = `${accepted ? 'accepted' : 'refused'}${status === null ? '' : ` (${status})`}`;
  return {
    said,
    details: { accepted, status, ocppVersion, ocppAction: action, answer: payload },
    event: { outcome: accepted ? 'accepted' : 'rejected', status, errorCode: null, changedKeys },
  };
}

function failed(error: unknown): Outcome {
  const isBusGone = error instanceof BusUnavailableError || error instanceof BusClosedError;
  const ours = isBusGone ? 'STORE_UNAVAILABLE' : 'INTERNAL_ERROR';
  const code = error instanceof DomainError ? error.code : ours;
  const message = error instanceof Error ? error.message : String(error);
  return {
    said: code,
    details: { error: { code, message } },
    event: { outcome: 'failed', status: null, errorCode: code, changedKeys: [] },
  };
}

/**
 * Returns the OCPP position of the connector with this number. A charger that has reported no connector yet
 * is taken to have the usual layout: connector n is EVSE n.
 * @throws {DomainError} CONNECTOR_NOT_FOUND.
 */
export async function positionOf(
  { sql }: Pick<ServiceDeps, 'sql'>,
  charger: ChargerRecord,
  number: number,
): Promise<ConnectorPosition> {
  const places = await listConnectorPlaces(sql, charger.id);
  if (places.length === 0) return { evse: number, connector: 1 };
  const place = places.find((candidate) => candidate.number === number);
  if (place === undefined) {
    throw new DomainError('CONNECTOR_NOT_FOUND', `The charger has no connector ${number}.`);
  }
  return { evse: place.evse, connector: place.connector };
}

/** The same for a command that may leave the connector open. */
export async function positionIfAny(
  deps: Pick<ServiceDeps, 'sql'>,
  charger: ChargerRecord,
  number: number | null,
): Promise<ConnectorPosition | null> {
  return number === null ? null : positionOf(deps, charger, number);
}
