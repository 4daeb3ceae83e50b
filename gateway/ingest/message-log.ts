import { randomInt } from 'node:crypto';
import type { FrameLog, LoggedCall } from '#gateway/socket/frame-log.ts';
import {
  type MessageOrigin,
  writeAnswer,
  writeFrame,
  writeNoAnswer,
  writeOrigin,
} from '#shared/clickhouse/ocpp-message-rows.ts';
import {
  longestExchangeMs,
  type MessageDirection,
  type MessageKind,
} from '#shared/clickhouse/ocpp-messages.ts';
import type { BinaryRows } from '#shared/clickhouse/row-binary.ts';
import type { ChargerIdentity } from '#shared/domain/fleet/charger.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { maskText } from '#shared/domain/kernel/masking.ts';
import { type Clock, systemClock } from '#shared/domain/kernel/system-clock.ts';
import type { BlockWriter } from '#shared/log/block-writer.ts';
import type { MessageTail } from './message-tail.ts';

type MessageWriter = Pick<BlockWriter<BinaryRows>, 'begin' | 'added'>;

/** Message log of a shard. */
export class MessageLog {
  readonly #writer: MessageWriter;
  readonly tail: Pick<MessageTail, 'wants' | 'add'>;
  readonly clock: Clock;
  /** Random start, so that rows of two shards that hold one charger in turn do not collide. */
  #seq = randomInt(2 ** 47);

  constructor(writer: MessageWriter, tail: Pick<MessageTail, 'wants' | 'add'>, clock: Clock = systemClock) {
    this.#writer = writer;
    this.tail = tail;
    this.clock = clock;
  }

  /** Returns the log of one connection. */
  of(charger: ChargerIdentity, version: OcppVersion, connectionId: string): FrameLog {
    return new ConnectionLog(this, charger, version, connectionId);
  }

  begin(): BinaryRows | null {
    return this.#writer.begin();
  }

  added(): void {
    this.#writer.added();
  }

  /** Returns the first of so many numbers that no other frame gets. */
  numbers(count: number): number {
    const first = this.#seq + 1;
    this.#seq += count;
    return first;
  }
}

/** Converts the frames of one connection to rows, masked and bounded. Nothing is kept between two frames. */
class ConnectionLog implements FrameLog, MessageOrigin {
  readonly #log: MessageLog;
  readonly #charger: ChargerIdentity;
  readonly version: OcppVersion;
  readonly connectionId: string;

  constructor(log: MessageLog, charger: ChargerIdentity, version: OcppVersion, connectionId: string) {
    this.#log = log;
    this.#charger = charger;
    this.version = version;
    this.connectionId = connectionId;
  }

  get networkId(): number {
    return this.#charger.networkId;
  }

  get chargerId(): number {
    return this.#charger.id;
  }

  exchange(
    direction: MessageDirection,
    call: LoggedCall,
    text: string,
    answer: string,
    errorCode: string | null,
    latencyMs: number,
  ): void {
    const answerKind = errorCode === null ? 'result' : 'error';
    if (latencyMs > longestExchangeMs) {
      this.unanswered(direction, call, text, latencyMs);
      const back = direction === 'in' ? 'out' : 'in';
      this.#single(back, answerKind, call.action, call.id, answer, errorCode, 0, latencyMs);
      return;
    }
    const payload = maskText(text);
    const answerPayload = maskText(answer);
    // The reader adds the rounded latency again.
    const time = this.#log.clock.now() - Math.round(latencyMs);
    const kind = call.action === null ? 'broken' : 'call';
    const seq = this.#log.numbers(2);
    if (this.#log.tail.wants(this.chargerId)) {
      const isError = errorCode !== null || kind === 'broken';
      const first = { time, seq, direction, kind, errorCode: null, latencyMs: null, text: payload } as const;
      const back = direction === 'in' ? 'out' : 'in';
      const second = { seq: seq + 1, direction: back, kind: answerKind, errorCode, latencyMs } as const;
      const answered = { ...second, time: time + Math.round(latencyMs), text: answerPayload };
      this.#log.tail.add(this, call, [first, answered], isError);
    }
    const rows = this.#log.begin();
    if (rows === null) return;
    writeOrigin(rows, this);
    writeFrame(rows, time, seq, direction, kind, call.action, call.id, null, payload);
    writeAnswer(rows, answerKind, latencyMs, errorCode, answerPayload);
    this.#log.added();
  }

  unanswered(direction: MessageDirection, call: LoggedCall, text: string, ageMs: number): void {
    const kind = call.action === null ? 'broken' : 'call';
    this.#single(direction, kind, call.action, call.id, text, null, ageMs, null);
  }

  answerOnly(
    direction: MessageDirection,
    { id, action }: LoggedCall,
    text: string,
    errorCode: string | null,
  ): void {
    this.#single(direction, errorCode === null ? 'result' : 'error', action, id, text, errorCode, 0, null);
  }

  /** Logs a frame by itself, `ageMs` after it was received or sent. */
  #single(
    direction: MessageDirection,
    kind: MessageKind,
    action: string | null,
    id: string | null,
    text: string,
    errorCode: string | null,
    ageMs: number,
    latencyMs: number | null,
  ): void {
    const payload = maskText(text);
    const time = this.#log.clock.now() - Math.round(ageMs);
    const seq = this.#log.numbers(1);
    if (this.#log.tail.wants(this.chargerId)) {
      const frame = { time, seq, direction, kind, errorCode, latencyMs, text: payload };
      this.#log.tail.add(this, { id, action }, [frame], kind === 'broken' || kind === 'error');
    }
    const rows = this.#log.begin();
    if (rows === null) return;
    writeOrigin(rows, this);
    writeFrame(rows, time, seq, direction, kind, action, id, errorCode, payload);
    writeNoAnswer(rows, latencyMs);
    this.#log.added();
  }
}
