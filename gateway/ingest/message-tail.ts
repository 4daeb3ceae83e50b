import type { LoggedCall } from '#gateway/socket/frame-log.ts';
import type { Bus, Unsubscribe } from '#shared/bus/contract.ts';
import { type MessageOrigin, storedPayload, storedWord } from '#shared/clickhouse/ocpp-message-rows.ts';
import {
  maxTailRows,
  type TailBatch,
  tailChannel,
  tailEveryMs,
  type TailFrame,
  type TailRequest,
  tailRequestChannel,
} from '#shared/domain/fleet/message-tail.ts';
import { type Clock, systemClock, type Timer } from '#shared/domain/kernel/system-clock.ts';

/** Frame before its text is bounded. */
type LoggedFrame = Omit<TailFrame, 'payload' | 'truncated'> & { text: string };

/** Followed charger. `until` in ms of the clock. */
interface Tail extends TailBatch {
  until: number;
  timer: Timer | null;
}

/**
 * Publishes the rows of the message log of the followed chargers, in batches. Every shard keeps every request, so that a
 * charger that moves to another shard stays followed. Without a request a message costs one comparison.
 */
export class MessageTail {
  readonly #bus: Pick<Bus, 'publish' | 'subscribe'>;
  readonly #clock: Clock;
  readonly #tails = new Map<number, Tail>();
  #unsubscribe: Unsubscribe | null = null;

  constructor(bus: Pick<Bus, 'publish' | 'subscribe'>, clock: Clock = systemClock) {
    this.#bus = bus;
    this.#clock = clock;
  }

  /** Begins to take requests of API processes. */
  async listen(): Promise<void> {
    this.#unsubscribe = await this.#bus.subscribe(tailRequestChannel, (message) =>
      this.#request(message as TailRequest),
    );
  }

  async close(): Promise<void> {
    for (const { timer } of this.#tails.values()) timer?.cancel();
    this.#tails.clear();
    await this.#unsubscribe?.();
  }

  /** Returns true when a charger is followed. */
  wants(chargerId: number): boolean {
    return this.#tails.size > 0 && this.#tails.has(chargerId);
  }

  /** Adds a row of the log of a charger that is followed; its texts are masked. */
  add(origin: MessageOrigin, call: LoggedCall, frames: readonly LoggedFrame[], isError: boolean): void {
    const tail = this.#tails.get(origin.chargerId);
    if (tail === undefined) return;
    if (tail.until < this.#clock.steady()) {
      this.#remove(origin.chargerId, tail);
      return;
    }
    tail.timer ??= this.#clock.after(tailEveryMs, () => this.#send(origin.chargerId, tail));
    if (tail.rows.length >= maxTailRows) {
      tail.dropped += 1;
      return;
    }
    tail.rows.push({
      networkId: origin.networkId,
      ocppVersion: origin.version,
      connectionId: origin.connectionId,
      action: storedWord(call.action),
      messageId: call.id,
      isError,
      frames: frames.map(({ text, errorCode, latencyMs, ...frame }) => ({
        ...frame,
        errorCode: storedWord(errorCode),
        latencyMs: latencyMs === null ? null : Math.round(latencyMs * 1000) / 1000,
        ...storedPayload(text),
      })),
    });
  }

  #request({ chargerId, leaseMs }: TailRequest): void {
    const now = this.#clock.steady();
    // A charger that sends nothing is found here.
    for (const [id, tail] of this.#tails) if (tail.until < now) this.#remove(id, tail);
    const tail = this.#tails.get(chargerId);
    if (tail === undefined) {
      this.#tails.set(chargerId, { until: now + leaseMs, timer: null, rows: [], dropped: 0 });
    } else {
      tail.until = Math.max(tail.until, now + leaseMs);
    }
  }

  #remove(chargerId: number, { timer }: Tail): void {
    timer?.cancel();
    this.#tails.delete(chargerId);
  }

  #send(chargerId: number, tail: Tail): void {
    const batch: TailBatch = { rows: tail.rows, dropped: tail.dropped };
    Object.assign(tail, { rows: [], dropped: 0, timer: null });
    // The log has them all.
    this.#bus.publish(tailChannel(chargerId), batch).catch(() => undefined);
  }
}
