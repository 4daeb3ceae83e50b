import { randomInt } from 'node:crypto';
import type { FrameObserver } from '#gateway/socket/frame-observer.ts';
import type { MessageRow } from '#shared/clickhouse/ocpp-messages.ts';
import type { ChargerIdentity, OcppVersion } from '#shared/domain/fleet/charger.ts';
import { maskText } from '#shared/domain/kernel/masking.ts';
import type { LogWriter } from '#shared/log/log-writer.ts';

/** The text of a frame is kept up to this many characters. */
const longestPayload = 16_384;

/** Actions and error codes come from chargers too: longer ones are none of the standard's. */
const longestWord = 64;

/** Turns the frames of a shard's connections into rows: masked, bounded, in order. */
export class MessageLog {
  readonly #writer: Pick<LogWriter<MessageRow>, 'add'>;
  /** A start of its own for every shard keeps the rows of two that hold one charger after the other apart. */
  #seq = randomInt(2 ** 47);

  constructor(writer: Pick<LogWriter<MessageRow>, 'add'>) {
    this.#writer = writer;
  }

  /** Logs the frames of one connection. */
  of(charger: ChargerIdentity, version: OcppVersion, connectionId: string): FrameObserver {
    return ({ direction, kind, action, id, text, errorCode, latencyMs }) => {
      this.#seq += 1;
      const payload = maskText(text);
      const truncated = payload.length > longestPayload;
      this.#writer.add([
        charger.networkId,
        charger.id,
        Date.now(),
        this.#seq,
        direction,
        kind,
        bounded(action ?? '', longestWord),
        id ?? '',
        bounded(errorCode ?? '', longestWord),
        latencyMs === null ? null : Math.round(latencyMs * 1000) / 1000,
        version,
        connectionId,
        truncated ? bounded(payload, longestPayload) : payload,
        truncated,
      ]);
    };
  }
}

/** A copy, since a slice would hold the whole text, and whole characters, which ClickHouse insists on. */
function bounded(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most).toWellFormed()).toString();
}
