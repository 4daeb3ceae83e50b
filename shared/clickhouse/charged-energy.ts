import { slotMs } from '#shared/domain/kernel/calendar.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import type { ClickHouse } from './client.ts';
import { analyticsSettings, instant } from './slots.ts';

/** Energy that ended sessions charged in a quarter of an hour. */
interface SlotEnergy {
  /** Start of the slot, ms since 1970. */
  from: number;
  energyWh: number;
}

/**
 * Sums the energy of ended sessions by quarter of an hour. The energy of a session is spread evenly over the time in which it charged.
 * `window` begins and ends at a quarter. Slots without energy are left out.
 */
export async function sumChargedEnergy(
  client: ClickHouse,
  networkIds: readonly number[],
  { from, to }: Interval,
): Promise<SlotEnergy[]> {
  if (networkIds.length === 0) return [];
  const first = `greatest(since, toInt64(${from}))`;
  const last = `least(until, toInt64(${to}))`;
  const result = await client.query({
    query: `
      select slot * ${slotMs} as "from",
        sum(energy / charging * (least(until, (slot + 1) * ${slotMs}) - greatest(since, slot * ${slotMs}))) / 1000 as energyWh
      from (
        select energy_milli_wh as energy, toUnixTimestamp64Milli(start) as since, toUnixTimestamp64Milli(stop) as until,
          arraySum(arrayMap((a, b) -> toUnixTimestamp64Milli(b) - toUnixTimestamp64Milli(a), charging_from, charging_to)) as charging
        from session_facts final array join charging_from as start, charging_to as stop
        where network_id in (${networkIds.join()}) and is_counted
          and ended_at > ${instant(from)} and started_at < ${instant(to)}
      )
      array join range(toUInt64(intDiv(${first}, ${slotMs})), toUInt64(intDiv(${last} - 1, ${slotMs}) + 1)) as slot
      where charging > 0 and since < ${to} and until > ${from}
      group by slot order by slot`,
    format: 'JSONEachRow',
    clickhouse_settings: analyticsSettings,
  });
  return result.json<SlotEnergy>();
}
