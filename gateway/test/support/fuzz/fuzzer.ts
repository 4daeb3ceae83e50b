import { setImmediate as turn } from 'node:timers/promises';
import { createRandom, type Random } from '#shared/simulator/random.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { untilSettled } from '#shared/testing/until.ts';
import { connectRaw, type RawCharger } from '#gateway/test/support/raw-charger.ts';
import type { Rig } from '#gateway/test/support/rig.ts';
import { type Expected, expectedAnswer, faultOf } from './oracle.ts';
import type { FrameMaker } from './frames.ts';
import { below } from './mutate.ts';

/** Frames that are sent before their answers are looked at; the gateway lets 256 wait, and 2 MB of text. */
const maxInRound = 40;
const maxTextInRound = 1_000_000;

let lastTurn: Promise<unknown> = Promise.resolve();

/** A turn of the event loop for one fuzzer: a wait for this thread looks like a wait for the gateway. */
function ownTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => turn());
  return lastTurn;
}

/** One charger that sends what it should not, and checks that each frame gets its one answer. */
export class Fuzzer {
  readonly #maker: FrameMaker;
  readonly #random: Random;
  readonly #name: string;
  readonly #socket: RawCharger;
  #sent = 0;
  /** Faults as sentences, with the frame. */
  readonly faults: string[] = [];

  private constructor(maker: FrameMaker, socket: RawCharger, name: string, seed: number) {
    this.#maker = maker;
    this.#socket = socket;
    this.#name = name;
    this.#random = createRandom(seed);
  }

  static async connect(
    rig: Rig,
    maker: FrameMaker,
    options: { name: string; seed: number },
  ): Promise<Fuzzer> {
    const charger = await seedCharger(rig.stores.sql, rig.network.id, { connectors: 1 });
    const version = `ocpp${maker.version}` as const;
    return new Fuzzer(maker, await connectRaw(rig, charger, version), options.name, options.seed);
  }

  /** Sends so many frames of chance; ends early when the gateway closes the socket, which is a fault. */
  async run(frames: number): Promise<void> {
    while (this.#sent < frames && this.faults.length === 0) {
      const round: string[] = [];
      const size = Math.min(1 + below(this.#random, maxInRound), frames - this.#sent);
      for (let text = 0; round.length < size && text < maxTextInRound;) {
        this.#sent += 1;
        const frame = this.#maker.random(this.#random, `${this.#name}-${this.#sent}`);
        text += frame.length;
        round.push(frame);
        await ownTurn();
      }
      await this.#play(round);
    }
  }

  close(): Promise<void> {
    return this.#socket.terminate();
  }

  /** Calls are answered in order: when the Heartbeat behind a round is, every answer of the round has come. */
  async #play(round: string[]): Promise<void> {
    const last = `${this.#name}-end-${this.#sent}`;
    for (const text of [...round, `[2,"${last}","Heartbeat",{}]`]) this.#socket.send(text);
    const open = new Map<string, { text: string; expected: Expected }[]>();
    for (const text of round) {
      const expected = expectedAnswer(text, this.#maker.version);
      if (expected === null) continue;
      open.set(expected.id, [...(open.get(expected.id) ?? []), { text, expected }]);
    }
    for (;;) {
      const answer = await this.#next();
      if (answer === null) return this.#fail('the socket closed, or nothing came', round.join('\n'));
      const id = String(answer[1]);
      if (id === last) break;
      const candidates = open.get(id) ?? [];
      const fits = candidates.findIndex(
        ({ expected }) => faultOf(this.#maker.version, expected, answer) === null,
      );
      if (fits === -1) {
        const [first] = candidates;
        const fault = first && faultOf(this.#maker.version, first.expected, answer);
        return this.#fail(
          `${fault ?? 'an answer too many'}: ${excerpt(JSON.stringify(answer))}`,
          first?.text ?? '',
        );
      }
      candidates.splice(fits, 1);
    }
    for (const [{ text }] of [...open.values()].filter(isFilled)) this.#fail('no answer', text);
  }

  async #next(): Promise<unknown[] | null> {
    const answer = Promise.race([this.#socket.next(), this.#socket.closed.then(() => null)]);
    return untilSettled('an answer', answer).catch(() => null);
  }

  #fail(fault: string, text: string): void {
    this.faults.push(`${this.#name}: ${fault}; sent: ${excerpt(text)}`);
  }
}

function isFilled<T>(list: T[]): list is [T, ...T[]] {
  return list.length > 0;
}

function excerpt(text: string): string {
  return text.length > 600 ? `${text.slice(0, 400)}… (${text.length} characters) …${text.slice(-100)}` : text;
}
