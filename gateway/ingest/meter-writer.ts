import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { isRowFault } from '#shared/clickhouse/client.ts';
import { insertMeterRows, type MeterRow } from '#shared/clickhouse/meter-samples.ts';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import { Batcher } from './batcher.ts';
import type { Spool } from './spool.ts';
import { SpoolFull } from './spool-space.ts';
import { storeDeadlineMs } from './store-deadline.ts';

/** Time in ms that readings go directly to the spool after ClickHouse failed. */
const restMs = 3000;

/**
 * Stores meter readings in batches. An item is the rows of one message; `add` resolves when they are in ClickHouse or,
 * while that is unavailable, in the spool on disk (rule 1 of the architecture). When the disk is full too, `add`
 * rejects: the message is refused, and the charger repeats it.
 */
export class MeterWriter {
  readonly #clickhouse: ClickHouse;
  readonly #spool: Spool;
  readonly #storeLog: OutageLog;
  readonly #spoolLog: OutageLog;
  readonly #batcher: Batcher<MeterRow[]>;
  readonly #stored: (rows: number, where: 'clickhouse' | 'spool') => void;
  #restUntil = 0;

  constructor(options: {
    clickhouse: ClickHouse;
    spool: Spool;
    log: Logger;
    stored: (rows: number, where: 'clickhouse' | 'spool') => void;
  }) {
    this.#clickhouse = options.clickhouse;
    this.#spool = options.spool;
    this.#storeLog = new OutageLog(options.log, {
      failed: 'ClickHouse is unavailable: meter readings go to the spool',
      recovered: 'meter readings go to ClickHouse again',
    });
    this.#spoolLog = new OutageLog(options.log, {
      failed: 'the disk of the spool is full: meter readings are refused, chargers repeat them',
      recovered: 'the spool has room again',
    });
    this.#stored = options.stored;
    this.#batcher = new Batcher({
      write: (messages) => this.#write(messages.flat()),
      isStoreFailure: (error) => !isRowFault(error),
      // `add` accepts no item without rows.
      senderOf: ([row]) => row?.[1] ?? 0,
      // At most five inserts per second and shard under small load, except for returning senders
      // (`BatchDelayPolicy`): ClickHouse needs few, large parts.
      maxDelayMs: 200,
      maxItems: 2000,
      concurrency: 2,
      deadlineMs: storeDeadlineMs,
    });
  }

  /** Resolves when the rows are durable. */
  add(rows: MeterRow[]): Promise<void> {
    return rows.length === 0 ? Promise.resolve() : this.#batcher.add(rows);
  }

  /** Resolves when everything that was added is durable. */
  drain(): Promise<void> {
    return this.#batcher.drain();
  }

  async #write(rows: MeterRow[]): Promise<void> {
    if (Date.now() < this.#restUntil) return this.#keep(rows);
    try {
      await insertMeterRows(this.#clickhouse, rows);
      this.#stored(rows.length, 'clickhouse');
      this.#storeLog.recovered();
      this.#spoolLog.recovered();
    } catch (error) {
      if (isRowFault(error)) throw error;
      this.#storeLog.failed(error);
      this.#restUntil = Date.now() + restMs;
      await this.#keep(rows);
    }
  }

  async #keep(rows: MeterRow[]): Promise<void> {
    try {
      await this.#spool.append(rows);
    } catch (error) {
      if (error instanceof SpoolFull) this.#spoolLog.failed(error);
      throw error;
    }
    this.#spoolLog.recovered();
    this.#stored(rows.length, 'spool');
  }
}
