import { randomUUID } from 'node:crypto';
import { Connection, type Socket } from '#gateway/socket/connection.ts';
import type { CallRate } from '#gateway/socket/call-rate.ts';
import type { Peer } from '#gateway/socket/server.ts';
import type { Stores } from '#gateway/handlers/context.ts';
import type { Coalescer } from '#gateway/ingest/coalescer.ts';
import type { MessageLog } from '#gateway/ingest/message-log.ts';
import type { Logger } from '#shared/log/log.ts';
import type { OutageLog } from '#shared/log/outage-log.ts';
import { confirmPassword } from '#shared/postgres/commands/charger-passwords.ts';
import type { AuthenticatedCharger } from './handshake-authentication.ts';
import { type CallObserver, CallServer } from './call-server.ts';
import type { CallTraces } from './call-traces.ts';
import type { ConnectionJournal, OpenSocket } from './connection-journal.ts';
import type { ChargerLookup } from './charger-lookup.ts';
import type { ConnectedCharger, Registry } from './registry.ts';
import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import { LocalTime } from '#shared/domain/fleet/local-time.ts';
import type { ChargerIdentity } from '#shared/domain/fleet/charger.ts';
import type { Protocol } from '#gateway/protocol/protocol.ts';

/** Parts that the chargers of a shard share. */
interface PeerShard {
  stores: Stores;
  lookup: ChargerLookup;
  registry: Registry;
  journal: ConnectionJournal;
  messages: MessageLog;
  /** Time of the last message of each charger (by id), in ms since 1970. */
  lastHeard: Coalescer<number, number>;
  log: Logger;
  clock: Clock;
  /** Logs calls that failed because a store is unavailable. */
  callOutages: OutageLog;
  observe: CallObserver;
  callRate: CallRate;
  /** Null while tracing is off. */
  traces: CallTraces | null;
}

/**
 * Connected charger, from its first to its last event. A class instead of closures, and one object for the registry, the
 * journal and the bus: a shard has up to 20,000, most of them idle.
 */
export class ChargerPeer implements Peer, ConnectedCharger, OpenSocket {
  readonly charger: ChargerIdentity;
  readonly protocol: Protocol;
  readonly localTime = new LocalTime();
  readonly claimedAt: number;
  readonly connection: Connection;
  readonly #shard: PeerShard;

  constructor(identity: AuthenticatedCharger, socket: Socket, shard: PeerShard) {
    const { charger, protocol, requestedAt } = identity;
    this.charger = charger;
    this.protocol = protocol;
    this.claimedAt = requestedAt;
    this.#shard = shard;
    const connectionId = randomUUID();
    const log = shard.messages.of(charger, protocol.version, connectionId);
    this.connection = new Connection(connectionId, socket, new CallServer(this, shard), log, shard.callRate);
    shard.journal.opened(this);
    shard.registry.add(this);
    shard.stores.watches.connection(charger.id, true);
    if (identity.newPasswordHash !== null) this.#confirm(identity.newPasswordHash);
    shard.log.debug({ charger: charger.uid, version: protocol.version }, 'charger connected');
  }

  get key(): string {
    return this.charger.uid;
  }

  get connectionId(): string {
    return this.connection.id;
  }

  receive(text: string): void {
    this.#shard.lastHeard.set(this.charger.id, this.#shard.clock.now());
    this.connection.receive(text);
  }

  closed(): void {
    const { charger, connection } = this;
    const { uid } = charger;
    const { registry, journal, stores } = this.#shard;
    connection.closed();
    const isReplaced = registry.wasReplaced(connection);
    journal.closed(this, isReplaced);
    if (!isReplaced) stores.watches.connection(charger.id, false);
    registry.remove(uid, connection);
    stores.meterOverrides.forget(charger.id);
    this.#shard.log.debug({ charger: uid }, 'charger disconnected');
  }

  /** Makes the new password valid and the old one invalid, now or at the next connection. */
  #confirm(hash: Buffer): void {
    const { stores, log } = this.#shard;
    const { id, uid } = this.charger;
    confirmPassword(stores.sql, id, hash).then(
      () => log.info({ charger: uid }, 'charger uses its new password'),
      (error: unknown) =>
        log.warn({ err: error, charger: uid }, 'old password of charger not revoked; it stays valid'),
    );
  }
}
