import type { Bus } from '#shared/bus/contract.ts';
import type { MessageDirection } from '#shared/clickhouse/ocpp-messages.ts';
import {
  type TailBatch,
  tailChannel,
  type TailRequest,
  tailRequestChannel,
  type TailRow,
} from '#shared/domain/fleet/message-tail.ts';
import type { IdentifiedMessage } from './charger-history.service.ts';
import { encodeCursor } from '#api/services/kernel/cursors.ts';

/** Time in ms for which shards keep a request that is not renewed. */
const leaseMs = 30_000;

/** Interval in ms at which a request is renewed. */
const renewMs = 10_000;

/** Filter of followed messages, as that of the list. */
interface TailFilter {
  action: string | undefined;
  direction: MessageDirection | undefined;
  /** Direction of the call of a row. */
  callDirection: MessageDirection | undefined;
  errorsOnly: boolean;
}

/** Receiver of the new messages of a charger, and of the number of rows that were left out before them. */
export type TailListener = (messages: IdentifiedMessage[], dropped: number) => void;

/** Follows the new messages of a charger in its network until the result is called. */
export async function followMessages(
  bus: Pick<Bus, 'publish' | 'subscribe'>,
  charger: { id: number; networkId: number },
  filter: TailFilter,
  listener: TailListener,
): Promise<() => Promise<void>> {
  const unsubscribe = await bus.subscribe(tailChannel(charger.id), (message) => {
    const { rows, dropped } = message as TailBatch;
    // A charger that was moved to another network is no longer the caller's.
    const own = rows.filter(({ networkId }) => networkId === charger.networkId);
    const messages = own.flatMap((row) => messagesOf(row, filter));
    if (messages.length > 0 || dropped > 0) listener(messages, dropped);
  });
  const request: TailRequest = { chargerId: charger.id, leaseMs };
  const timer = setInterval(() => {
    // Without it the stream stands still until the next one.
    bus.publish(tailRequestChannel, request).catch(() => undefined);
  }, renewMs).unref();
  const end = async () => {
    clearInterval(timer);
    await unsubscribe();
  };
  try {
    await bus.publish(tailRequestChannel, request);
  } catch (error) {
    await end().catch(() => undefined);
    throw error;
  }
  return end;
}

function messagesOf(
  row: TailRow,
  { action, direction, callDirection, errorsOnly }: TailFilter,
): IdentifiedMessage[] {
  if (errorsOnly && !row.isError) return [];
  if (action !== undefined && row.action !== action) return [];
  if (callDirection !== undefined && callDirectionOf(row) !== callDirection) return [];
  const frames = row.frames.filter((frame) => direction === undefined || frame.direction === direction);
  return frames.map(({ time, seq, errorCode, ...frame }) => ({
    ...frame,
    id: encodeCursor({ time: new Date(time), tie: String(seq) }),
    time: new Date(time),
    seq: String(seq),
    errorCode: errorCode ?? '',
    action: row.action ?? '',
    messageId: row.messageId ?? '',
    ocppVersion: row.ocppVersion,
    connectionId: row.connectionId,
  }));
}

/** A row begins with its call; an answer whose call is unknown is a row by itself. */
function callDirectionOf({ frames: [first] }: TailRow): MessageDirection | undefined {
  if (first?.kind !== 'result' && first?.kind !== 'error') return first?.direction;
  return first.direction === 'in' ? 'out' : 'in';
}
