import type { Connection } from '#gateway/socket/connection.ts';
import type { Bus, PresenceEntry } from '#shared/bus/contract.ts';
import type { ChargerIdentity } from '#shared/domain/fleet/charger.ts';
import type { Logger } from '#shared/log/log.ts';
import type { Protocol } from '#gateway/protocol/protocol.ts';

/** A charger's connection with the version it speaks. */
export interface ConnectedCharger {
  charger: ChargerIdentity;
  connection: Connection;
  protocol: Protocol;
  /** When its socket was asked for (ms since 1970): the newest of a charger is the one that was asked for last. */
  requestedAt: number;
}

/** On this channel a shard learns that a charger's newer socket is elsewhere. */
const replacedChannel = (node: string): string => `gateway-replaced:${node}`;

/** "Going away" would invite a reconnect; policy violation says that this socket is not wanted any more. */
const replacedCode = 1008;
const removedCode = 1008;

const logEveryMs = 1000;

/**
 * The sockets that this shard holds, by the chargers' uid. The newest one wins, here and over all shards: an
 * old one is closed, and its late close removes nothing (rule 4 of the architecture).
 */
export class Registry {
  readonly #chargers = new Map<string, ConnectedCharger>();
  readonly #replacedOnes = new WeakSet<Connection>();
  readonly #bus: Bus;
  readonly #log: Logger;
  /** Chargers whose presence could not be claimed, since that was logged. */
  #unclaimedOnes = 0;

  private constructor(bus: Bus, log: Logger) {
    this.#bus = bus;
    this.#log = log;
  }

  /** A registry that hears of sockets replaced elsewhere. */
  static async open(bus: Bus, log: Logger): Promise<Registry> {
    const registry = new Registry(bus, log);
    await bus.subscribe(replacedChannel(bus.node), (message) => registry.#replaced(message as PresenceEntry));
    return registry;
  }

  get size(): number {
    return this.#chargers.size;
  }

  get(uid: string): ConnectedCharger | undefined {
    return this.#chargers.get(uid);
  }

  /** The chargers whose sockets this shard holds. */
  uids(): string[] {
    return [...this.#chargers.keys()];
  }

  connections(): Connection[] {
    return [...this.#chargers.values()].map(({ connection }) => connection);
  }

  /**
   * Takes a connection and closes the one that it replaces, wherever that is; itself when a newer one is there: to let a
   * charger in may take longer than to let it in again.
   */
  add(uid: string, charger: ConnectedCharger): void {
    const before = this.#chargers.get(uid);
    if (before !== undefined && before.requestedAt > charger.requestedAt) {
      this.#closeReplaced(charger.connection);
      return;
    }
    this.#chargers.set(uid, charger);
    if (before !== undefined) this.#closeReplaced(before.connection);
    this.#claim(uid, charger).catch((error: unknown) => this.#unclaimed(uid, error));
  }

  /** Forgets a connection that closed, unless a newer one took its place. */
  remove(uid: string, connection: Connection): void {
    if (this.#chargers.get(uid)?.connection === connection) this.#chargers.delete(uid);
    this.#bus.presence.release(uid, connection.id).catch((error: unknown) => {
      this.#log.debug({ err: error, uid }, 'presence could not be released; it expires by itself');
    });
  }

  /**
   * Takes over the registration of the charger that has this uid now. Closes the socket of another one, which was
   * removed (`now` null: there is none); messages of a removed charger do not count any more.
   */
  follow(uid: string, now: ChargerIdentity | null): void {
    const held = this.#chargers.get(uid);
    if (held === undefined) return;
    if (held.charger.id === now?.id) {
      held.charger.registration = now.registration;
      return;
    }
    held.connection.close(removedCode, 'this charger was removed');
    this.#log.info({ uid }, 'the socket of a charger that was removed is closed');
  }

  /** Whether a connection was closed for a newer one of its charger. */
  wasReplaced(connection: Connection): boolean {
    return this.#replacedOnes.has(connection);
  }

  /** One line for all of a second: without a bus they are thousands, and a stack in a line for each blocks the loop. */
  #unclaimed(uid: string, error: unknown): void {
    this.#unclaimedOnes += 1;
    if (this.#unclaimedOnes > 1) return;
    setTimeout(() => {
      const chargers = this.#unclaimedOnes;
      this.#unclaimedOnes = 0;
      this.#log.warn(
        { err: error, uid, chargers },
        'presence could not be claimed; commands may not reach these chargers',
      );
    }, logEveryMs).unref();
  }

  async #claim(uid: string, { connection, requestedAt }: ConnectedCharger): Promise<void> {
    const lost = await this.#bus.presence.claim(uid, connection.id, requestedAt);
    if (lost === null) return;
    if (lost.node === this.#bus.node) this.#replaced(lost);
    else await this.#bus.publish(replacedChannel(lost.node), lost);
  }

  #replaced(entry: PresenceEntry): void {
    const charger = this.#chargers.get(entry.key);
    if (charger?.connection.id === entry.connectionId) this.#closeReplaced(charger.connection);
  }

  #closeReplaced(connection: Connection): void {
    this.#replacedOnes.add(connection);
    connection.close(replacedCode, 'replaced by a newer socket');
  }
}
