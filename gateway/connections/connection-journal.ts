import { randomUUID } from 'node:crypto';
import { Coalescer } from '#gateway/ingest/coalescer.ts';
import { storeDeadlineMs } from '#gateway/ingest/store-deadline.ts';
import type { LogWriter } from '#shared/log/log-writer.ts';
import { socketRow, type StatusEventRow } from '#shared/clickhouse/status-events.ts';
import type { ChargerIdentity } from '#shared/domain/fleet/charger.ts';
import { within } from '#shared/domain/kernel/deadline.ts';
import { type Clock, systemClock, type Timer } from '#shared/domain/kernel/system-clock.ts';
import type { Logger } from '#shared/log/log.ts';
import type { OpenedSockets } from '#shared/postgres/fleet/charger-state.statements.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import {
  beatShard,
  type ConnectionRecord,
  recordConnections,
  removeShard,
  shardTtlSeconds,
  writeOffDeadShards,
} from '#shared/postgres/fleet/connections.ts';

export const writeEveryMs = 250;
/** Two heartbeats may fail before the shard counts as lost. */
const beatEveryMs = 3000;
/** Time in ms in which the shard of a newer socket has stored it. */
export const replacedForMs = 2000;
/**
 * Time in ms that a shard's own heartbeat must be uninterrupted before it closes connections of other shards: after an
 * outage of PostgreSQL all living shards have written a heartbeat by then.
 */
const judgeAfterMs = 30_000;

/** Stores of a journal, and the values that it writes alongside connections. */
interface JournalOptions {
  sql: Sql;
  history: Pick<LogWriter<StatusEventRow>, 'add'>;
  /** Returns the number of segments of readings that wait for a store. */
  waitingSegments: () => number;
  /** Receives the time of PostgreSQL (ms since 1970) with each heartbeat, and when it was sent (ms of the clock). */
  storeTime?: (at: number, sentAt: number) => void;
  log: Logger;
  clock?: Clock;
}

/** Open socket of a charger. The journal keeps the object as long as the socket is open. */
export interface OpenSocket {
  readonly charger: ChargerIdentity;
  readonly connectionId: string;
  /** Time of the handshake request, in ms since 1970. */
  readonly claimedAt: number;
}

interface OpenedSocket {
  socket: OpenSocket;
  /** Time in ms of the clock (`steady`). */
  recordedAt: number;
}

interface ReplacedSocket {
  record: ConnectionRecord;
  /** Time in ms of the clock (`steady`). */
  replacedAt: number;
}

/**
 * Records which chargers' sockets this shard holds, so that a charger is offline as soon as its socket closes, or when
 * the heartbeat of its shard expires.
 */
export class ConnectionJournal {
  /** Id of this run: a restarted thread does not hold the sockets of its predecessor. */
  readonly #shardId = randomUUID();
  readonly #open = new Map<number, OpenSocket>();
  /** Sockets that opened lately, oldest first: the boot that follows in a storm stores them with its own row. */
  readonly #opened = new Map<number, OpenedSocket>();
  /**
   * Sockets that newer ones replaced elsewhere, oldest first. If their end were stored at once, the charger would be offline until the
   * newer one is stored. It is stored later all the same: the shard of the newer one may end before it stores it.
   */
  readonly #replaced = new Map<number, ReplacedSocket>();
  readonly #changes: Coalescer<number, ConnectionRecord>;
  readonly #sql: Sql;
  readonly #history: Pick<LogWriter<StatusEventRow>, 'add'>;
  readonly #waitingSegments: () => number;
  readonly #storeTime: (at: number, sentAt: number) => void;
  readonly #log: Logger;
  readonly #clock: Clock;
  #timer: Timer | null = null;
  readonly #aging: Timer;
  /** Heartbeat in progress. */
  #beating: Promise<void> | null = null;
  #isAnnounced = false;
  #lastBeat = Number.NEGATIVE_INFINITY;
  #livingSince = 0;

  private constructor({
    sql,
    history,
    waitingSegments,
    storeTime,
    log,
    clock = systemClock,
  }: JournalOptions) {
    this.#sql = sql;
    this.#history = history;
    this.#waitingSegments = waitingSegments;
    this.#storeTime = storeTime ?? (() => undefined);
    this.#log = log;
    this.#clock = clock;
    // Before the timer of the changes, so that due sockets are in the write of the same tick.
    this.#aging = clock.every(writeEveryMs, () => {
      this.#queueReplaced(clock.steady() - replacedForMs);
      this.#queueOpened(clock.steady() - writeEveryMs);
    });
    this.#changes = new Coalescer({
      name: 'connections of chargers',
      everyMs: writeEveryMs,
      deadlineMs: storeDeadlineMs,
      write: (changes) => recordConnections(sql, this.#shardId, [...changes.values()]),
      log,
      clock,
    });
  }

  /** Opens the journal and writes the first heartbeat. */
  static async open(options: JournalOptions): Promise<ConnectionJournal> {
    const journal = new ConnectionJournal(options);
    await journal.#beat();
    journal.#timer = journal.#clock.every(beatEveryMs, () => {
      // While PostgreSQL does not answer, one heartbeat waits instead of one more every two seconds.
      journal.#beating ??= journal.#beat().finally(() => (journal.#beating = null));
    });
    return journal;
  }

  /** Records an opened socket. */
  opened(socket: OpenSocket): void {
    const { charger, connectionId, claimedAt } = socket;
    this.#replaced.delete(charger.id);
    const held = this.#open.get(charger.id);
    if (held === undefined || held.claimedAt <= claimedAt) {
      this.#open.set(charger.id, socket);
      this.#opened.delete(charger.id);
      this.#opened.set(charger.id, { socket, recordedAt: this.#clock.steady() });
    }
    this.#history.add(socketRow(charger, 'connected', Math.floor(claimedAt), { connectionId }));
  }

  /** Records a closed socket; `isReplaced` means that a newer one exists, here or elsewhere. */
  closed(socket: OpenSocket, isReplaced: boolean): void {
    const { charger, connectionId } = socket;
    const now = this.#clock.now();
    const info = isReplaced ? 'replaced by a newer socket' : '';
    this.#history.add(socketRow(charger, 'disconnected', now, { connectionId, info }));
    // Otherwise this shard also holds the newer socket and has recorded it.
    if (this.#open.get(charger.id)?.connectionId !== connectionId) return;
    this.#open.delete(charger.id);
    this.#opened.delete(charger.id);
    const record = recordOf(socket, now);
    if (isReplaced) this.#replaced.set(charger.id, { record, replacedAt: this.#clock.steady() });
    else this.#changes.set(charger.id, record);
  }

  /**
   * Runs a write of charger rows that also stores their sockets that opened lately. `write` returns the chargers whose
   * socket it did not store. These, and all after a failure, are stored by the next regular write.
   */
  async storeOpened(
    chargerIds: Iterable<number>,
    write: (sockets: OpenedSockets) => Promise<number[]>,
  ): Promise<void> {
    const byCharger = new Map<number, ConnectionRecord>();
    for (const id of chargerIds) {
      const opened = this.#opened.get(id);
      if (opened === undefined) continue;
      byCharger.set(id, recordOf(opened.socket, null));
      this.#opened.delete(id);
    }
    let left: Iterable<number> = byCharger.keys();
    try {
      left = await write({ shardId: this.#shardId, byCharger });
    } finally {
      for (const id of left) {
        const socket = this.#open.get(id);
        if (socket !== undefined && socket.connectionId === byCharger.get(id)?.connectionId) {
          this.#changes.set(id, recordOf(socket, null));
        }
      }
    }
  }

  /** Writes the last changes and removes the shard; open sockets count as closed. */
  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#aging.cancel();
    await this.#beating;
    this.#queueReplaced(this.#clock.steady());
    for (const [id, socket] of this.#open) this.#changes.set(id, recordOf(socket, this.#clock.now()));
    await this.#changes.close();
    await removeShard(this.#sql, this.#shardId).catch((error: unknown) => {
      this.#log.debug({ err: error }, 'shard not removed; its heartbeat expires');
    });
  }

  /** Stores sockets that were replaced until then (ms of the clock) as closed, unless a newer one is stored. */
  #queueReplaced(until: number): void {
    for (const [id, { record, replacedAt }] of this.#replaced) {
      if (replacedAt > until) return;
      this.#replaced.delete(id);
      this.#changes.set(id, record);
    }
  }

  /** Leaves the sockets that were recorded until then (ms of the clock) to the next regular write. */
  #queueOpened(until: number): void {
    for (const [id, { recordedAt, socket }] of this.#opened) {
      if (recordedAt > until) return;
      this.#opened.delete(id);
      this.#changes.set(id, recordOf(socket, null));
    }
  }

  /** Writes a heartbeat. Never rejects: without PostgreSQL connections cannot be queried either. */
  async #beat(): Promise<void> {
    try {
      const sentAt = this.#clock.steady();
      const { isKnown, isOtherDead, at } = await within(
        beatShard(this.#sql, this.#shardId, this.#waitingSegments()),
        storeDeadlineMs,
        'the heartbeat of a shard',
        this.#clock,
      );
      this.#storeTime(at.getTime(), sentAt);
      const now = this.#clock.steady();
      if (now - this.#lastBeat > shardTtlSeconds * 1000) this.#livingSince = now;
      this.#lastBeat = now;
      if (!isKnown) this.#announce();
      if (isOtherDead && now - this.#livingSince > judgeAfterMs) await this.#judge();
    } catch (error) {
      this.#log.debug({ err: error }, 'heartbeat of shard not written');
    }
  }

  /** Records open connections again after another shard closed them during an outage of this one. */
  #announce(): void {
    if (this.#isAnnounced)
      for (const [id, socket] of this.#open) this.#changes.set(id, recordOf(socket, null));
    this.#isAnnounced = true;
  }

  async #judge(): Promise<void> {
    const lost = await writeOffDeadShards(this.#sql);
    for (const { chargerId, networkId, connectionId, at } of lost) {
      const info = 'its gateway ended without notice';
      this.#history.add(
        socketRow({ id: chargerId, networkId }, 'disconnected', at.getTime(), { connectionId, info }),
      );
    }
    if (lost.length > 0)
      this.#log.warn(
        { chargers: lost.length },
        'heartbeat of another shard expired; its chargers are offline',
      );
  }
}

function recordOf(
  { charger, connectionId, claimedAt }: OpenSocket,
  disconnectedAt: number | null,
): ConnectionRecord {
  return { chargerId: charger.id, connectionId, connectedAt: claimedAt, disconnectedAt };
}
