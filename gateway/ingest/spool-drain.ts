import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { isRowFault } from '#shared/clickhouse/client.ts';
import { insertMeterRows, type MeterRow, noSession } from '#shared/clickhouse/meter-samples.ts';
import { runBisected } from '#shared/domain/kernel/bisect.ts';
import { within } from '#shared/domain/kernel/deadline.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { recordLateReadings } from '#shared/postgres/charging/session-writes/price.ts';
import type { Spool, SpooledRows } from './spool.ts';
import { storeDeadlineMs } from './store-deadline.ts';

const lookEveryMs = 1000;
const waitAfterFailureMs = 2000;
const rowsPerInsert = 20_000;

/** Rows of the spool that are stored in ClickHouse. */
interface MovedRows {
  keys: SpooledRows['keys'];
  /** Time of the earliest row (ms since 1970), by session uuid. */
  earliest: Map<string, number>;
  rows: number;
}

/**
 * Moves spooled rows to ClickHouse, oldest first. Rows are removed after they are stored: a crash in between stores
 * them twice, and the sorting key of `meter_samples` collapses repeats. Their sessions may have ended meanwhile, so
 * the readings are recorded as late.
 */
export class SpoolDrain {
  readonly #spool: Spool;
  readonly #clickhouse: ClickHouse;
  readonly #sql: Sql;
  readonly #log: Logger;
  readonly #outages: OutageLog;
  /**
   * Rows in ClickHouse that are not yet recorded as late: while PostgreSQL is unavailable they are not inserted again.
   */
  #unnoted: MovedRows | null = null;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  #round: Promise<void> = Promise.resolve();

  constructor(options: { spool: Spool; clickhouse: ClickHouse; sql: Sql; log: Logger }) {
    this.#spool = options.spool;
    this.#clickhouse = options.clickhouse;
    this.#sql = options.sql;
    this.#log = options.log;
    this.#outages = new OutageLog(options.log, {
      failed: 'the spool could not be drained yet',
      recovered: 'the spool is drained again',
    });
  }

  start(): void {
    this.#schedule(0);
  }

  /** Stops after the insert in progress. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#round;
  }

  /** Moves all spooled rows; rejects, and keeps the rest, when a store is unavailable. */
  async drainOnce(): Promise<void> {
    for (;;) {
      const moved = this.#stopped ? null : (this.#unnoted ?? (await this.#moveFirst()));
      if (moved === null) return;
      this.#unnoted = moved;
      await within(
        recordLateReadings(this.#sql, moved.earliest),
        storeDeadlineMs,
        'the note of late readings',
      );
      await this.#spool.remove(moved.keys);
      this.#unnoted = null;
      this.#log.info({ rows: moved.rows }, 'spooled meter readings are in ClickHouse now');
    }
  }

  async #moveFirst(): Promise<MovedRows | null> {
    const batch = this.#spool.first(rowsPerInsert);
    if (batch === null) return null;
    const stored = await this.#store(batch.rows);
    const earliest = new Map<string, number>();
    for (const [, , , , sessionId, time] of stored) {
      if (sessionId === noSession) continue;
      earliest.set(sessionId, Math.min(time, earliest.get(sessionId) ?? time));
    }
    return { keys: batch.keys, earliest, rows: stored.length };
  }

  #schedule(afterMs: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#round = this.#drainAndSchedule();
    }, afterMs);
  }

  /** Drains and schedules the next round. Never rejects. */
  async #drainAndSchedule(): Promise<void> {
    try {
      await this.drainOnce();
      this.#outages.recovered();
      this.#schedule(lookEveryMs);
    } catch (error) {
      this.#outages.failed(error, { batches: this.#spool.size() });
      this.#schedule(waitAfterFailureMs);
    }
  }

  /** Stores rows and returns those that were stored. A row that ClickHouse refuses is logged and does not block later rows. */
  async #store(rows: MeterRow[]): Promise<MeterRow[]> {
    const stored: MeterRow[] = [];
    await runBisected(rows, {
      run: (batch) => insertMeterRows(this.#clickhouse, batch),
      isStoreFailure: (error) => !isRowFault(error),
      // Spreading a large batch into arguments overflows the stack.
      succeeded(batch) {
        for (const row of batch) stored.push(row);
      },
      failed: ([row], error) => {
        if (!isRowFault(error)) throw error;
        this.#log.error({ err: error, row }, 'a spooled meter reading was refused');
      },
    });
    return stored;
  }
}
