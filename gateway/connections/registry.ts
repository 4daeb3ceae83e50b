import type { Connection } from '#gateway/socket/connection.ts';
import type { Bus, ClaimRequest, PresenceEntry } from '#shared/bus/contract.ts';
import type { ChargerIdentity } from '#shared/domain/fleet/charger.ts';
import { type OcppVersion, ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import type { LocalTime } from '#shared/domain/fleet/local-time.ts';
import type { Logger } from '#shared/log/log.ts';
import type { Protocol } from '#gateway/protocol/protocol.ts';

/** Connection of a charger with its OCPP version. It is also its claim of presence: one object for each charger. */
export interface ConnectedCharger extends Readonly<ClaimRequest> {
  charger: ChargerIdentity;
  connection: Connection;
  protocol: Protocol;
  localTime: LocalTime;
  /** Identity of the charger. */
  readonly key: string;
  /** Time of the handshake request (ms since 1970): the connection with the latest request is the newest. */
  readonly claimedAt: number;
}

/** Channel on which a shard learns that a newer socket of a charger is elsewhere. */
const replacedChannel = (node: string): string => `gateway-replaced:${node}`;

/** Close code "policy violation": "going away" would invite a reconnect. */
const replacedCode = 1008;
const removedCode = 1008;

const logEveryMs = 1000;

/**
 * Sockets of this shard by the chargers' uid. The newest socket wins, here and over all shards: an older one is
 * closed, and its late close removes nothing (rule 4 of the architecture).
 */
export class Registry {
  readonly #chargers = new Map<string, ConnectedCharger>();
  readonly #replacedOnes = new WeakSet<Connection>();
  readonly #bus: Bus;
  readonly #log: Logger;
  /** Claims of this turn of the event loop: a storm opens hundreds of sockets in one, and a claim costs a message. */
  #unsent: ClaimRequest[] = [];
  /** Number of failed presence claims since the last log line. */
  #unclaimedOnes = 0;

  private constructor(bus: Bus, log: Logger) {
    this.#bus = bus;
    this.#log = log;
  }

  /** Opens a registry that is notified of sockets replaced on other shards. */
  static async open(bus: Bus, log: Logger): Promise<Registry> {
    const registry = new Registry(bus, log);
    await bus.subscribe(replacedChannel(bus.node), (message) => registry.#replaced(message as PresenceEntry));
    return registry;
  }

  get size(): number {
    return this.#chargers.size;
  }

  /** Returns the number of chargers by OCPP version. */
  countByVersion(): Record<OcppVersion, number> {
    const counts = Object.fromEntries(ocppVersions.map((version) => [version, 0])) as Record<
      OcppVersion,
      number
    >;
    for (const { protocol } of this.#chargers.values()) counts[protocol.version] += 1;
    return counts;
  }

  get(uid: string): ConnectedCharger | undefined {
    return this.#chargers.get(uid);
  }

  /** Returns the uids of the chargers whose sockets this shard holds. */
  uids(): string[] {
    return [...this.#chargers.keys()];
  }

  connections(): Connection[] {
    return [...this.#chargers.values()].map(({ connection }) => connection);
  }

  /**
   * Adds a connection and closes the one that it replaces, on any shard; closes the new one when a newer exists: a
   * first handshake may take longer than a second one.
   */
  add(charger: ConnectedCharger): void {
    const before = this.#chargers.get(charger.key);
    if (before !== undefined && before.claimedAt > charger.claimedAt) {
      this.#closeReplaced(charger.connection);
      return;
    }
    this.#chargers.set(charger.key, charger);
    this.#unsent.push(charger);
    if (before !== undefined) {
      this.#sendClaims();
      this.#closeReplaced(before.connection);
    } else if (this.#unsent.length === 1) {
      setImmediate(() => this.#sendClaims());
    }
  }

  /** Removes a closed connection, unless a newer one replaced it. */
  remove(uid: string, connection: Connection): void {
    // A claim that left after its release would never be released.
    this.#sendClaims();
    if (this.#chargers.get(uid)?.connection === connection) this.#chargers.delete(uid);
    this.#bus.presence.release(uid, connection.id).catch((error: unknown) => {
      this.#log.debug({ err: error, charger: uid }, 'presence could not be released; it expires by itself');
    });
  }

  /**
   * Updates the registration of a connected charger. Closes the socket when the uid belongs to another charger now, or
   * to none (`now` is null): messages of a removed charger are not stored.
   */
  follow(uid: string, now: ChargerIdentity | null): void {
    const held = this.#chargers.get(uid);
    if (held === undefined) return;
    if (held.charger.id === now?.id) {
      held.charger.registration = now.registration;
      return;
    }
    held.connection.close(removedCode, 'this charger was removed');
    this.#log.info({ charger: uid }, 'socket of removed charger closed');
  }

  /** Returns true when a connection was closed for a newer one of its charger. */
  wasReplaced(connection: Connection): boolean {
    return this.#replacedOnes.has(connection);
  }

  /**
   * Logs failed claims once per second: without a bus there are thousands, and a stack trace for each blocks the event
   * loop.
   */
  #unclaimed(claims: readonly ClaimRequest[], error: unknown): void {
    const isFirst = this.#unclaimedOnes === 0;
    this.#unclaimedOnes += claims.length;
    if (!isFirst) return;
    const charger = claims[0]?.key;
    setTimeout(() => {
      const chargers = this.#unclaimedOnes;
      this.#unclaimedOnes = 0;
      this.#log.warn(
        { err: error, charger, chargers },
        'presence could not be claimed; commands may not reach these chargers',
      );
    }, logEveryMs).unref();
  }

  #sendClaims(): void {
    if (this.#unsent.length === 0) return;
    const claims = this.#unsent;
    this.#unsent = [];
    this.#claim(claims).catch((error: unknown) => this.#unclaimed(claims, error));
  }

  async #claim(claims: readonly ClaimRequest[]): Promise<void> {
    for (const lost of await this.#bus.presence.claimAll(claims)) {
      if (lost.node === this.#bus.node) this.#replaced(lost);
      else await this.#bus.publish(replacedChannel(lost.node), lost);
    }
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
