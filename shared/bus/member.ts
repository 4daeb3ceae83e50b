import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { within } from '#shared/domain/kernel/deadline.ts';
import { encode } from './codec.ts';
import {
  type Bus,
  type Unsubscribe,
  type WindowCount,
  BusClosedError,
  BusTimeoutError,
  NoResponderError,
  ResponderError,
} from './contract.ts';
import { Gate } from './gate.ts';
import { type BusLog, messageOf } from './log.ts';
import { MemberPresence } from './member-presence.ts';
import { RequestTracker } from '#shared/domain/kernel/request-tracker.ts';
import { Pulse } from './pulse.ts';
import { Topics } from './topics.ts';
import type { Counters, Identity, PresenceStore, Transport } from './transport.ts';

const pingTimeoutMs = 1000;

/** Time in ms for which a reply is sent again, and the pauses in between. */
const repliesForMs = 15_000;
const replyAgainMs = 250;

type Question = [id: number, replyTopic: string, message: unknown];
type Answer = [id: number, ok: boolean, value: unknown];

/** Parts of a member in both implementations. */
interface MemberParts {
  identity: Identity;
  transport: Transport;
  store: PresenceStore;
  counters: Counters;
  presenceTtlMs: number;
  log: BusLog;
}

/** A name of one's own for this run of a member; `node` is what the caller wants to be called. */
export function newIdentity(node?: string): Identity {
  const instance = randomBytes(8).toString('hex');
  return { node: node ?? instance, instance };
}

/**
 * Joins the bus over `parts.transport`; resolves when requests can be sent and presence is known.
 * @throws {BusUnavailableError} when the transport cannot be started.
 */
export async function joinBus(parts: MemberParts): Promise<Bus> {
  const member = new Member(parts);
  await member.start();
  return member;
}

/** The contract over any transport and presence store: requests, replies, listeners, heartbeat. */
class Member implements Bus {
  readonly node: string;
  readonly presence: MemberPresence;
  readonly #transport: Transport;
  readonly #counters: Counters;
  readonly #log: BusLog;
  readonly #gate = new Gate();
  readonly #requests = new RequestTracker<Answer>();
  readonly #topics: Topics;
  readonly #replyTopic: string;
  readonly #pulse: Pulse;
  #deaf = false;
  #closing: Promise<void> | null = null;

  constructor({ identity, transport, store, counters, presenceTtlMs, log }: MemberParts) {
    this.node = identity.node;
    this.presence = new MemberPresence(identity, store, this.#gate);
    this.#transport = transport;
    this.#counters = counters;
    this.#log = log;
    this.#topics = new Topics(transport, this.#gate);
    this.#replyTopic = `reply:${identity.instance}`;
    this.#pulse = new Pulse({ everyMs: presenceTtlMs / 3, log, beat: () => this.#beat() });
  }

  async start(): Promise<void> {
    try {
      await this.#gate.pass(() =>
        this.#transport.start({
          message: (topic, bytes) => this.#receive(topic, bytes),
          renewed: () => this.#renew(),
        }),
      );
      await this.#topics.listen(this.#replyTopic, (payload) => this.#settle(payload as Answer));
      await this.#gate.pass(() => this.presence.refresh());
      this.#pulse.start();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async publish(channel: string, message: unknown): Promise<void> {
    const bytes = encode(message);
    await this.#gate.pass(() => this.#transport.send(`pub:${channel}`, bytes));
  }

  async subscribe(channel: string, listener: (message: unknown) => void): Promise<Unsubscribe> {
    return this.#topics.listen(`pub:${channel}`, (message) => {
      try {
        listener(message);
      } catch (error) {
        this.#log.warn({ channel, reason: messageOf(error) }, 'a bus listener failed');
      }
    });
  }

  async request(channel: string, message: unknown, { timeoutMs }: { timeoutMs: number }): Promise<unknown> {
    this.#gate.check();
    const onTimeout = () => new BusTimeoutError(channel, timeoutMs);
    const { id, reply } = this.#requests.open(timeoutMs, onTimeout);
    void this.#ask(channel, [id, this.#replyTopic, message]);
    const [, ok, value] = await reply;
    if (!ok) throw new ResponderError(channel, String(value));
    return value;
  }

  async respond(channel: string, responder: (message: unknown) => Promise<unknown>): Promise<Unsubscribe> {
    const topic = `req:${channel}`;
    // Two of them would both do the work of one request.
    if (this.#topics.has(topic)) throw new Error(`this member already answers on ${channel}`);
    return this.#topics.listen(topic, (payload) => {
      const [id, replyTopic, message] = payload as Question;
      void this.#reply(channel, replyTopic, this.#answer(id, responder, message));
    });
  }

  async count(key: string, windowMs: number): Promise<WindowCount> {
    return this.#gate.pass(() => this.#counters.count(key, windowMs));
  }

  async ping(): Promise<void> {
    await this.#gate.pass(() => within(this.#transport.ping(), pingTimeoutMs, 'an answer of the bus'));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#gate.close();
    this.#requests.failAll(() => new BusClosedError());
    await this.#pulse.stop();
    // Without a connection the claims end with this member's heartbeat.
    await this.presence.leave().catch(() => undefined);
    await this.#transport.close();
  }

  async #ask(channel: string, question: Question): Promise<void> {
    const [id] = question;
    try {
      const bytes = encode(question);
      const receivers = await this.#gate.pass(() => this.#transport.send(`req:${channel}`, bytes));
      if (receivers === 0) this.#requests.fail(id, new NoResponderError(channel));
    } catch (error) {
      this.#requests.fail(id, error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #reply(channel: string, replyTopic: string, answer: Promise<Buffer>): Promise<void> {
    const bytes = await answer;
    const until = performance.now() + repliesForMs;
    let reason = 'no member subscribes to it';
    // Until the requester hears its replies again, after the loss of a node. A second copy of a reply is ignored.
    do {
      try {
        if ((await this.#gate.pass(() => this.#transport.send(replyTopic, bytes))) > 0) return;
      } catch (error) {
        reason = messageOf(error);
      }
      await wait(replyAgainMs);
    } while (this.#closing === null && performance.now() < until);
    this.#log.warn({ channel, reason }, 'a reply was lost');
  }

  async #answer(id: number, responder: (m: unknown) => Promise<unknown>, message: unknown): Promise<Buffer> {
    try {
      const answer: Answer = [id, true, await responder(message)];
      return encode(answer);
    } catch (error) {
      const answer: Answer = [id, false, messageOf(error)];
      return encode(answer);
    }
  }

  /** Foreign bytes cost a log line, never the process. */
  #receive(topic: string, bytes: Uint8Array): void {
    try {
      this.#topics.dispatch(topic, bytes);
    } catch (error) {
      this.#log.warn({ topic, reason: messageOf(error) }, 'an unreadable message on the bus');
    }
  }

  #settle(answer: Answer): void {
    this.#requests.settle(answer[0], answer);
  }

  #renew(): void {
    this.#deaf = true;
    this.presence.announceSoon();
    void this.#pulse.now();
  }

  async #beat(): Promise<void> {
    // Each does its part though the other fails: they may travel on different connections.
    const parts = await Promise.allSettled([
      this.#listenAgain(),
      this.presence.refresh(),
      this.#transport.ping(),
    ]);
    for (const part of parts) if (part.status === 'rejected') throw part.reason;
  }

  async #listenAgain(): Promise<void> {
    if (!this.#deaf) return;
    this.#deaf = false;
    try {
      await this.#topics.listenAgain();
    } catch (error) {
      this.#deaf = true;
      throw error;
    }
  }
}
