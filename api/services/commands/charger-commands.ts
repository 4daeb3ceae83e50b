import { BusTimeoutError, NoResponderError } from '#shared/bus/contract.ts';
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
import { barRepeats } from '#api/services/access/request-steps.ts';

/** How long a charger has to answer before the caller is told that it is silent. */
export const commandTimeoutMs = 30_000;

/** How much longer than the charger we wait: the shard gives up first and says why. */
const busMarginMs = 2_000;

/** What a charger answered, and how it was asked. */
export interface SentCommand extends CommandResult {
  ocppVersion: OcppVersion;
  /** Of that version. */
  action: string;
}

/**
 * Sends a command to the shard that holds the charger's socket, and waits for the charger's answer, which it has
 * `timeoutMs` for.
 * @throws {DomainError} CHARGER_OFFLINE at once when no shard holds it; CHARGER_TIMEOUT when it is silent; what
 * the shard says otherwise (COMMAND_NOT_SUPPORTED, CHARGER_REFUSED, and of any OCPP action VALIDATION_FAILED,
 * ACTION_UNKNOWN).
 */
export async function sendCommand(
  { bus, sql }: ServiceDeps,
  charger: { uid: string },
  command: ChargerCommand,
  timeoutMs = commandTimeoutMs,
): Promise<SentCommand> {
  const entry = await bus.presence.lookup(charger.uid);
  if (entry === null) throw offline(charger);
  await barRepeats(sql);
  const request: CommandRequest = { uid: charger.uid, command, timeoutMs };
  const reply = await askShard({ bus }, entry.node, request);
  if (!reply.ok) throw new DomainError(reply.code, reply.message, reply.details);
  return { ...reply.result, ocppVersion: reply.ocppVersion, action: reply.action };
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
