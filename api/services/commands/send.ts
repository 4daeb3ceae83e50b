import {
  BusClosedError,
  BusTimeoutError,
  BusUnavailableError,
  NoResponderError,
  type PresenceEntry,
} from '#shared/bus/contract.ts';
import {
  type ChargerCommand,
  type CommandReply,
  type CommandResult,
  gatewayChannel,
} from '#shared/domain/commands/commands.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { commandTimeoutMs } from '#shared/domain/kernel/deadline.ts';
import { DomainError, type ErrorCode } from '#shared/domain/kernel/errors.ts';
import { commandEvents, type CommandOutcome } from '#shared/postgres/commands/command-events.ts';
import { tracing } from '#shared/tracing/tracing.ts';
import { type Actor, auditReported, type OwnActor, type PartnerActor } from '#api/services/access/audit.ts';
import { markActed } from '#api/services/access/idempotency.service.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Time in milliseconds that the API waits longer than the charger has: the shard gives up first and reports why. */
const busMarginMs = 2_000;

/** Originator of a command: a caller, a roaming partner, or a part of the product itself. */
export type Commander = Actor | PartnerActor | OwnActor;

/** Identity of a charger that is commanded. */
export type CommandedCharger = Pick<ChargerRecord, 'uid' | 'uuid' | 'networkId'>;

/** Response of a charger, with the command that was sent. */
export interface SentCommand extends CommandResult {
  ocppVersion: OcppVersion;
  /** Action in that version. */
  action: string;
}

/** Options of a command. */
interface SendOptions {
  /** Time that the charger has for its answer. */
  timeoutMs?: number | undefined;
  /** Presence of the charger's socket, when the caller has looked it up. */
  shard?: PresenceEntry | undefined;
}

/**
 * Sends a command to the shard that holds the charger's socket, and returns the charger's answer. Writes the outcome to the audit
 * log and as an event, whether the charger answered or not.
 * @param by null: the command is not recorded, because it only reads or repeats.
 * @throws {DomainError} CHARGER_OFFLINE at once when no shard holds the charger; CHARGER_TIMEOUT when it is silent; the error of the
 * shard otherwise (COMMAND_NOT_SUPPORTED, CHARGER_REFUSED, and for any OCPP action VALIDATION_FAILED, ACTION_UNKNOWN).
 */
export async function send(
  deps: ServiceDeps,
  by: Commander | null,
  charger: CommandedCharger,
  command: ChargerCommand,
  options: SendOptions = {},
): Promise<SentCommand> {
  let sent: SentCommand;
  try {
    sent = await ask(deps, by, charger, command, options);
  } catch (error) {
    await recordFailure(deps, by, charger, command, error);
    throw error;
  }
  await record(deps, by, charger, command, answered(command, sent));
  return sent;
}

/**
 * Returns the presence of a charger's socket.
 * @param unsent command whose failure is recorded when it cannot be sent.
 * @throws {DomainError} CHARGER_OFFLINE when no shard holds it.
 */
export async function findShard(
  deps: ServiceDeps,
  charger: CommandedCharger,
  unsent?: { by: Commander; command: ChargerCommand },
): Promise<PresenceEntry> {
  try {
    const entry = await deps.bus.presence.lookup(charger.uid);
    if (entry === null) throw offline(charger);
    return entry;
  } catch (error) {
    if (unsent !== undefined) await recordFailure(deps, unsent.by, charger, unsent.command, error);
    throw error;
  }
}

/** Sends a command in a span of its own, while tracing is on. */
async function ask(
  deps: ServiceDeps,
  by: Commander | null,
  charger: CommandedCharger,
  command: ChargerCommand,
  { timeoutMs = commandTimeoutMs, shard }: SendOptions,
): Promise<SentCommand> {
  const channel = gatewayChannel((shard ?? (await findShard(deps, charger))).node);
  if (by !== null) markActed(by);
  const traces = tracing();
  const span = traces?.start({
    name: `send ${command.type}`,
    kind: 'client',
    attributes: { 'chargeway.charger': charger.uid, 'messaging.destination.name': channel },
    parent: traces.current()?.traceparent,
  });
  const requestId = by !== null && 'requestId' in by ? by.requestId : undefined;
  const request = {
    uid: charger.uid,
    command,
    timeoutMs,
    ...(requestId !== undefined && { requestId }),
    ...(span !== undefined && { traceparent: span.traceparent }),
  };
  try {
    const reply = await deps.bus.request(channel, request, { timeoutMs: timeoutMs + busMarginMs });
    const { ocppVersion, action, result } = requireAnswer(reply as CommandReply);
    span?.end({});
    return { ...result, ocppVersion, action };
  } catch (error) {
    const reason = unanswered(charger, error);
    span?.end({}, reason instanceof DomainError ? reason.code : 'the bus failed');
    throw reason;
  }
}

function requireAnswer(reply: CommandReply): Extract<CommandReply, { ok: true }> {
  if (reply.ok) return reply;
  throw new DomainError(reply.code, reply.message, reply.details);
}

/** Returns the error of a command that a shard did not answer. */
function unanswered(charger: CommandedCharger, error: unknown): unknown {
  // The shard died a moment ago; presence has not noticed yet.
  if (error instanceof NoResponderError) return offline(charger);
  if (!(error instanceof BusTimeoutError)) return error;
  return new DomainError('CHARGER_TIMEOUT', `The charger ${charger.uid} did not answer in time.`);
}

function offline({ uid }: { uid: string }): DomainError {
  return new DomainError('CHARGER_OFFLINE', `The charger ${uid} is not connected.`);
}

/** Codes of errors after which a part of the product sends a command again later. */
const temporary: ReadonlySet<string | null> = new Set(['CHARGER_OFFLINE', 'CHARGER_HELD']);

/** Records a command that failed. The caller receives the first error. */
async function recordFailure(
  deps: ServiceDeps,
  by: Commander | null,
  charger: CommandedCharger,
  command: ChargerCommand,
  error: unknown,
): Promise<void> {
  const outcome = failed(error);
  if (by !== null && 'part' in by && temporary.has(outcome.event.errorCode)) return;
  await record(deps, by, charger, command, outcome).catch(() => undefined);
}

/** Writes the outcome of a command to the audit log and as an event. */
async function record(
  { sql }: ServiceDeps,
  by: Commander | null,
  { networkId, uuid, uid }: CommandedCharger,
  command: ChargerCommand,
  { said, details, event }: Outcome,
): Promise<void> {
  if (by === null) return;
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
  const position = 'position' in command ? command.position : null;
  const outcome = { chargerUuid: uuid, action, position, ...originOf(by), ...event };
  await auditReported(sql, by, act, commandEvents(sql, outcome));
}

function originOf(by: Commander): Pick<CommandOutcome, 'by' | 'operatorUuid'> {
  if ('part' in by) return { by: 'system', operatorUuid: null };
  if ('partner' in by) return { by: 'partner', operatorUuid: null };
  const { kind, uuid } = by.caller.who;
  if (kind === 'operator') return { by: kind, operatorUuid: uuid };
  return { by: kind === 'key' ? 'api-key' : kind, operatorUuid: null };
}

/** Outcome of a command for the audit log, and for its event. */
interface Outcome {
  said: string;
  details: Record<string, unknown>;
  event: Pick<CommandOutcome, 'outcome' | 'status' | 'errorCode' | 'changedKeys'>;
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

/** Statuses with which a charger reports that it took a value. */
const taken: ReadonlySet<string> = new Set(['Accepted', 'RebootRequired']);

/** Part of SetVariables of OCPP 2.0.1 that names a variable. */
interface NamedVariable {
  component: { name: string; instance?: string };
  variable: { name: string; instance?: string };
  attributeStatus?: string;
}

/** Returns the names of the settings that a command changed, as the API writes them: a key of 1.6, `Component.Variable` of 2.0.1. */
function changedSettings(command: ChargerCommand, { accepted, variables, payload }: CommandResult): string[] {
  if (command.type === 'change-configuration') return accepted ? [command.key] : [];
  if (command.type === 'set-variables') {
    const changed = (variables ?? []).filter(({ status }) => taken.has(status));
    return unique(changed.map(({ component, variable }) => `${component}.${variable}`));
  }
  if (command.type !== 'ocpp') return [];
  if (command.action === 'ChangeConfiguration') {
    return accepted ? [(command.payload as { key: string }).key] : [];
  }
  if (command.action !== 'SetVariables') return [];
  const results = (payload as { setVariableResult?: NamedVariable[] } | null)?.setVariableResult ?? [];
  const changed = results.filter(({ attributeStatus = '' }) => taken.has(attributeStatus));
  return unique(changed.map(({ component, variable }) => `${component.name}.${variable.name}`));
}

function unique(keys: string[]): string[] {
  return [...new Set(keys)];
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
 * Error codes of the public API for the obstacles to a start, a stop or a restart: 400 for a state that does
 * not allow it, 403 for a token that is not authorized. The operator API answers 409 for the same.
 */
const publicCodes: Partial<Record<ErrorCode, ErrorCode>> = {
  CHARGER_OFFLINE: 'CHARGER_UNAVAILABLE',
  CHARGER_HELD: 'CHARGER_UNAVAILABLE',
  ID_TOKEN_NOT_ACCEPTED: 'ID_TOKEN_BLOCKED',
  NO_ACTIVE_SESSION: 'SESSION_NOT_RUNNING',
};

/** Returns the error of a command with its public code. `unsupported`: the code for a charger without this command. */
export function asPublicError(error: unknown, unsupported?: 'START_REFUSED' | 'STOP_REFUSED'): unknown {
  if (!(error instanceof DomainError)) return error;
  const code = error.code === 'COMMAND_NOT_SUPPORTED' ? unsupported : publicCodes[error.code];
  if (code === undefined) return error;
  return new DomainError(code, error.message, error.details, { cause: error });
}
