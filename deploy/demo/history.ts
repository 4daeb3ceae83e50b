import type { ClickHouse } from '#shared/clickhouse/client.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';

/** Size of the history. */
export interface HistorySize {
  drivers: number;
  sessions: number;
  /** Of each session. */
  readings: number;
  /** The newest sessions of which each has `manyReadings`. */
  meteredSessions: number;
  manyReadings: number;
}

/** Rows of one statement: enough to be fast, few enough to show progress and to stop soon on request. */
const sessionsAtOnce = 25_000;
const meteredAtOnce = 50_000;

/** Begins what is made of a session's number: its transaction id, its start, and what both stores hash to its uuid. */
const prefix = 'history-';

const secondsOfYear = 365 * 24 * 3600;

/** All sessions last an hour, as do those that they are copies of. */
const secondsOfSession = 3600;

/**
 * Fills a network with a year of sessions, which ends now: copies of its completed sessions, at its connectors in turn,
 * of drivers in turn. All triggers run as for any session, so that analytics, accounts and partners see them as they
 * see others.
 * @param networkUuid of a network with completed sessions of an hour, at connectors of its own.
 */
export async function fillHistory(
  stores: { sql: Sql; clickhouse: ClickHouse },
  networkUuid: string,
  size: HistorySize,
): Promise<void> {
  const { sql, clickhouse } = stores;
  const [network] = await sql<{ id: number }[]>`select id from networks where uuid = ${networkUuid}`;
  if (network === undefined) throw new Error(`there is no network ${networkUuid}`);
  await insertDrivers(sql, network.id, size.drivers);
  const endedAt = Date.now();
  const turns = await readTurns(sql, network.id);
  for (let from = 0; from < size.sessions; from += sessionsAtOnce) {
    const to = Math.min(from + sessionsAtOnce, size.sessions);
    await insertSessions(sql, turns, { networkId: network.id, from, to, of: size.sessions, endedAt });
  }
  for (let from = 0; from < size.sessions; from += meteredAtOnce) {
    const to = Math.min(from + meteredAtOnce, size.sessions);
    const slice = { networkId: network.id, from, to, of: size.sessions, endedAt };
    await insertReadings(clickhouse, turns, slice, size);
  }
}

async function insertDrivers(sql: Sql, networkId: number, drivers: number): Promise<void> {
  await sql`
    with made as (
      insert into users (network_id, email, name)
      select ${networkId}, 'driver-' || n || '@history.example', 'Driver ' || n from generate_series(1, ${drivers}::integer) n
      returning id
    )
    insert into id_tokens (network_id, user_id, uid, type)
    select ${networkId}, id, 'HISTORY-' || id, 'RFID' from made`;
  await sql`analyze users, id_tokens`;
}

interface Slice {
  networkId: number;
  /** Numbers of sessions, `to` not among them, of so many. */
  from: number;
  to: number;
  of: number;
  /** ms since 1970: the end of the last session. */
  endedAt: number;
}

/** Records that sessions are assigned to, in turn. */
interface Turns {
  connectors: { id: number; chargerId: number }[];
  drivers: { userId: number; tokenId: number; uid: string }[];
  /** Completed sessions with a price. */
  modelIds: number[];
}

async function readTurns(sql: Sql, networkId: number): Promise<Turns> {
  const models = await sql<{ id: number }[]>`
    select id::integer as id from sessions
    where network_id = ${networkId} and status = 'COMPLETED' and cost is not null order by id`;
  return {
    connectors: await sql<Turns['connectors']>`
      select k.id, k.charger_id as "chargerId" from connectors k join chargers c on c.id = k.charger_id
      where c.network_id = ${networkId} and c.deleted_at is null and k.deleted_at is null order by k.id`,
    drivers: await sql<Turns['drivers']>`
      select user_id as "userId", id as "tokenId", uid from id_tokens
      where network_id = ${networkId} and uid like 'HISTORY-%' order by id`,
    modelIds: models.map(({ id }) => id),
  };
}

async function insertSessions(sql: Sql, turns: Turns, slice: Slice): Promise<void> {
  const numbers = Array.from({ length: slice.to - slice.from }, (_, index) => slice.from + index);
  const connectors = numbers.map((number) => inTurn(turns.connectors, number));
  const drivers = numbers.map((number) => inTurn(turns.drivers, number));
  await sql`
    insert into sessions (uuid, network_id, charger_id, connector_id, user_id, id_token_id, id_token, ocpp_transaction_id,
      start_key, status, authorization_status, started_at, start_received_at, ended_at, stop_received_at, meter_start_wh,
      meter_stop_wh, energy_wh, stop_reason, tariff_id, tariff, cost_minor, cost, price_state, currency,
      peak_power_w, has_charged, updated_at)
    select md5(${prefix} || made.number)::uuid, model.network_id, made.charger_id, made.connector_id, made.user_id,
      made.id_token_id, made.uid, ${prefix} || made.number, ${prefix} || made.number, model.status, model.authorization_status,
      made.ended_at - interval '1 hour', made.ended_at - interval '1 hour', made.ended_at, made.ended_at,
      meter_start_wh, meter_stop_wh, energy_wh, stop_reason, tariff_id, tariff, cost_minor, cost, price_state, currency,
      peak_power_w, true, made.ended_at
    from unnest(${numbers}::integer[], ${connectors.map(({ chargerId }) => chargerId)}::integer[],
        ${connectors.map(({ id }) => id)}::integer[], ${drivers.map(({ userId }) => userId)}::integer[],
        ${drivers.map(({ tokenId }) => tokenId)}::integer[], ${drivers.map(({ uid }) => uid)}::text[],
        ${numbers.map((number) => inTurn(turns.modelIds, number))}::bigint[],
        ${numbers.map((number) => new Date(endOf(number, slice)).toISOString())}::timestamptz[])
      as made (number, charger_id, connector_id, user_id, id_token_id, uid, model_id, ended_at)
      join sessions model on model.id = made.model_id`;
}

function inTurn<T>(choices: readonly T[], number: number): T {
  const choice = choices[number % choices.length];
  if (choice === undefined) throw new Error('there is nothing to make sessions of');
  return choice;
}

/** ms since 1970. */
function endOf(number: number, { of, endedAt }: Slice): number {
  return endedAt - ((secondsOfYear * 1000) / of) * (of - number - 1);
}

/** Readings of a car that takes less power from reading to reading, evenly over the hour of its session. */
async function insertReadings(
  clickhouse: ClickHouse,
  { connectors }: Turns,
  { networkId, from, to, of, endedAt }: Slice,
  { readings, meteredSessions, manyReadings }: HistorySize,
): Promise<void> {
  await clickhouse.command({
    query: `
      insert into meter_samples (network_id, charger_id, evse, connector, session_id, time, received_at, context,
        energy_wh, power_w, current_a, voltage_v, soc_percent)
      with
        {from:UInt64} + number as session,
        if(session >= {of:UInt64} - {meteredSessions:UInt64}, {manyReadings:UInt32}, {readings:UInt32}) as many,
        lower(hex(MD5(concat('${prefix}', toString(session))))) as hash,
        {endedAt:Float64} - ${secondsOfYear} / {of:UInt64} * ({of:UInt64} - session - 1) as ended,
        arrayJoin(range(many)) as reading,
        toDateTime64(ended - ${secondsOfSession} * (1 - reading / many), 3, 'UTC') as time,
        (reading + 1) / many as share
      select {networkId:UInt32}, arrayElement({chargers:Array(UInt32)}, session % length({chargers:Array(UInt32)}) + 1), 1, 1,
        toUUID(concat(substring(hash, 1, 8), '-', substring(hash, 9, 4), '-', substring(hash, 13, 4), '-',
          substring(hash, 17, 4), '-', substring(hash, 21))),
        time, time, 'Sample.Periodic', session * 20000 + 20000 * share, 22000 * (1 - share * share), 32 * (1 - share * share),
        230 + rand() % 5, round(20 + 70 * share)
      from numbers({to:UInt64} - {from:UInt64})`,
    query_params: {
      networkId,
      from,
      to,
      of,
      endedAt: endedAt / 1000,
      chargers: connectors.map(({ chargerId }) => chargerId),
      readings,
      meteredSessions,
      manyReadings,
    },
  });
}
