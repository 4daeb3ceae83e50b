import { type ChargerState, chargerStates, stateByStatus } from '#shared/domain/fleet/charger-state.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import type { ClickHouse } from './client.ts';
import { analyticsSettings, within } from './slots.ts';

/** Chargers whose states are summed. */
interface StateFilter {
  networkIds: readonly number[];
  /** Null: all. */
  chargerIds: readonly number[] | null;
}

/** Time for which the connectors of a charger were in a state, by their reports. */
export interface ReportedTime {
  chargerId: number;
  state: ChargerState;
  /** Error code of a fault; empty otherwise. */
  code: string;
  ms: number;
  /** Faults that began in the window. */
  faults: number;
}

/** Time for which a charger was offline while its connectors had last reported a state. */
interface OfflineTime {
  chargerId: number;
  state: ChargerState;
  ms: number;
}

/** Age of the reports before a window that show the states at its beginning. */
const lookBackMs = 31 * 24 * 60 * 60_000;

const numberOf = (state: ChargerState) => chargerStates.indexOf(state) + 1;
const faulted = numberOf('faulted');

/** Number of the state of a status. */
const stateOfStatus = `transform(lower(status), [${Object.keys(stateByStatus)
  .map((status) => `'${status}'`)
  .join()}], [${Object.values(stateByStatus).map(numberOf).join()}], ${numberOf('unknown')})`;

/** Sums the time of each reported state of the connectors in a window. */
export async function sumReportedStates(
  client: ClickHouse,
  filter: StateFilter,
  window: Interval,
): Promise<ReportedTime[]> {
  if (isEmpty(filter)) return [];
  const connector = 'partition by charger_id, evse, connector order by t, o';
  const rows = await read<Omit<ReportedTime, 'state'> & { number: number }>(
    client,
    `select charger_id as chargerId, state as number, if(state = ${faulted}, code, '') as code, sum(until - t) as ms,
       countIf(state = ${faulted} and before != ${faulted} and t > ${window.from}) as faults
     from (
       select charger_id, state, code, t,
         leadInFrame(t, 1, toInt64(${window.to})) over (${connector} rows between current row and unbounded following) as until,
         lagInFrame(state, 1, toUInt8(0)) over (${connector} rows between unbounded preceding and current row) as before
       from (${changesIn(filter, window)})
     )
     group by charger_id, number, code`,
  );
  return rows.map(({ number, ...row }) => ({ ...row, state: stateOf(number) }));
}

/**
 * Sums the time without a socket in a window by the state that each connector had reported before it. A close of an earlier socket
 * than the newest changes nothing.
 */
export async function sumOfflineStates(
  client: ClickHouse,
  filter: StateFilter,
  window: Interval,
): Promise<OfflineTime[]> {
  if (isEmpty(filter)) return [];
  const statuses = `${ofConnectors(filter)} and ${within('time', [{ from: beforeOf(window).from, to: window.to }])}`;
  const rows = await read<Omit<OfflineTime, 'state'> & { number: number }>(
    client,
    `select charger_id as chargerId, state as number, sum(until - since) as ms
     from (
       select o.charger_id as charger_id, o.since as since, o.until as until, c.state as state
       from (
         select gaps.charger_id as charger_id, evse, connector, since, until
         from (${gapsIn(filter, window)}) gaps
         join (select distinct charger_id, evse, connector from status_events where ${statuses}) places on places.charger_id = gaps.charger_id
       ) o
       asof join (
         select charger_id, evse, connector, toUnixTimestamp64Milli(time) as t, toUInt8(${stateOfStatus}) as state
         from status_events where ${statuses}
       ) c on c.charger_id = o.charger_id and c.evse = o.evse and c.connector = o.connector and c.t <= o.since
     )
     group by charger_id, number`,
  );
  return rows.map(({ number, ...row }) => ({ ...row, state: stateOf(number) }));
}

const ofConnectors = (filter: StateFilter) =>
  `${matching(filter)} and kind = 'status' and (evse > 0 or connector > 0)`;

/**
 * Selects the reported states of connectors in a window, after the last one of each before it as its beginning. Repeats of an event
 * are kept: they take no time.
 */
function changesIn(filter: StateFilter, window: Interval): string {
  const statuses = ofConnectors(filter);
  return `
    select charger_id, evse, connector, toInt64(${window.from}) as t, toUInt64(0) as o,
      toUInt8((argMax((${stateOfStatus}, error_code), (time, digest)) as last).1) as state, last.2 as code
    from status_events where ${statuses} and ${within('time', [beforeOf(window)])}
    group by charger_id, evse, connector
    union all
    select charger_id, evse, connector, toUnixTimestamp64Milli(time) as t, digest as o, toUInt8(${stateOfStatus}) as state,
      error_code as code
    from status_events where ${statuses} and ${within('time', [window])}`;
}

/** Selects the times without a socket in a window. */
function gapsIn(filter: StateFilter, window: Interval): string {
  const sockets = `${matching(filter)} and kind != 'status'`;
  const times = within('time', [{ from: beforeOf(window).from, to: window.to }]);
  return `
    select charger_id, greatest(t, toInt64(${window.from})) as since, next as until
    from (
      select charger_id, t, is_open,
        leadInFrame(t, 1, toInt64(${window.to})) over (partition by charger_id order by t, o rows between current row and unbounded following) as next
      from (
        select charger_id, t, o, kind = 'connected' as is_open, connection_id,
          last_value(if(kind = 'connected', connection_id, null)) ignore nulls over (partition by charger_id order by t, o) as newest
        from (
          select charger_id, toUnixTimestamp64Milli(time) as t, digest as o, kind, connection_id
          from status_events where ${sockets} and ${times}
        )
      )
      where is_open or newest is null or connection_id = newest
    )
    where not is_open and since < until`;
}

const beforeOf = ({ from }: Interval) => ({ from: from - lookBackMs, to: from });

function stateOf(number: number): ChargerState {
  return chargerStates[number - 1] ?? 'unknown';
}

function matching({ networkIds, chargerIds }: StateFilter): string {
  const chargers = chargerIds === null ? '' : `and charger_id in (${chargerIds.join()})`;
  return `network_id in (${networkIds.join()}) ${chargers}`;
}

const isEmpty = ({ networkIds, chargerIds }: StateFilter) =>
  networkIds.length === 0 || chargerIds?.length === 0;

async function read<Row>(client: ClickHouse, query: string): Promise<Row[]> {
  const result = await client.query({ query, format: 'JSONEachRow', clickhouse_settings: analyticsSettings });
  return result.json<Row>();
}
