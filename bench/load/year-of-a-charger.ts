import { setTimeout as wait } from 'node:timers/promises';
import type { ClickHouseHttp } from '#bench/system/clickhouse-http.ts';

/** Minutes between two status events of a connector: seven sessions a day, each with three of them. */
const minutesBetweenStates = 70;

/** Minutes between two losses of a charger's socket, and those that each takes. */
const minutesBetweenLosses = 2 * 24 * 60;
const minutesOfLoss = 3;

const minutesOfYear = 365 * 24 * 60;

/** Longest wait for the rollup, in ms: it takes up days a minute after their last reading. */
const rolledUpWithinMs = 300_000;

const chargersOfFacts = 'select network_id, charger_id from session_facts group by network_id, charger_id';

/** Writes a year of status events of all chargers that have sessions: states of their first connector, and sockets. */
export async function fillStatusYear(clickhouse: ClickHouseHttp): Promise<void> {
  await clickhouse.run(`
    insert into status_events (network_id, charger_id, time, received_at, kind, evse, connector, status, error_code)
    with now64(3) - toIntervalMinute(event.number * ${minutesBetweenStates} + charger_id % ${minutesBetweenStates}) as moment,
      cityHash64(charger_id, event.number) % 200 = 0 as is_fault
    select network_id, charger_id, moment, moment, 'status', 1, 1,
      if(is_fault, 'Faulted', ['Available', 'Preparing', 'Charging', 'Finishing'][event.number % 4 + 1]),
      if(is_fault, 'GroundFailure', 'NoError')
    from (${chargersOfFacts}) as chargers
    cross join (select number from numbers(${Math.floor(minutesOfYear / minutesBetweenStates)})) as event`);
  for (const kind of ['disconnected', 'connected'])
    await clickhouse.run(`
      insert into status_events (network_id, charger_id, time, received_at, kind, connection_id)
      with event.number * ${minutesBetweenLosses} + charger_id % 600 + 60 as minutes_ago,
        now64(3) - toIntervalMinute(minutes_ago - if('${kind}' = 'connected', ${minutesOfLoss}, 0)) as moment,
        toUInt128(charger_id) * 1000 - event.number as connection
      select network_id, charger_id, moment, moment, '${kind}',
        reinterpretAsUUID(connection + if('${kind}' = 'connected', 1, 0))
      from (${chargersOfFacts}) as chargers
      cross join (select number from numbers(${Math.floor(minutesOfYear / minutesBetweenLosses)})) as event`);
}

/** Writes a reading a minute for a year, at the first connector of the first charger that has sessions. */
export async function fillReadingYear(clickhouse: ClickHouseHttp): Promise<void> {
  await clickhouse.run(`
    insert into meter_samples (network_id, charger_id, evse, connector, session_id, time, received_at, context, energy_wh, power_w,
      current_a, voltage_v, soc_percent)
    with now64(3) - toIntervalMinute(reading.number) as moment
    select network_id, charger_id, 1, 1, toUUID('00000000-0000-0000-0000-000000000000'), moment, moment, 'Sample.Periodic',
      200000000 - reading.number * 180, 11000 + rand() % 200, 16 + (rand() % 10) / 10, 228 + rand() % 5, reading.number % 100
    from (${chargersOfFacts} order by charger_id limit 1) as first cross join (select number from numbers(${minutesOfYear})) as reading`);
}

/** Resolves when the rollup has all days that are over. */
export async function untilRolledUp(clickhouse: ClickHouseHttp): Promise<void> {
  const deadline = performance.now() + rolledUpWithinMs;
  const left = () =>
    clickhouse.value(`
      select count() from (
        select charger_id from reading_days where reading_days.day < today()
        group by charger_id, reading_days.day having max(changed_at) > max(rolled_at)
      )`);
  while ((await left()) !== '0') {
    if (performance.now() > deadline) throw new Error('readings are not rolled up');
    await wait(1000);
  }
}
