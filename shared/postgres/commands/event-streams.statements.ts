import type { EventStream, StreamVariable } from '#shared/domain/commands/event-stream.ts';
import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';

/** Stores an opened stream; one with the same number is replaced. */
export async function openEventStream(
  sql: Queryable,
  chargerId: number,
  { streamId, monitorId, intervalSeconds, maxValues }: EventStream,
  at: Date,
): Promise<void> {
  await sql`
    insert into event_streams (charger_id, stream_id, monitor_id, interval_seconds, max_values, opened_at)
    values (${chargerId}, ${streamId}, ${monitorId}, ${intervalSeconds}, ${maxValues}, ${at})
    on conflict (charger_id, stream_id) do update set monitor_id = excluded.monitor_id,
      interval_seconds = excluded.interval_seconds, max_values = excluded.max_values, opened_at = excluded.opened_at`;
}

/** Removes a closed stream. */
export async function closeEventStream(sql: Queryable, chargerId: number, streamId: number): Promise<void> {
  await sql`delete from event_streams where charger_id = ${chargerId} and stream_id = ${streamId}`;
}

/** Changes when a station sends the values of a stream (N14). */
export async function adjustEventStream(
  sql: Queryable,
  chargerId: number,
  { streamId, intervalSeconds, maxValues }: Omit<EventStream, 'monitorId'>,
): Promise<void> {
  await sql`
    update event_streams set interval_seconds = ${intervalSeconds}, max_values = ${maxValues}
    where charger_id = ${chargerId} and stream_id = ${streamId}`;
}

/** Replaces the streams of a charger by those that it reported (N12). */
export async function replaceEventStreams(
  sql: Sql,
  chargerId: number,
  streams: readonly EventStream[],
  at: Date,
): Promise<void> {
  await sql.begin(async (transaction) => {
    const ids = streams.map(({ streamId }) => streamId);
    await transaction`
      delete from event_streams where charger_id = ${chargerId} and stream_id <> all(${ids}::integer[])`;
    for (const stream of streams) await openEventStream(transaction, chargerId, stream, at);
  });
}

/** Stream with its monitor. */
interface StoredStream extends EventStream {
  /** Monitored variable. Null: the charger has not reported the monitor. */
  variable: StreamVariable | null;
  /** Kind of the monitor. Null: not reported. */
  notificationType: string | null;
}

/** Returns an open stream, or null. */
export async function findEventStream(
  sql: Queryable,
  chargerId: number,
  streamId: number,
): Promise<StoredStream | null> {
  const [row] = await sql<StoredStream[]>`
    select s.stream_id as "streamId", s.monitor_id as "monitorId", s.interval_seconds as "intervalSeconds",
      s.max_values as "maxValues", m.notification_type as "notificationType",
      case when m.charger_id is not null then jsonb_build_object('component', m.component,
        'componentInstance', m.component_instance, 'evse', m.evse, 'connector', m.connector, 'variable', m.variable,
        'variableInstance', m.variable_instance, 'unit', (
          select d.unit from device_variables d
          where d.charger_id = m.charger_id and lower(d.component) = lower(m.component)
            and lower(d.component_instance) = lower(m.component_instance) and d.evse = m.evse and d.connector = m.connector
            and lower(d.variable) = lower(m.variable) and lower(d.variable_instance) = lower(m.variable_instance)
            and d.attribute = 'Actual' limit 1)) end as variable
    from event_streams s
    left join variable_monitors m on m.charger_id = s.charger_id and m.monitor_id = s.monitor_id
    where s.charger_id = ${chargerId} and s.stream_id = ${streamId}`;
  return row ?? null;
}
