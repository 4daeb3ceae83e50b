import { type Cluster, Command, type Redis } from 'ioredis';
import { nodeSubscriber } from './redis-connection.ts';

/** Events from the subscriptions to the transport that started them. */
interface SubscriptionEvents {
  message(channel: string, bytes: Buffer): void;
  /** A subscription was lost, or a connection is there again after a loss. */
  lost(): void;
}

interface NodeConnection {
  connection: Redis;
  /** Settled when the first attempt to connect has ended. */
  opened: Promise<unknown>;
}

/**
 * Subscriptions of one member in a Redis Cluster: a connection to each master that owns the slot of a subscribed
 * channel. The sharded subscribers of ioredis are not used: they keep each repeated subscription, and notice a silent
 * loss of connection only when they send a command.
 */
export class ClusterSubscriptions {
  readonly #cluster: Cluster;
  /** Connections by node (`host:port`). */
  readonly #connections = new Map<string, NodeConnection>();
  /** Node that each channel is subscribed at. */
  readonly #nodes = new Map<string, string>();
  #events: SubscriptionEvents = { message: () => undefined, lost: () => undefined };

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  start(events: SubscriptionEvents): void {
    this.#events = events;
  }

  /** Subscribes at the owner of the channel's slot; an earlier owner is no longer heard. */
  async listen(channel: string): Promise<void> {
    const node = this.#ownerOf(channel);
    if (node === undefined) throw new Error(`no node of the Redis Cluster owns the slot of ${channel}`);
    this.#nodes.set(channel, node);
    const { connection, opened } = this.#connectionTo(node);
    try {
      await opened;
      await connection.ssubscribe(channel);
    } catch (error) {
      // The member subscribes again; a review counts only what is subscribed.
      if (this.#nodes.get(channel) === node) this.#nodes.delete(channel);
      throw error;
    }
  }

  async unlisten(channel: string): Promise<void> {
    const node = this.#nodes.get(channel);
    this.#nodes.delete(channel);
    if (node !== undefined) await this.#connections.get(node)?.connection.sunsubscribe(channel);
  }

  /** Closes connections without a channel. Returns whether a channel belongs to another node than it is subscribed at. */
  review(): boolean {
    const used = new Set(this.#nodes.values());
    for (const [node, { connection }] of this.#connections) {
      if (used.has(node)) continue;
      connection.disconnect();
      this.#connections.delete(node);
    }
    return [...this.#nodes].some(([channel, node]) => this.#ownerOf(channel) !== node);
  }

  async ping(): Promise<void> {
    await Promise.all([...this.#connections.values()].map(({ connection }) => connection.ping()));
  }

  async close(): Promise<void> {
    const connections = [...this.#connections.values()].map(({ connection }) => connection);
    await Promise.allSettled(connections.map((connection) => connection.sunsubscribe()));
    for (const connection of connections) connection.disconnect();
  }

  #ownerOf(channel: string): string | undefined {
    return this.#cluster.slots[new Command('spublish', [channel]).getSlot()]?.[0];
  }

  #connectionTo(node: string): NodeConnection {
    const existing = this.#connections.get(node);
    if (existing !== undefined) return existing;
    const connection = nodeSubscriber(masterOf(this.#cluster, node));
    connection.on('smessageBuffer', (channel: Buffer, bytes: Buffer) => {
      const name = channel.toString();
      // A former master may still deliver as a replica: one node is heard for each channel, so nothing arrives twice.
      if (this.#nodes.get(name) === node) this.#events.message(name, bytes);
    });
    connection.on('moved', () => this.#events.lost());
    // A failure of the first attempt shows by the commands that follow; the connection is tried again.
    const opened = connection.connect().catch(() => undefined);
    connection.once('ready', () => connection.on('ready', () => this.#events.lost()));
    const entry = { connection, opened };
    this.#connections.set(node, entry);
    return entry;
  }
}

/** @throws {Error} when the cluster's client has no connection to that master. */
export function masterOf(cluster: Cluster, node: string): Redis {
  const found = cluster.nodes('master').find(({ options }) => `${options.host}:${options.port}` === node);
  if (found === undefined) throw new Error(`the node ${node} of the Redis Cluster is unavailable`);
  return found;
}
