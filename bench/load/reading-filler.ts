import { setTimeout as wait } from 'node:timers/promises';
import type { ClickHouseHttp } from '#bench/system/clickhouse-http.ts';

/** Readings of a session, and seconds between two of them. */
const readingsOfSession = 1000;
const secondsBetween = 10;

/** Days over which the readings are spread: the last two months. */
const days = 60;

/** Copies of the first rows that one statement inserts, at most. */
const copiesAtOnce = 4;

/** Statements under way at once: each takes a core. */
const statementsAtOnce = 2;

/**
 * Largest part that a merge may create, in bytes: made rows are in larger ones. Merging 100 million of them takes
 * minutes of CPU time that no new reading causes; parts of new readings are merged as ever.
 */
const maxMergedBytes = 16 * 2 ** 20;

/** Longest wait for merges, in ms. */
const mergedWithinMs = 120_000;

/** Columns that are written; the last two are derived from others, and copied with them. */
const columns =
  'network_id, charger_id, evse, connector, session_id, time, received_at, context, energy_wh, power_w, current_a, ' +
  'voltage_v, soc_percent, json, digest';

/**
 * Fills the table of readings inside ClickHouse with readings of chargers that no API knows. The first rows are computed;
 * the others are copies of them with other chargers and sessions, which takes half of the CPU time.
 */
export class Filler {
  readonly #clickhouse: ClickHouseHttp;
  readonly #modelRows: number;
  #copies = 0;

  /** @param modelRows rows that are computed: a divisor of each later size. */
  constructor(clickhouse: ClickHouseHttp, modelRows: number) {
    this.#clickhouse = clickhouse;
    this.#modelRows = modelRows;
  }

  /** Inserts until this number of rows is reached. */
  async fillTo(rows: number, onProgress: (rows: number) => void): Promise<void> {
    const copies = Math.round(rows / this.#modelRows);
    if (this.#copies === 0) await this.#computeModels();
    while (this.#copies < copies) {
      onProgress(this.#copies * this.#modelRows);
      await Promise.all(
        Array.from({ length: statementsAtOnce }, async () => {
          const first = this.#copies;
          const count = Math.min(copiesAtOnce, copies - first);
          this.#copies += count;
          if (count > 0) await this.#copy(first, count);
        }),
      );
    }
  }

  async #computeModels(): Promise<void> {
    const clickhouse = this.#clickhouse;
    await clickhouse.run(
      `alter table meter_samples modify setting max_bytes_to_merge_at_max_space_in_pool = ${maxMergedBytes}`,
    );
    await clickhouse.run('create table bench_readings as meter_samples');
    await clickhouse.run(`
      insert into bench_readings (network_id, charger_id, evse, connector, session_id, time, received_at, context,
        energy_wh, power_w, current_a, voltage_v, soc_percent)
      with intDiv(number, ${readingsOfSession}) as session, number % ${readingsOfSession} as reading,
        now64(3) - toIntervalDay(${days} - session % ${days})
          + toIntervalSecond(reading * ${secondsBetween}) as moment
      select 1, 1000000 + session % 20000, 1, 1, reinterpretAsUUID(toUInt128(session + 1) * 4294967296),
        moment, moment, 'Sample.Periodic', session * 20000 + reading * 20, 11000 + rand() % 200,
        16 + (rand() % 10) / 10, 228 + rand() % 5, 20 + reading / 20
      from numbers(${this.#modelRows})`);
  }

  /** Inserts copies with numbers of their own, which are part of the session's id. */
  async #copy(first: number, count: number): Promise<void> {
    await this.#clickhouse.run(`
      insert into meter_samples (${columns})
      select network_id, charger_id + copy.number % 20 * 20000, evse, connector,
        reinterpretAsUUID(bitXor(reinterpretAsUInt128(session_id), toUInt128(copy.number))), time, received_at, context,
        energy_wh, power_w, current_a, voltage_v, soc_percent, json, digest
      from (select ${columns} from bench_readings) as model cross join (select number from numbers(${first}, ${count})) as copy
      settings insert_allow_materialized_columns = 1, optimize_on_insert = 0, max_insert_threads = 1,
        min_insert_block_size_rows = ${this.#modelRows * copiesAtOnce}, min_insert_block_size_bytes = 0`);
  }
}

/** Resolves when ClickHouse merges nothing, or after a while. */
export async function untilMerged(clickhouse: ClickHouseHttp): Promise<void> {
  const deadline = performance.now() + mergedWithinMs;
  // Merges are started by a task that runs every few seconds.
  for (let quiet = 0; quiet < 4 && performance.now() < deadline;) {
    await wait(500);
    quiet = (await clickhouse.value('select count() from system.merges')) === '0' ? quiet + 1 : 0;
  }
}

/** Returns bytes of disk for each row of a table; 0 without rows. */
export async function diskPerRow(clickhouse: ClickHouseHttp, table: string): Promise<number> {
  const bytes = await clickhouse.value(`
    select sum(bytes_on_disk) / greatest(1, sum(rows)) from system.parts
    where active and database = currentDatabase() and table = '${table}'`);
  return Number(bytes);
}
