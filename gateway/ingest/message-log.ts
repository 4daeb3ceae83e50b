import { randomInt } from 'node:crypto';
import type { FrameObserver } from '#gateway/socket/frame-observer.ts';
import type { MessageRow } from '#shared/clickhouse/ocpp-messages.ts';
import type { ChargerIdentity, OcppVersion } from '#shared/domain/fleet/charger.ts';
import { maskText } from '#shared/domain/kernel/masking.ts';
import type { LogWriter } from '#shared/log/log-writer.ts';

/** Maximum length of the stored text of a frame, in characters. */
const longestPayload = 16_384;

/** Maximum length of an action or error code, which chargers choose too; the standard has none longer. */
const longestWord = 64;

/** Converts the frames of a shard's connections to rows: masked, bounded, in order. */
export class MessageLog {
  readonly #writer: Pick<LogWriter<MessageRow>, 'add'>;
  /** Random start, so that rows of two shards that hold one charger in turn do not collide. */
  #seq = randomInt(2 ** 47);

  constructor(writer: Pick<LogWriter<MessageRow>, 'add'>) {
    this.#writer = writer;
  }

  /** Returns the observer that logs the frames of one connection. */
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

/** Returns a bounded copy: a slice would retain the whole text. ClickHouse requires well-formed characters. */
function bounded(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most).toWellFormed()).toString();
}
