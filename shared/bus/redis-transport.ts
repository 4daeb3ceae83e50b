import type { Redis } from 'ioredis';
import type { Transport, TransportEvents } from './transport.ts';

/**
 * Topics over Redis' sharded pub/sub (Redis 7): SPUBLISH counts all receivers of a channel on a single
 * server and on a cluster alike, where PUBLISH would count those of one node only.
 */
export class RedisTransport implements Transport {
  readonly #commands: Redis;
  readonly #subscriber: Redis;
  readonly #prefix: string;

  constructor(options: { commands: Redis; subscriber: Redis; prefix: string }) {
    this.#commands = options.commands;
    this.#subscriber = options.subscriber;
    this.#prefix = options.prefix;
  }

  async start(events: TransportEvents): Promise<void> {
    this.#subscriber.on('smessageBuffer', (channel: Buffer, bytes: Buffer) =>
      events.message(channel.toString().slice(this.#prefix.length), bytes),
    );
    await Promise.all([open(this.#commands), open(this.#subscriber)]);
    for (const connection of [this.#commands, this.#subscriber]) {
      connection.on('ready', () => events.renewed());
    }
  }

  async listen(topic: string): Promise<void> {
    await this.#subscriber.ssubscribe(this.#prefix + topic);
  }

  async unlisten(topic: string): Promise<void> {
    await this.#subscriber.sunsubscribe(this.#prefix + topic);
  }

  async send(topic: string, bytes: Buffer): Promise<number> {
    return Number(await this.#commands.spublish(this.#prefix + topic, bytes));
  }

  async ping(): Promise<void> {
    await Promise.all([this.#commands.ping(), this.#subscriber.ping()]);
  }

  async close(): Promise<void> {
    // Unsubscribes explicitly: later requests to this member fail at once, without a responder.
    await this.#subscriber.sunsubscribe().catch(() => undefined);
    this.#commands.disconnect();
    this.#subscriber.disconnect();
  }
}

/** Connects, or fails with the first reason: that of `connect` is a closed connection, and it never fails while no Sentinel answers. */
function open(connection: Redis): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once('error', reject);
    connection.connect().then(resolve, reject);
  });
}
