import type { Schemas } from '../../../api/client.ts';

export type Message = Schemas['ChargerMessage'];

/** A call with its answer, or a frame whose partner is not loaded or does not exist. */
export interface Exchange {
  /** Identifier of the frame that was loaded first. It stays when the partner comes. */
  key: string;
  /** Time in ms of the call, or of the frame by itself. */
  at: number;
  call: Message | null;
  answer: Message | null;
}

const isAnswer = ({ kind }: Message) => kind === 'result' || kind === 'error';
const timeOf = ({ time }: Message) => Date.parse(time);

/** Returns the key that a call shares with its answer. Chargers can use an identifier again. */
function pairOf(message: Message): string {
  const isCharger = (message.direction === 'in') !== isAnswer(message);
  return `${message.connectionId} ${isCharger} ${message.messageId}`;
}

/** Frames of a charger as exchanges, newest first. Each frame counts once, whichever way it came. */
export class ExchangeLog {
  #exchanges: Exchange[] = [];
  #known = new Set<string>();
  /** Exchanges without a partner by pair key. */
  #unpaired = new Map<string, Exchange[]>();

  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  /** Time in ms of the newest frame; null without one. */
  get newestAt(): number | null {
    const [first] = this.#exchanges;
    if (first === undefined) return null;
    return Math.max(
      ...[first.call, first.answer].map((frame) => (frame === null ? first.at : timeOf(frame))),
    );
  }

  /** Adds frames, oldest first, and returns whether one of them was new. */
  add(frames: readonly Message[]): boolean {
    const added = frames.filter(({ id }) => !this.#known.has(id));
    for (const frame of added) {
      if (this.#known.has(frame.id)) continue;
      this.#known.add(frame.id);
      this.#put(frame);
    }
    return added.length > 0;
  }

  /** Forgets what is not newer than a time in ms. */
  forgetUntil(at: number): void {
    this.#forgetFrom(this.#position(at));
  }

  /**
   * Forgets the oldest exchanges above a number. Returns the frame before which the forgotten ones are listed, or null
   * when none was forgotten.
   */
  trim(max: number): Message | null {
    if (this.#exchanges.length <= max) return null;
    const until = this.#forgetFrom(max);
    return (
      this.#exchanges
        .toReversed()
        .flatMap(framesOf)
        .find((frame) => timeOf(frame) > until) ?? null
    );
  }

  /** Forgets the exchanges from an index on, and returns the time in ms of their newest frame. */
  #forgetFrom(index: number): number {
    let newest = 0;
    for (const exchange of this.#exchanges.splice(index)) {
      for (const frame of framesOf(exchange)) {
        const pair = pairOf(frame);
        this.#known.delete(frame.id);
        this.#keep(
          pair,
          (this.#unpaired.get(pair) ?? []).filter((other) => other !== exchange),
        );
        newest = Math.max(newest, timeOf(frame));
      }
    }
    return newest;
  }

  #put(frame: Message): void {
    const pair = pairOf(frame);
    const waiting = this.#unpaired.get(pair) ?? [];
    const partner = waiting.find((exchange) => completes(exchange, frame));
    const exchange: Exchange = {
      key: partner?.key ?? frame.id,
      at: timeOf(partner?.call ?? frame),
      call: isAnswer(frame) ? (partner?.call ?? null) : frame,
      answer: isAnswer(frame) ? frame : (partner?.answer ?? null),
    };
    if (partner !== undefined) {
      this.#exchanges.splice(this.#exchanges.indexOf(partner, this.#position(partner.at + 1)), 1);
      this.#keep(
        pair,
        waiting.filter((other) => other !== partner),
      );
    } else if (frame.kind !== 'broken') {
      this.#keep(pair, [...waiting, exchange]);
    }
    this.#exchanges.splice(this.#position(exchange.at), 0, exchange);
  }

  #keep(pair: string, exchanges: Exchange[]): void {
    if (exchanges.length === 0) this.#unpaired.delete(pair);
    else this.#unpaired.set(pair, exchanges);
  }

  /** Returns the index of the first exchange that is not newer than a time. */
  #position(at: number): number {
    let low = 0;
    let high = this.#exchanges.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#exchanges[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const framesOf = ({ call, answer }: Exchange): Message[] => [call, answer].filter((frame) => frame !== null);

/** Returns whether a frame is the missing part of an exchange. */
function completes({ call, answer }: Exchange, frame: Message): boolean {
  if (isAnswer(frame)) return answer === null && call !== null && timeOf(call) <= timeOf(frame);
  return call === null && answer !== null && timeOf(frame) <= timeOf(answer);
}
