import { TupleParam } from '@clickhouse/client';
import type { ClickHouse } from './client.ts';
import { type Measurand, measurandNames } from './reading-columns.ts';

/** Lengths in ms of the slots of the rollup, ascending. */
export const rollupSlotsMs = [15 * 60_000, 120 * 60_000] as const;

/** A day (UTC) of a charger, as ClickHouse writes it. */
interface ReadingDay {
  chargerId: number;
  day: string;
  changedAtMs: number;
}

/**
 * Time in ms from an insert of readings to the rollup of their day. The row of `reading_days` may be visible before the readings,
 * while an insert is in progress.
 */
export const settleMs = 60_000;

/** Returns days that are over and whose readings changed since they were rolled up, of any charger. */
async function findChangedDays(client: ClickHouse, now: number, limit: number): Promise<ReadingDay[]> {
  const result = await client.query({
    query: `
      select charger_id as chargerId, toString(day) as day, toUnixTimestamp64Milli(max(changed_at)) as changedAtMs
      from reading_days
      where reading_days.day < toDate(fromUnixTimestamp64Milli({now:Int64}))
      group by charger_id, reading_days.day
      having max(changed_at) > max(rolled_at) and changedAtMs < {now:Int64} - ${settleMs}
      limit {limit:UInt32}`,
    query_params: { now, limit },
    clickhouse_settings: { max_threads: 1 },
    format: 'JSONEachRow',
  });
  return result.json<ReadingDay>();
}

/** Returns the months, as `yyyymm`, with days that the rollup does not have as they are. */
export async function unrolledMonths(client: ClickHouse): Promise<string[]> {
  const result = await client.query({
    query: `
      select distinct toString(toYYYYMM(day)) from (
        select day from reading_days group by charger_id, day having max(changed_at) > max(rolled_at)
      )`,
    clickhouse_settings: { max_threads: 1 },
    format: 'JSONCompactEachRow',
  });
  return (await result.json<[string]>()).map(([month]) => month);
}

/** Returns the days of a charger, as `yyyy-mm-dd`, that the rollup does not have as they are. Times in ms. */
export async function unrolledDays(
  client: ClickHouse,
  chargerId: number,
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  const result = await client.query({
    query: `
      select toString(day) from reading_days
      where charger_id = {chargerId:UInt32}
        and reading_days.day between toDate(fromUnixTimestamp64Milli({from:Int64})) and toDate(fromUnixTimestamp64Milli({to:Int64}))
      group by reading_days.day having max(changed_at) > max(rolled_at)`,
    query_params: { chargerId, from, to },
    clickhouse_settings: { max_threads: 1 },
    format: 'JSONCompactEachRow',
  });
  return (await result.json<[string]>()).map(([day]) => day);
}

const minutes = rollupSlotsMs.map((ms) => `toUInt16(${ms / 60_000})`).join();

const summary = (name: Measurand) =>
  `tuple(toFloat32(ifNull(min(${name}_value), 0)), toFloat32(ifNull(max(${name}_value), 0)), ifNull(sum(${name}_value), 0), toUInt32(count(${name}_value)))`;

const registers =
  'arrayMap(x -> x.2, arraySort(groupArrayIf((time, assumeNotNull(energy_wh)), energy_wh is not null)))';

/**
 * Rolls up days that changed, at most `limit` of them, and returns their number. To roll up a day twice changes nothing, so any
 * number of processes can do it.
 */
export async function rollUpReadings(client: ClickHouse, limit: number, now = Date.now()): Promise<number> {
  const days = await findChangedDays(client, now, limit);
  if (days.length === 0) return 0;
  const times = days.map(({ day }) => Date.parse(day));
  await client.command({
    query: `
      insert into reading_rollup (network_id, charger_id, evse, connector, slot_minutes, slot, version,
        ${measurandNames.join()}, energy_wh)
      select network_id, charger_id, evse, connector, slot_minutes,
        toDateTime(intDiv(toUnixTimestamp(time), slot_minutes * 60) * slot_minutes * 60, 'UTC') as slot,
        {now:UInt64}, ${measurandNames.map(summary).join()},
        tuple((${registers} as registers)[1], registers[-1],
          arraySum(x -> greatest(x, 0), arrayDifference(registers)), toUInt32(length(registers)))
      from (
        select network_id, charger_id, evse, connector, time, energy_wh, arrayJoin([${minutes}]) as slot_minutes,
          ${measurandNames.map((name) => `${name} as ${name}_value`).join()}
        from meter_samples final
        prewhere charger_id in {chargerIds:Array(UInt32)}
          and (charger_id, toDate(time)) in {days:Array(Tuple(UInt32, Date))}
          and time >= fromUnixTimestamp64Milli({from:Int64}) and time < fromUnixTimestamp64Milli({to:Int64})
      )
      group by network_id, charger_id, evse, connector, slot_minutes, slot`,
    query_params: {
      now,
      chargerIds: [...new Set(days.map(({ chargerId }) => chargerId))],
      days: days.map(({ chargerId, day }) => new TupleParam([chargerId, day])),
      from: Math.min(...times),
      to: Math.max(...times) + 24 * 60 * 60_000,
    },
    clickhouse_settings: { do_not_merge_across_partitions_select_final: 1, max_threads: 1 },
  });
  await client.insert({
    table: 'reading_days',
    columns: ['charger_id', 'day', 'rolled_at'],
    values: days.map(({ chargerId, day, changedAtMs }) => [chargerId, day, changedAtMs]),
    format: 'JSONCompactEachRow',
  });
  return days.length;
}
