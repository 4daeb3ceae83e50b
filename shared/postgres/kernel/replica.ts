import { randomUUID } from 'node:crypto';
import { isPostgresDown, isReplicationConflict, openPostgres, type PoolOptions, type Sql } from './client.ts';

/** Age in ms that the data of a replica may have. */
const maxAgeMs = 5000;

/** Interval of heartbeats in ms. */
const beatEveryMs = 1000;

/** Beats whose arrival is awaited: an older one would be too old when it arrives. */
const maxAwaited = Math.ceil(maxAgeMs / beatEveryMs);

/** Reads whose data may be some seconds old. */
export interface StaleReads {
  /**
   * Runs a query of one statement on the read replica while that is fresh, else on the primary. The query is run again on the
   * primary when the replica fails.
   */
  read<Result>(query: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Returns the age in ms that the data of the replica has at most; 0 without a replica. */
  age(): number;
}

/** Returns reads of an installation without a replica. */
export function primaryReads(sql: Sql): StaleReads {
  return { read: (query) => query(sql), age: () => 0 };
}

/** Receives the begin and the end of times in which reads go to the primary. */
interface ReplicaOutages {
  failed(error: unknown): void;
  recovered(): void;
}

/**
 * Read replica of this process. A heartbeat measures its age: a row that the process writes on the primary and looks for on the
 * replica. Whatever was committed before a beat is on a replica that has the beat. Clocks of servers do not count, and
 * neither a replica that has lost its primary nor one that follows a lost primary counts as fresh.
 */
export class Replica {
  readonly #url: string;
  readonly #primary: Sql;
  readonly #replica: Sql;
  readonly #outages: ReplicaOutages;
  readonly #processId = randomUUID();
  /** Times of the last beats by their value, oldest first. */
  readonly #beats = new Map<string, number>();
  readonly #pools: Sql[] = [];
  readonly #timer: NodeJS.Timeout;
  #checking: Promise<void> | null = null;
  #freshUntil = 0;
  /** Time of the newest beat that the replica had; before the first one, that of the opening. */
  #seenAt = performance.now();

  /** Opens the replica at a URL with one host. It is not fresh until its first beat has arrived. */
  constructor(urls: { primary: string; replica: string }, outages: ReplicaOutages) {
    const options = { name: 'chargeway-replica-check', connections: 1, timeoutMs: 2000 };
    this.#url = urls.replica;
    this.#primary = openPostgres(urls.primary, options);
    this.#replica = openPostgres(urls.replica, options);
    this.#outages = outages;
    this.#timer = setInterval(() => this.#check(), beatEveryMs).unref();
    this.#check();
  }

  /** Returns reads through a pool of the replica with the given limits, and through `primary` while it is not fresh. */
  reads(primary: Sql, options: PoolOptions): StaleReads {
    const pool = openPostgres(this.#url, options);
    this.#pools.push(pool);
    return {
      read: async (query) => {
        if (performance.now() >= this.#freshUntil) return query(primary);
        try {
          return await query(pool);
        } catch (error) {
          if (isPostgresDown(error)) this.#freshUntil = 0;
          else if (!isReplicationConflict(error)) throw error;
          return query(primary);
        }
      },
      age: () => performance.now() - this.#seenAt,
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
    await this.#primary`delete from replica_beats where process_id = ${this.#processId}`.catch(
      () => undefined,
    );
    await Promise.all([this.#primary, this.#replica, ...this.#pools].map((sql) => sql.end({ timeout: 5 })));
  }

  #check(): void {
    this.#checking ??= this.#beatAndLook()
      .catch((error: unknown) => this.#outages.failed(error))
      .finally(() => (this.#checking = null));
  }

  async #beatAndLook(): Promise<void> {
    const beat = randomUUID();
    const at = performance.now();
    await this.#primary`
      with killed as (delete from replica_beats where beaten_at < now() - interval '1 hour')
      insert into replica_beats (process_id, beat) values (${this.#processId}, ${beat})
      on conflict (process_id) do update set beat = excluded.beat, beaten_at = excluded.beaten_at`;
    this.#beats.set(beat, at);
    for (const old of this.#beats.keys()) if (this.#beats.size > maxAwaited) this.#beats.delete(old);
    const [row] = await this.#replica<{ beat: string; isReplica: boolean }[]>`
      select beat, pg_is_in_recovery() as "isReplica" from replica_beats where process_id = ${this.#processId}`;
    const seen = row?.isReplica === true ? this.#beats.get(row.beat) : undefined;
    if (seen === undefined) throw new Error('The read replica has no recent data, or is no replica.');
    this.#seenAt = seen;
    this.#freshUntil = seen + maxAgeMs;
    this.#outages.recovered();
  }
}
