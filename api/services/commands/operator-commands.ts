import { BusClosedError } from '#shared/bus/contract.ts';
import { BusUnavailableError } from '#shared/bus/unavailable.ts';
import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { ChargerCommand } from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { listConnectorPlaces } from '#shared/postgres/fleet/connectors.ts';
import {
  type Actor,
  audit,
  type AuditedAct,
  auditOwn,
  type PartnerActor,
} from '#api/services/access/audit.ts';
import { type SentCommand, sendCommand } from './charger-commands.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Who has a charger do something: a caller, a roaming partner, or a part of the product of its own accord. */
export type Commander = Actor | PartnerActor | { part: string };

/**
 * Sends a command and writes to the audit log what became of it, whether the charger answered or not.
 * @throws {DomainError} as `sendCommand` does.
 */
export function commandCharger(
  deps: ServiceDeps,
  by: Commander,
  charger: ChargerRecord,
  command: ChargerCommand,
): Promise<SentCommand> {
  return sendAndNote(deps, charger, command, undefined, (act) =>
    'part' in by ? auditOwn(deps.sql, by.part, act) : audit(deps.sql, by, act),
  );
}

/**
 * Sends a command of the product's own accord, in the name of the part that does. What could not be sent, since the
 * charger is offline, is tried again and is no entry each time.
 * @throws {DomainError} as `sendCommand` does.
 */
export function commandByItself(
  deps: ServiceDeps,
  part: string,
  charger: CommandedCharger,
  command: ChargerCommand,
  timeoutMs: number,
): Promise<SentCommand> {
  return sendAndNote(deps, charger, command, timeoutMs, async (act, error) => {
    if (error instanceof DomainError && isTemporary.has(error.code)) return;
    await auditOwn(deps.sql, part, act);
  });
}

/** A command that was not sent for these is sent again later. */
const isTemporary: ReadonlySet<string> = new Set(['CHARGER_OFFLINE', 'CHARGER_HELD']);

/** What of a charger a command and its entry need. */
type CommandedCharger = Pick<ChargerRecord, 'uid' | 'uuid' | 'networkId'>;

async function sendAndNote(
  deps: ServiceDeps,
  charger: CommandedCharger,
  command: ChargerCommand,
  timeoutMs: number | undefined,
  note: (act: AuditedAct, error: unknown) => Promise<void>,
): Promise<SentCommand> {
  const [sent] = await Promise.allSettled([sendCommand(deps, charger, command, timeoutMs)]);
  const outcome = sent.status === 'fulfilled' ? answered(sent.value) : failed(sent.reason);
  const action = command.type === 'ocpp' ? command.action : command.type;
  const act = {
    networkId: charger.networkId,
    category: 'command',
    action,
    resourceId: charger.uuid,
    resourceName: charger.uid,
    description: `${action}: ${outcome.said}`,
    details: { command, ...outcome.details },
  };
  const written = note(act, sent.status === 'fulfilled' ? null : sent.reason);
  if (sent.status === 'fulfilled') {
    await written;
    return sent.value;
  }
  // What went wrong first is what the caller learns.
  await written.catch(() => undefined);
  throw sent.reason;
}

function answered({ accepted, status, ocppVersion, action, payload }: SentCommand) {
  const said = `${accepted ? 'accepted' : 'refused'}${status === null ? '' : ` (${status})`}`;
  return { said, details: { accepted, status, ocppVersion, ocppAction: action, answer: payload } };
}

function failed(error: unknown) {
  const isBusGone = error instanceof BusUnavailableError || error instanceof BusClosedError;
  const ours = isBusGone ? 'STORE_UNAVAILABLE' : 'INTERNAL_ERROR';
  const code = error instanceof DomainError ? error.code : ours;
  const message = error instanceof Error ? error.message : String(error);
  return { said: code, details: { error: { code, message } } };
}

/**
 * Where OCPP finds the connector with this number. A charger that has reported no connector yet has the usual
 * layout for all we know: connector n is EVSE n.
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
