import { TupleParam } from '@clickhouse/client';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import { batchLoader } from '#shared/domain/kernel/loader.ts';
import { type ClickHouse, isClickHouseDown } from './client.ts';

/** Readings as ClickHouse wrote them: JSON objects with a comma between them, which are sent as they are (ADR 26). */
export interface WrittenSamples {
  json: Uint8Array;
  /** The session holds more of them. */
  isTruncated: boolean;
}

const none: WrittenSamples = { json: new Uint8Array(), isTruncated: false };

/** Readings further from their session than this have an implausible clock. */
const strayMs = 24 * 60 * 60 * 1000;

const settings = {
  // Repeats have the same time, so they are in one partition.
  do_not_merge_across_partitions_select_final: 1,
  // Small reads side by side are faster on a thread each; and one thread keeps the order of what it groups.
  max_threads: 1,
  // The JSON is stored: threads to write the answer cost half a millisecond and save nothing.
  output_format_parallel_formatting: 0,
  // To sort what was read takes the engine less than half of what it takes to merge it in the order of the key (ADR 26).
  optimize_read_in_order: 0,
  // A failure in the middle of an answer has a status, and is not a part of it; what waits for the end does so in memory.
  wait_end_of_query: 1,
  buffer_size: String(64 * 1024 * 1024),
} as const;

interface Wanted {
  session: { chargerId: number; sessionId: string };
  limit: number;
  window: Interval;
}

/**
 * Returns the first `limit` readings of a session in order of time, repeats collapsed. The charger is given too: it
 * leads the sorting key, so that only the session's own granules are read, of the months that it lasted in. Reads that
 * arrive during a read are combined in the next one.
 * @param during the session, or any time up to now.
 */
export async function readSessionSamples(
  client: ClickHouse,
  session: { chargerId: number; sessionId: string },
  limit: number,
  during: Interval = { from: 0, to: Date.now() },
): Promise<WrittenSamples> {
  if (limit === 0) {
    // The engine has no empty `groupArray`.
    const { json } = await readSessionSamples(client, session, 1, during);
    return { json: none.json, isTruncated: json.length > 0 };
  }
  const window = { from: during.from - strayMs, to: during.to + strayMs };
  return (await readWanted(client, { session, limit, window })) ?? none;
}

const readWanted = batchLoader({
  // The fixed cost of a query equals that of reading several sessions.
  maxKeys: 16,
  maxReads: 3,
  // From the same partitions.
  kindOf: ({ limit, window }: Wanted) => `${limit} ${monthOf(window.from)} ${monthOf(window.to)}`,
  isStoreFailure: isClickHouseDown,
  deadlineMs: 30_000,
  read: readBatch,
});

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

async function readBatch(client: ClickHouse, batch: Wanted[]): Promise<Map<Wanted, WrittenSamples>> {
  const { stream } = await client.exec({
    query: `
      select session_id, count() > {limit:UInt32}, arrayStringConcat(groupArray({limit:UInt32})(json), ',')
      from (
        select session_id, json
        from meter_samples final
        where (charger_id, session_id) in {keys:Array(Tuple(UInt32, UUID))}
          and time between fromUnixTimestamp64Milli({from:Int64}) and fromUnixTimestamp64Milli({to:Int64})
        order by charger_id, session_id, time, evse, connector, context, digest
        limit {limit:UInt32} + 1 by charger_id, session_id
      )
      group by session_id
      format TabSeparatedRaw`,
    query_params: {
      keys: batch.map(({ session }) => new TupleParam([session.chargerId, session.sessionId])),
      from: Math.min(...batch.map(({ window }) => window.from)),
      to: Math.max(...batch.map(({ window }) => window.to)),
      limit: batch[0]?.limit,
    },
    clickhouse_settings: settings,
  });
  const samples = bySession(Buffer.concat((await stream.toArray()) as Buffer[]));
  return new Map(batch.map((wanted) => [wanted, samples.get(wanted.session.sessionId) ?? none]));
}

const lineFeed = 10;
const idLength = 36;

/** Lines of id, tab, 0 or 1, tab, and JSON, in which line feeds and tabs are escaped. */
function bySession(lines: Buffer): Map<string, WrittenSamples> {
  const samples = new Map<string, WrittenSamples>();
  for (let at = 0; at < lines.length;) {
    const end = lines.indexOf(lineFeed, at);
    if (end === -1) throw new Error('ClickHouse ended its answer within a line');
    const [id, isTruncated] = lines.toString('latin1', at, at + idLength + 2).split('\t');
    samples.set(id ?? '', { json: lines.subarray(at + idLength + 3, end), isTruncated: isTruncated === '1' });
    at = end + 1;
  }
  return samples;
}
