import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { isRowFault } from '#shared/clickhouse/client.ts';
import { insertMeterRows } from '#shared/clickhouse/meter-samples.ts';
import type { Logger } from '#shared/log/log.ts';
import type { Spool } from './spool.ts';

const lookEveryMs = 1000;
const waitAfterFailureMs = 2000;
const rowsPerInsert = 20_000;

/**
 * Moves what waits in the spool to ClickHouse, oldest first. Rows are removed after they are stored: dying in
 * between stores them twice, and the sorting key of `meter_samples` makes them one.
 */
export class SpoolDrain {
  readonly #spool: Spool;
  readonly #clickhouse: ClickHouse;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  #round: Promise<void> = Promise.resolve();

  constructor(spool: Spool, clickhouse: ClickHouse, log: Logger) {
    this.#spool = spool;
    this.#clickhouse = clickhouse;
    this.#log = log;
  }

  start(): void {
    this.#schedule(0);
  }

  /** Stops after the insert that is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#round;
  }

  /** Moves all that waits; rejects, and keeps the rest, when ClickHouse cannot take it now. */
  async drainOnce(): Promise<void> {
    for (;;) {
      const batch = this.#stopped ? null : this.#spool.first(rowsPerInsert);
      if (batch === null) return;
      await this.#store(batch.rows);
      await this.#spool.remove(batch.keys);
      this.#log.info({ rows: batch.rows.length }, 'spooled meter readings are in ClickHouse now');
    }
  }

  #schedule(afterMs: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#round = this.drainOnce().then(
        () => this.#schedule(lookEveryMs),
        (error: unknown) => {
          this.#log.warn({ err: error, batches: this.#spool.size() }, 'the spool could not be drained yet');
          this.#schedule(waitAfterFailureMs);
        },
      );
    }, afterMs);
  }

  /** A row that ClickHouse refuses for itself must not hold back those behind it: it is logged and left out. */
  async #store(rows: Parameters<typeof insertMeterRows>[1]): Promise<void> {
    try {
      await insertMeterRows(this.#clickhouse, rows);
    } catch (error) {
      if (!isRowFault(error)) throw error;
      if (rows.length === 1) {
        this.#log.error({ err: error, row: rows[0] }, 'a spooled meter reading was refused');
        return;
      }
      const half = Math.ceil(rows.length / 2);
      await this.#store(rows.slice(0, half));
      await this.#store(rows.slice(half));
    }
  }
}
