import type { ConnectedCharger, Registry } from '#gateway/connections/registry.ts';
import { CallRefused, CallTimeout, SocketClosed } from '#gateway/frame/errors.ts';
import { maySend } from '#gateway/protocol/held-chargers.ts';
import type { OutgoingCall } from '#gateway/protocol/outgoing-call.ts';
import { UnsendableCommand } from '#gateway/protocol/unsendable.ts';
import type { Bus, Unsubscribe } from '#shared/bus/contract.ts';
import {
  type ChargerCommand,
  type CommandReply,
  type CommandRequest,
  type CommandResult,
  gatewayChannel,
} from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Registration } from '#shared/domain/fleet/registration.ts';
import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import type { Logger } from '#shared/log/log.ts';
import { InvalidPayload } from '#shared/ocpp/validators.ts';
import { isPostgresDown, isTooSlow, type Sql } from '#shared/postgres/kernel/client.ts';
import { findRegistration } from '#shared/postgres/commands/charger-registration.statements.ts';
import { type Span, tracing } from '#shared/tracing/tracing.ts';
import { anyCall } from './any-call.ts';
import { callDivided, PartFailed, type SendRequest } from './divided-call.ts';
import { openEffect } from './effects/effects.ts';
import { LimitLookup } from './message-limits.ts';

/** Observer of commands: their type, and `accepted`, `refused` by the answer, or the code of the failure. */
export type CommandObserver = (command: ChargerCommand['type'], outcome: string) => void;

interface CommandContext {
  registry: Registry;
  sql: Sql;
  log: Logger;
  clock: Pick<Clock, 'now'>;
  limits: LimitLookup;
  observe: CommandObserver;
}

/** Serves commands from the bus for the chargers of this shard. */
export function answerCommands(bus: Bus, options: Omit<CommandContext, 'limits'>): Promise<Unsubscribe> {
  const context = { ...options, limits: new LimitLookup(options.sql) };
  return bus.respond(gatewayChannel(bus.node), async (message) => {
    const request = message as CommandRequest;
    const startedAt = performance.now();
    const span = spanOf(request);
    const reply = await dispatch(context, request, span);
    const outcome = outcomeOf(reply);
    span?.end({ 'chargeway.outcome': outcome }, reply.ok ? undefined : reply.code);
    options.observe(request.command.type, outcome);
    const about = { outcome, ms: performance.now() - startedAt, traceId: span?.traceId };
    logCommand(context.log, request, reply, about);
    return reply;
  });
}

/** Returns the span of a command, a child of its sender's; null while tracing is off. */
function spanOf({ uid, command, traceparent }: CommandRequest): Span | null {
  const traces = tracing();
  if (traces === null) return null;
  return traces.start({
    name: `serve ${command.type}`,
    kind: 'server',
    attributes: { 'chargeway.charger': uid },
    parent: traceparent,
  });
}

function logCommand(
  log: Logger,
  { uid, command, requestId }: CommandRequest,
  reply: CommandReply,
  { outcome, ms, traceId }: { outcome: string; ms: number; traceId: string | undefined },
): void {
  // Jobs send costs to be shown each minute.
  const level = reply.ok && requestId === undefined ? 'debug' : 'info';
  log[level](
    {
      charger: uid,
      command: command.type,
      outcome,
      // The text of a charger can repeat what it was sent.
      reason: reply.ok || reply.code === 'CHARGER_REFUSED' ? undefined : reply.message,
      ms: Math.round(ms * 10) / 10,
      reqId: requestId,
      traceId,
    },
    'command',
  );
}

function outcomeOf(reply: CommandReply): string {
  if (!reply.ok) return reply.code;
  return reply.result.accepted ? 'accepted' : 'refused';
}

/** Sends one command to its charger, waits for the answer, and stores its effect. */
async function dispatch(
  context: CommandContext,
  request: CommandRequest,
  span: Span | null,
): Promise<CommandReply> {
  const { uid, command, timeoutMs, requestId } = request;
  const charger = context.registry.get(uid);
  if (charger === undefined) return offline(uid);
  const ocppVersion = charger.protocol.version;
  if (command.type === 'disconnect') return disconnect(charger);
  try {
    const call = callOf(charger, command);
    if (call.action === 'TriggerMessage') await refreshRegistration(context.sql, charger);
    const { registration } = charger.charger;
    if (!maySend(registration, ocppVersion, call)) return held(uid, registration, call.action);
    const result = await perform(context, charger, call, timeoutMs, span);
    return { ok: true, ocppVersion, action: call.action, result };
  } catch (error) {
    const reply = failure(uid, error);
    if (!reply.ok && reply.code === 'INTERNAL_ERROR') {
      const about = { charger: uid, command: command.type, reqId: requestId };
      context.log.error({ err: error, ...about }, 'a command failed');
    }
    return reply;
  }
}

/**
 * Reads the registration of a charger before it is asked to boot: the notification of a change may arrive after the boot, which would
 * be answered with the former registration.
 */
async function refreshRegistration(sql: Sql, { charger }: ConnectedCharger): Promise<void> {
  charger.registration = (await findRegistration(sql, charger.id)) ?? charger.registration;
}

/** Closes the socket of a charger, also of one that answers nothing. Calls in progress fail. */
function disconnect({ connection, protocol }: ConnectedCharger): CommandReply {
  connection.close(1012, 'disconnected by the operator');
  const result = { accepted: true, status: null, payload: {}, transactionId: null };
  return { ok: true, ocppVersion: protocol.version, action: 'Disconnect', result };
}

function callOf(
  { protocol }: ConnectedCharger,
  command: Exclude<ChargerCommand, { type: 'disconnect' }>,
): OutgoingCall {
  if (command.type === 'ocpp') return anyCall(protocol, command);
  const encode = protocol.commands[command.type];
  // The key and the command have the same type; TypeScript cannot follow that through the table.
  return encode(command as never);
}

async function perform(
  { sql, limits, clock }: CommandContext,
  connected: ConnectedCharger,
  call: OutgoingCall,
  timeoutMs: number,
  span: Span | null,
): Promise<CommandResult> {
  const { charger, connection, protocol } = connected;
  const { action, request, effect: change } = call;
  const effect = change === null ? null : await openEffect({ sql, clock }, charger.id, change, timeoutMs);
  const deadline = performance.now() + timeoutMs;
  // Its start may arrive before the answer is served.
  if (change?.type === 'remote-start')
    connected.localTime.startRequested(change.idToken, new Date(clock.now()));
  // Answers about tokens must reach the charger's cache before it is cleared: after that, no earlier answer counts
  // as cached (`beginClearing`).
  if (action === 'ClearCache') await connection.answered();
  const send: SendRequest = (part) =>
    traceCall(span, connected, action, () =>
      connection.call(action, part, Math.max(1, deadline - performance.now()), (payload) =>
        call.decode(payload),
      ),
    );
  let result: CommandResult;
  try {
    const divided = protocol.divided(action, request);
    result =
      divided === null
        ? call.decode(await send(request))
        : await callDivided(call, divided, await limits.of(connected, divided.limits, deadline), send);
  } catch (error) {
    if (error instanceof CallRefused) await effect?.refused(null);
    throw error;
  }
  await (result.accepted ? effect?.accepted(result.payload) : effect?.refused(result.payload));
  return result;
}

/** Sends a CALL in a child span of its command, from the queue of the connection to the answer. Without a span it only sends. */
async function traceCall(
  command: Span | null,
  { charger, protocol }: Pick<ConnectedCharger, 'charger' | 'protocol'>,
  action: string,
  send: () => Promise<unknown>,
): Promise<unknown> {
  if (command === null) return send();
  const span = tracing()?.start({
    name: action,
    kind: 'client',
    attributes: { 'chargeway.charger': charger.uid, 'ocpp.action': action, 'ocpp.version': protocol.version },
    parent: command.traceparent,
  });
  try {
    const answer = await send();
    span?.end({ 'ocpp.status': statusOf(answer) });
    return answer;
  } catch (error) {
    span?.end({}, error instanceof Error ? error.name : 'no answer');
    throw error;
  }
}

function statusOf(answer: unknown): string | undefined {
  const status = (answer as { status?: unknown } | null)?.status;
  return typeof status === 'string' ? status : undefined;
}

function offline(uid: string): CommandReply {
  return { ok: false, code: 'CHARGER_OFFLINE', message: `The charger ${uid} is not connected.` };
}

function held(uid: string, registration: Registration, action: string): CommandReply {
  const allowed =
    registration === 'Pending'
      ? 'In this state it can be configured, report its device model and be triggered to boot.'
      : 'In this state no commands are sent.';
  const message = `The registration of the charger ${uid} is ${registration}, so ${action} was not sent. ${allowed}`;
  return { ok: false, code: 'CHARGER_HELD', message };
}

/** CALLERROR codes of a charger that does not support the action. */
const unsupportedCodes = new Set(['NotImplemented', 'NotSupported']);

function failure(uid: string, error: unknown): CommandReply {
  if (error instanceof PartFailed) return partFailure(uid, error);
  if (error instanceof SocketClosed) {
    const message = `The charger ${uid} lost its connection before it answered.`;
    return { ok: false, code: 'CHARGER_OFFLINE', message };
  }
  if (error instanceof CallTimeout) {
    return { ok: false, code: 'CHARGER_TIMEOUT', message: `The charger ${uid} gave ${error.message}.` };
  }
  if (error instanceof UnsendableCommand) {
    return { ok: false, code: 'COMMAND_NOT_SUPPORTED', message: `${error.message}.` };
  }
  if (error instanceof DomainError) {
    const { code, message, details } = error;
    return { ok: false, code, message, ...(details !== undefined && { details }) };
  }
  if (error instanceof CallRefused) {
    const code = unsupportedCodes.has(error.code) ? 'COMMAND_NOT_SUPPORTED' : 'CHARGER_REFUSED';
    return { ok: false, code, message: `The charger ${uid} answered with an error: ${error.message}.` };
  }
  if (error instanceof InvalidPayload) {
    return {
      ok: false,
      code: 'CHARGER_REFUSED',
      message: `The charger ${uid} gave an answer that breaks its schema: ${error.problem.message}.`,
    };
  }
  if (isPostgresDown(error) || isTooSlow(error)) {
    return {
      ok: false,
      code: 'STORE_UNAVAILABLE',
      message: `The database is unavailable: the change of the command at ${uid} could not be stored.`,
    };
  }
  return { ok: false, code: 'INTERNAL_ERROR', message: 'The command could not be sent.' };
}

/** Returns the error of a part with the answers to the parts before it. */
function partFailure(uid: string, { cause, details }: PartFailed): CommandReply {
  const reply = failure(uid, cause);
  if (reply.ok) return reply;
  const { answeredItems, unansweredItems } = details;
  const total = answeredItems + unansweredItems;
  const message = `${reply.message} It answered ${answeredItems} of ${total} items before, in details.answered.`;
  return { ...reply, message, details: { ...reply.details, ...details } };
}
