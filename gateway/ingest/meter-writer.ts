import { addMeterRow, type MeterOrigin, type StoredReading } from '#shared/clickhouse/meter-samples.ts';
import type { Commit } from '#gateway/wal/commit.ts';
import type { WriteAheadLog } from '#gateway/wal/write-ahead-log.ts';

/** Observer of stored readings. */
type ReadingObserver = (origin: MeterOrigin, samples: readonly StoredReading[]) => void;

/** Stores meter readings: encodes them as rows of the write-ahead log, which is loaded into ClickHouse. */
export class MeterWriter {
  readonly #wal: Pick<WriteAheadLog, 'rows' | 'commit'>;

  readonly #observe: ReadingObserver;

  constructor(wal: Pick<WriteAheadLog, 'rows' | 'commit'>, observe: ReadingObserver) {
    this.#wal = wal;
    this.#observe = observe;
  }

  /**
   * Adds the readings of one message; they are durable with the commit (rule 1 of the architecture).
   * @param isLate true when their session may have ended: they are recorded as late once ClickHouse has them.
   * @throws {DiskTooSlow}
   */
  add(origin: MeterOrigin, samples: readonly StoredReading[], isLate = false): Commit {
    const { rows } = this.#wal;
    for (const sample of samples) addMeterRow(rows, origin, sample);
    this.#observe(origin, samples);
    return this.#wal.commit(isLate);
  }
}
