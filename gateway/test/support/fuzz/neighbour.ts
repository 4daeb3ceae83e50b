// oxlint-disable-next-line time/no-sleep -- the pace of heartbeats, on which no assertion depends
import { setTimeout as wait } from 'node:timers/promises';
import { seedCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { connectRaw, type RawCharger } from '#gateway/test/support/raw-charger.ts';
import type { Rig } from '#gateway/test/support/rig.ts';

/** A charger that behaves, and what it noticed of the others. */
export class Neighbour {
  readonly node: string;
  readonly #socket: RawCharger;
  readonly #stopping = new AbortController();
  #living: Promise<void> | null = null;
  isConnected = true;
  served = 0;
  /** Longest time of a heartbeat, in ms that the processors worked for this process. */
  slowestMs = 0;
  readonly faults: string[] = [];

  constructor(node: string, socket: RawCharger) {
    this.node = node;
    this.#socket = socket;
    void socket.closed.finally(() => {
      this.isConnected = false;
    });
  }

  /** One on each of so many shards: the system spreads sockets, so they come until every shard has one. */
  static async onEveryShard(rig: Rig, shards: number): Promise<Neighbour[]> {
    const found = new Map<string, Neighbour>();
    for (let attempt = 0; found.size < shards && attempt < 100; attempt += 1) {
      const charger = await seedCharger(rig.stores.sql, rig.network.id, { connectors: 1 });
      const socket = await connectRaw(rig, charger, attempt % 2 === 0 ? 'ocpp1.6' : 'ocpp2.0.1');
      const { node } = await until('presence', () => rig.bus.presence.lookup(charger.uid));
      if (found.has(node)) await socket.terminate();
      else found.set(node, new Neighbour(node, socket));
    }
    return [...found.values()];
  }

  /** Beats until it is stopped. */
  start(): void {
    this.#living = this.#live();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#living;
  }

  async #live(): Promise<void> {
    for (let n = 0; !this.#stopping.signal.aborted; n += 1) {
      const before = process.cpuUsage();
      const heartbeat = this.#socket.call(`h${n}`, 'Heartbeat', {});
      const answer = await Promise.race([heartbeat, this.#socket.closed]);
      const { user, system } = process.cpuUsage(before);
      this.slowestMs = Math.max(this.slowestMs, (user + system) / 1000);
      if (!Array.isArray(answer) || answer[0] !== 3 || answer[1] !== `h${n}`) {
        this.faults.push(JSON.stringify(answer));
        return;
      }
      this.served += 1;
      await wait(20);
    }
  }
}
