import { BusClosedError, type PresenceEntry } from '#shared/bus/contract.ts';
import { BusUnavailableError } from '#shared/bus/contract.ts';
import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { ChargerCommand } from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { listConnectorPlaces } from '#shared/postgres/fleet/connectors.ts';
import {
  type Actor,
  type AuditedAct,
  auditReported,
  type OwnActor,
  type PartnerActor,
} from '#api/services/access/audit.ts';
import { findShard, type SendOptions, type SentCommand, sendCommand } from './charger-commands.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Originator of a command: a caller, a roaming partner, or a part of the product itself. */
export type Commander = Actor | PartnerActor | OwnActor;

/** Identity of a charger that is commanded. */
export type CommandedCharger = Pick<ChargerRecord, 'uid' | 'uuid' | 'networkId'>;

/**
 * Sends a command and writes its outcome to the audit log, whether the charger answered or not.
 * @throws {DomainError} as `sendCommand` does.
 */
export function commandCharger(
  deps: ServiceDeps,
  by: Commander,
  charger: CommandedCharger,
  command: ChargerCommand,
  options?: SendOptions,
): Promise<SentCommand> {
  return sendAndNote(deps, charger, command, options, (act) => auditReported(deps.sql, by, act));
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
  return sendAndNote(deps, charger, command, { timeoutMs }, async (act, error) => {
    if (error instanceof DomainError && isTemporary.has(error.code)) return;
    await auditReported(deps.sql, { part }, act);
  });
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
    // The caller receives the first error.
    await auditReported(deps.sql, by, actOf(charger, command, failed(error))).catch(() => undefined);
    throw error;
  }
}

/** Codes of errors after which a command is sent again later. */
const isTemporary: ReadonlySet<string> = new Set(['CHARGER_OFFLINE', 'CHARGER_HELD']);

async function sendAndNote(
  deps: ServiceDeps,
  charger: CommandedCharger,
  command: ChargerCommand,
  options: SendOptions | undefined,
  note: (act: AuditedAct, error: unknown) => Promise<void>,
): Promise<SentCommand> {
  const [sent] = await Promise.allSettled([sendCommand(deps, charger, command, options)]);
  const outcome = sent.status === 'fulfilled' ? answered(sent.value) : failed(sent.reason);
  const written = note(actOf(charger, command, outcome), sent.status === 'fulfilled' ? null : sent.reason);
  if (sent.status === 'fulfilled') {
    await written;
    return sent.value;
  }
  // The caller receives the first error.
  await written.catch(() => undefined);
  throw sent.reason;
}

/** Outcome of a command for the audit log. */
interface Outcome {
  said: string;
  details: Record<string, unknown>;
}

function actOf(charger: CommandedCharger, command: ChargerCommand, { said, details }: Outcome): AuditedAct {
  const action = command.type === 'ocpp' ? command.action : command.type;
  return {
    networkId: charger.networkId,
    category: 'command',
    action,
    resourceId: charger.uuid,
    resourceName: charger.uid,
    description: `${action}: ${said}`,
    details: { command, ...details },
  };
}

function answered({ accepted, status, ocppVersion, action, payload }: SentCommand): Outcome {
  const said = `${accepted ? 'accepted' : 'refused'}${status === null ? '' : ` (${status})`}`;
  return { said, details: { accepted, status, ocppVersion, ocppAction: action, answer: payload } };
}

function failed(error: unknown): Outcome {
  const isBusGone = error instanceof BusUnavailableError || error instanceof BusClosedError;
  const ours = isBusGone ? 'STORE_UNAVAILABLE' : 'INTERNAL_ERROR';
  const code = error instanceof DomainError ? error.code : ours;
  const message = error instanceof Error ? error.message : String(error);
  return { said: code, details: { error: { code, message } } };
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
