import { commandTimeoutMs } from '#shared/domain/kernel/deadline.ts';
import { BusTimeoutError, NoResponderError, type PresenceEntry } from '#shared/bus/contract.ts';
import {
  type ChargerCommand,
  type CommandReply,
  type CommandRequest,
  type CommandResult,
  gatewayChannel,
} from '#shared/domain/commands/commands.ts';
import type { OcppVersion } from '#shared/domain/fleet/charger.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { tracing } from '#shared/tracing/tracing.ts';
import { type Claim, markActed } from '#api/services/access/idempotency.ts';

/** Time in milliseconds that the API waits longer than the charger has: the shard gives up first and reports why. */
const busMarginMs = 2_000;

/** Response of a charger, with the command that was sent. */
export interface SentCommand extends CommandResult {
  ocppVersion: OcppVersion;
  /** Action in that version. */
  action: string;
}

/** Time that a charger has for its answer, and the presence of its socket where the caller has looked it up. */
export interface SendOptions {
  timeoutMs?: number | undefined;
  shard?: PresenceEntry | undefined;
  /** Id of the API request that caused the command. */
  requestId?: string | undefined;
  /** Claim of that request. */
  claim?: Claim | null | undefined;
}

/**
 * Sends a command to the shard that holds the charger's socket, and returns the charger's answer.
 * @throws {DomainError} CHARGER_OFFLINE at once when no shard holds it; CHARGER_TIMEOUT when it is silent; the error of the
 * shard otherwise (COMMAND_NOT_SUPPORTED, CHARGER_REFUSED, and for any OCPP action VALIDATION_FAILED, ACTION_UNKNOWN).
 */
export async function sendCommand(
  { bus }: Pick<ServiceDeps, 'bus'>,
  charger: { uid: string },
  command: ChargerCommand,
  { timeoutMs = commandTimeoutMs, shard, requestId, claim = null }: SendOptions = {},
): Promise<SentCommand> {
  const { node } = shard ?? (await findShard({ bus }, charger));
  markActed({ claim });
  const request: CommandRequest = {
    uid: charger.uid,
    command,
    timeoutMs,
    ...(requestId !== undefined && { requestId }),
  };
  const reply = await askTraced({ bus }, node, request);
  if (!reply.ok) throw new DomainError(reply.code, reply.message, reply.details);
  return { ...reply.result, ocppVersion: reply.ocppVersion, action: reply.action };
}

/**
 * Returns the presence of a charger's socket.
 * @throws {DomainError} CHARGER_OFFLINE when no shard holds it.
 */
export async function findShard(
  { bus }: Pick<ServiceDeps, 'bus'>,
  charger: { uid: string },
): Promise<PresenceEntry> {
  const entry = await bus.presence.lookup(charger.uid);
  if (entry === null) throw offline(charger);
  return entry;
}

/** Sends a request to a shard in a span of its own, while tracing is on. */
async function askTraced(
  deps: Pick<ServiceDeps, 'bus'>,
  node: string,
  request: CommandRequest,
): Promise<CommandReply> {
  const traces = tracing();
  if (traces === null) return askShard(deps, node, request);
  const span = traces.start({
    name: `send ${request.command.type}`,
    kind: 'client',
    attributes: { 'chargeway.charger': request.uid, 'messaging.destination.name': gatewayChannel(node) },
    parent: traces.current()?.traceparent,
  });
  try {
    const reply = await askShard(deps, node, { ...request, traceparent: span.traceparent });
    span.end({}, reply.ok ? undefined : reply.code);
    return reply;
  } catch (error) {
    span.end({}, error instanceof DomainError ? error.code : 'the bus failed');
    throw error;
  }
}

async function askShard(
  { bus }: Pick<ServiceDeps, 'bus'>,
  node: string,
  request: CommandRequest,
): Promise<CommandReply> {
  const timeoutMs = request.timeoutMs + busMarginMs;
  try {
    return (await bus.request(gatewayChannel(node), request, { timeoutMs })) as CommandReply;
  } catch (error) {
    // The shard died a moment ago; presence has not noticed yet.
    if (error instanceof NoResponderError) throw offline(request);
    if (error instanceof BusTimeoutError) {
      throw new DomainError('CHARGER_TIMEOUT', `The charger ${request.uid} did not answer in time.`);
    }
    throw error;
  }
}

function offline({ uid }: { uid: string }): DomainError {
  return new DomainError('CHARGER_OFFLINE', `The charger ${uid} is not connected.`);
}
