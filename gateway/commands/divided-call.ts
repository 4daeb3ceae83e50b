import { encodeCall } from '#gateway/frame/encode.ts';
import type { DividedRequest, MessageLimits } from '#gateway/protocol/divided-request.ts';
import type { OutgoingCall } from '#gateway/protocol/outgoing-call.ts';
import type { CommandResult } from '#shared/domain/commands/commands.ts';
import { maskValue } from '#shared/domain/kernel/masking.ts';

/** Maximum number of items in a message to a charger that states no limit. */
const maxItemsUnstated = 20;

/** Placeholder for the ids of our calls, which have at most this many characters. */
const longestId = 'x'.repeat(36);

/** A part of a divided request failed after others were answered; `cause` is its error. */
export class PartFailed extends Error {
  /** Answers received so far, and the number of unanswered items. */
  readonly details: { answered: unknown; answeredItems: number; unansweredItems: number };

  constructor(cause: unknown, { answered, items }: { answered: PartialAnswer; items: number }) {
    super('a part of the request failed', { cause });
    this.name = 'PartFailed';
    this.details = {
      answered: maskValue(answered.result.variables ?? answered.result.settings ?? answered.result.payload),
      answeredItems: answered.items,
      unansweredItems: items - answered.items,
    };
  }
}

interface PartialAnswer {
  result: CommandResult;
  items: number;
}

/** Sends a request, or a part of it, to the charger and returns the answer. */
export type SendRequest = (request: unknown) => Promise<unknown>;

/**
 * Makes a call in as many messages as the charger's limits require, and joins their answers.
 * @throws {PartFailed} when a part fails after others were answered; else the errors of `send`.
 */
export async function callDivided(
  call: OutgoingCall,
  divided: DividedRequest,
  limits: MessageLimits,
  send: SendRequest,
): Promise<CommandResult> {
  const parts = partsOf(call.action, divided, limits);
  if (parts.length === 1) return call.decode(await send(call.request));
  const answers: unknown[] = [];
  for (const part of parts) {
    try {
      const answer = await send(divided.withItems(part));
      call.decode(answer);
      answers.push(answer);
    } catch (error) {
      if (answers.length === 0) throw error;
      const result = call.decode(divided.merge(answers));
      const items = parts.slice(0, answers.length).flat().length;
      throw new PartFailed(error, { answered: { result, items }, items: divided.items.length });
    }
  }
  return call.decode(divided.merge(answers));
}

/** Returns the items of each message: as many as fit. An item that is too large is sent by itself. */
function partsOf(action: string, divided: DividedRequest, limits: MessageLimits): unknown[][] {
  const maxItems = limits.items ?? maxItemsUnstated;
  const maxBytes = limits.bytes ?? Number.POSITIVE_INFINITY;
  const bytesOf = (items: unknown[]) =>
    Buffer.byteLength(encodeCall(longestId, action, divided.withItems(items)));
  const emptyBytes = bytesOf([]);
  const parts: unknown[][] = [];
  let part: unknown[] = [];
  let bytes = emptyBytes;
  for (const item of divided.items) {
    // Includes the comma before the next item.
    const added = bytesOf([item]) - emptyBytes + 1;
    if (part.length > 0 && (part.length >= maxItems || bytes + added > maxBytes)) {
      parts.push(part);
      part = [];
      bytes = emptyBytes;
    }
    part.push(item);
    bytes += added;
  }
  return [...parts, part];
}
