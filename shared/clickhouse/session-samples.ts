import { TupleParam } from '@clickhouse/client';
import type { Interval } from '#shared/domain/intervals.ts';
import { readTogether } from '#shared/domain/loader.ts';
import { type ClickHouse, isClickHouseDown } from './client.ts';

/** A reading as it is read back; times are ISO 8601 in UTC with milliseconds, as ClickHouse wrote them. */
export interface StoredMeterSample {
  time: string;
  receivedAt: string;
  context: string;
  energyWh: number | null;
  powerW: number | null;
  currentA: number | null;
  voltageV: number | null;
  socPercent: number | null;
  temperatureC: number | null;
  extra: Record<string, string>;
  flags: string[];
}

/** A reading as it is read: in the order of its columns. */
type SampleRow = [
  sessionId: string,
  time: string,
  receivedAt: string,
  context: string,
  energyWh: number | null,
  powerW: number | null,
  currentA: number | null,
  voltageV: number | null,
  socPercent: number | null,
  temperatureC: number | null,
  extra: Record<string, string>,
  flags: string[],
];

/** Readings that are further from their session than this were taken by a clock that nobody can believe. */
const strayMs = 24 * 60 * 60 * 1000;

/**
 * Repeats have the same time, so they are in one partition. Small reads side by side are faster on a thread each. To sort what was
 * read takes the engine less than half of what it takes to merge it in the order of the key (ADR 26).
 */
const settings = {
  do_not_merge_across_partitions_select_final: 1,
  max_threads: 1,
  optimize_read_in_order: 0,
  date_time_output_format: 'iso',
} as const;

interface Wanted {
  session: { chargerId: number; sessionId: string };
  limit: number;
  window: Interval;
}

/**
 * The first `limit` readings of a session in order of time, repeats collapsed. The charger is named too: it
 * leads the sorting key, so that only the session's own granules are read, and of no more months than it lasted in.
 * What is asked for while others are read is read together next.
 * @param during the session, or any time up to now.
 */
export async function readSessionSamples(
  client: ClickHouse,
  session: { chargerId: number; sessionId: string },
  limit: number,
  during: Interval = { from: 0, to: Date.now() },
): Promise<StoredMeterSample[]> {
  const window = { from: during.from - strayMs, to: during.to + strayMs };
  return (await readWanted(client, { session, limit, window })) ?? [];
}

const readWanted = readTogether({
  // What one query costs by itself is as much as the readings of twenty sessions.
  mostKeys: 16,
  mostReads: 2,
  // From the same partitions.
  kindOf: ({ limit, window }: Wanted) => `${limit} ${monthOf(window.from)} ${monthOf(window.to)}`,
  isStoreFailure: isClickHouseDown,
  deadlineMs: 30_000,
  read: readBatch,
});

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

async function readBatch(client: ClickHouse, batch: Wanted[]): Promise<Map<Wanted, StoredMeterSample[]>> {
  const result = await client.query({
    query: `
      select session_id, time, received_at, context, energy_wh, power_w,
        current_a, voltage_v, soc_percent, temperature_c, extra, flags
      from meter_samples final
      where (charger_id, session_id) in {keys:Array(Tuple(UInt32, UUID))}
        and time between fromUnixTimestamp64Milli({from:Int64}) and fromUnixTimestamp64Milli({to:Int64})
      order by charger_id, session_id, time, evse, connector, context, digest
      limit {limit:UInt32} by charger_id, session_id`,
    query_params: {
      keys: batch.map(({ session }) => new TupleParam([session.chargerId, session.sessionId])),
      from: Math.min(...batch.map(({ window }) => window.from)),
      to: Math.max(...batch.map(({ window }) => window.to)),
      limit: batch[0]?.limit,
    },
    format: 'JSONCompact',
    clickhouse_settings: settings,
  });
  const { data } = await result.json<SampleRow>();
  const samples = new Map<string, StoredMeterSample[]>();
  for (const row of data) {
    const known = samples.get(row[0]);
    if (known === undefined) samples.set(row[0], [sampleOf(row)]);
    else known.push(sampleOf(row));
  }
  return new Map(batch.map((wanted) => [wanted, samples.get(wanted.session.sessionId) ?? []]));
}

function sampleOf(row: SampleRow): StoredMeterSample {
  return {
    time: row[1],
    receivedAt: row[2],
    context: row[3],
    energyWh: row[4],
    powerW: row[5],
    currentA: row[6],
    voltageV: row[7],
    socPercent: row[8],
    temperatureC: row[9],
    extra: row[10],
    flags: row[11],
  };
}
