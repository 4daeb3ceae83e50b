import { decode } from './codec.ts';
import type { Unsubscribe } from './contract.ts';
import type { Gate } from './gate.ts';
import type { Transport } from './transport.ts';

type Handler = (payload: unknown) => void;

interface Topic {
  handlers: Set<{ handle: Handler }>;
  listening: Promise<void>;
}

/** Subscriptions of this member: the transport is called for the first and the last subscriber of a topic. */
export class Topics {
  readonly #topics = new Map<string, Topic>();
  readonly #transport: Transport;
  readonly #gate: Gate;

  constructor(transport: Transport, gate: Gate) {
    this.#transport = transport;
    this.#gate = gate;
  }

  has(name: string): boolean {
    return this.#topics.has(name);
  }

  /** Resolves when messages sent from now on will arrive; handlers must not throw. */
  async listen(name: string, handle: Handler): Promise<Unsubscribe> {
    const topic = this.#topics.get(name) ?? this.#open(name);
    const handler = { handle };
    topic.handlers.add(handler);
    try {
      await topic.listening;
    } catch (error) {
      this.#forget(name, topic);
      throw error;
    }
    return () => this.#leave(name, topic, handler);
  }

  /** Hands a message to the listeners of its topic. */
  dispatch(name: string, bytes: Uint8Array): void {
    const topic = this.#topics.get(name);
    if (topic === undefined) return;
    const payload = decode(bytes);
    for (const { handle } of topic.handlers) handle(payload);
  }

  /** Subscribes to all topics again after the transport lost them. */
  async listenAgain(): Promise<void> {
    await Promise.all([...this.#topics.keys()].map((name) => this.#transport.listen(name)));
  }

  #open(name: string): Topic {
    const listening = this.#gate.pass(() => this.#transport.listen(name));
    const topic: Topic = { handlers: new Set(), listening };
    this.#topics.set(name, topic);
    return topic;
  }

  #forget(name: string, topic: Topic): void {
    if (this.#topics.get(name) === topic) this.#topics.delete(name);
  }

  async #leave(name: string, topic: Topic, handler: { handle: Handler }): Promise<void> {
    if (!topic.handlers.delete(handler) || topic.handlers.size > 0 || this.#gate.closed) return;
    this.#forget(name, topic);
    // An unreachable transport forgets the topic by itself; this member has no subscriber any more.
    await this.#gate.pass(() => this.#transport.unlisten(name)).catch(() => undefined);
  }
}
