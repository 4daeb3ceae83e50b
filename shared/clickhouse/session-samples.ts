import { TupleParam } from '@clickhouse/client';
import type { Interval } from '#shared/domain/intervals.ts';
import { readTogether } from '#shared/domain/loader.ts';
import { type ClickHouse, isClickHouseDown } from './client.ts';

/** A reading as it is read back. */
export interface StoredMeterSample {
  time: Date;
  receivedAt: Date;
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
type Reading = [
  timeMs: number,
  receivedAtMs: number,
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

type SampleRow = [sessionId: string, ...Reading];

/** Readings that are further from their session than this were taken by a clock that nobody can believe. */
const strayMs = 24 * 60 * 60 * 1000;

/** Repeats have the same time, so they are in one partition. Small reads side by side are faster on a thread each. */
const settings = { do_not_merge_across_partitions_select_final: 1, max_threads: 1 } as const;

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
      select session_id, toUnixTimestamp64Milli(time), toUnixTimestamp64Milli(received_at), context, energy_wh, power_w,
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
  for (const [sessionId, ...row] of data) {
    const known = samples.get(sessionId);
    if (known === undefined) samples.set(sessionId, [sampleOf(row)]);
    else known.push(sampleOf(row));
  }
  return new Map(batch.map((wanted) => [wanted, samples.get(wanted.session.sessionId) ?? []]));
}

function sampleOf(row: Reading): StoredMeterSample {
  const [
    time,
    receivedAt,
    context,
    energyWh,
    powerW,
    currentA,
    voltageV,
    socPercent,
    temperatureC,
    extra,
    flags,
  ] = row;
  return {
    time: new Date(time),
    receivedAt: new Date(receivedAt),
    context,
    energyWh,
    powerW,
    currentA,
    voltageV,
    socPercent,
    temperatureC,
    extra,
    flags,
  };
}
