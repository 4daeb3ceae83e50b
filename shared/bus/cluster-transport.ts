import type { Cluster } from 'ioredis';
import { within } from '#shared/domain/kernel/deadline.ts';
import { ClusterSubscriptions, masterOf } from './cluster-subscriptions.ts';
import type { Transport, TransportEvents } from './transport.ts';

const startTimeoutMs = 10_000;

/**
 * Topics over the sharded pub/sub of a Redis Cluster. A topic belongs to a slot, and SPUBLISH at the slot's owner counts
 * the receivers, which subscribe at the same node.
 */
export class ClusterTransport implements Transport {
  readonly #cluster: Cluster;
  readonly #prefix: string;
  readonly #subscriptions: ClusterSubscriptions;
  /** Nodes that own slots. */
  #owners = new Set<string>();
  /** True when subscriptions or data of a node may be lost since the slots were read. */
  #isLossy = false;

  constructor(cluster: Cluster, prefix: string) {
    this.#cluster = cluster;
    this.#prefix = prefix;
    this.#subscriptions = new ClusterSubscriptions(cluster);
  }

  async start(events: TransportEvents): Promise<void> {
    await this.#open();
    this.#owners = ownersOf(this.#cluster);
    // Connects to every master, for a command fails while its connection is not there yet.
    await this.ping();
    this.#cluster.on('-node', () => (this.#isLossy = true));
    this.#cluster.on('refresh', () => {
      if (this.#review()) events.renewed();
    });
    this.#subscriptions.start({
      message: (channel, bytes) => events.message(channel.slice(this.#prefix.length), bytes),
      lost: () => this.#noteLoss(),
    });
  }

  async listen(topic: string): Promise<void> {
    await this.#subscriptions.listen(this.#prefix + topic);
  }

  async unlisten(topic: string): Promise<void> {
    await this.#subscriptions.unlisten(this.#prefix + topic);
  }

  async send(topic: string, bytes: Buffer): Promise<number> {
    return Number(await this.#cluster.spublish(this.#prefix + topic, bytes));
  }

  /** Pings every node that owns slots. */
  async ping(): Promise<void> {
    const masters = [...this.#owners].map((owner) => masterOf(this.#cluster, owner));
    await Promise.all([...masters.map((master) => master.ping()), this.#subscriptions.ping()]);
  }

  async close(): Promise<void> {
    // Unsubscribes explicitly: later requests to this member fail at once, without a responder.
    await this.#subscriptions.close();
    this.#cluster.disconnect();
  }

  /** Connects, or fails with the reason of a node: that of `connect` is that no node is available. */
  async #open(): Promise<void> {
    let reason: unknown;
    this.#cluster.once('node error', (error) => (reason = error));
    try {
      // The client connects again without end while the cluster is down.
      await within(this.#cluster.connect(), startTimeoutMs, 'a connection to the Redis Cluster');
    } catch (error) {
      throw reason ?? error;
    }
  }

  #noteLoss(): void {
    this.#isLossy = true;
    this.#cluster.refreshSlotsCache();
  }

  /** Compares the slots with those of the last review. Returns whether subscriptions or data may be lost since. */
  #review(): boolean {
    const owners = ownersOf(this.#cluster);
    const hasOtherOwners = [...owners].some((owner) => !this.#owners.has(owner));
    const isLossy = this.#isLossy || hasOtherOwners;
    this.#owners = owners;
    this.#isLossy = false;
    return this.#subscriptions.review() || isLossy;
  }
}

function ownersOf(cluster: Cluster): Set<string> {
  return new Set(cluster.slots.flatMap(([owner]) => owner ?? []));
}
