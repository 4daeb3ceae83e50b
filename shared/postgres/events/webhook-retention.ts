import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';

/** Days for which the outbox keeps events that an endpoint has not passed. */
const keptDays = 3;

/** The position of the newest event that is older than some days, 0 without one. */
const positionOfAge = (sql: Queryable, days: number) => sql`
  coalesce((select min(position) - 1 from outbox
    where position is not null and occurred_at >= now() - make_interval(days => ${days})),
    (select max(position) from outbox), 0)`;

/**
 * Returns the position after which endpoints need the outbox still: retention removes nothing behind it. Null: none needs it. An
 * endpoint that is disabled, or more than three days behind, keeps no event.
 */
export async function lowestNeededPosition(sql: Queryable): Promise<bigint | null> {
  const [row] = await sql<{ position: bigint | null }[]>`
    select greatest(min(l.position), ${positionOfAge(sql, keptDays)}) as position
    from webhook_lanes l join webhook_endpoints e on e.id = l.endpoint_id and e.is_enabled
    having count(*) > 0`;
  return row?.position ?? null;
}

/**
 * Moves endpoints past the events that retention is about to remove, each with a dead letter that names the range.
 * @param days retention of the outbox.
 */
export async function passLostEvents(sql: Sql, days: number): Promise<void> {
  await sql`
    with bound as materialized (select ${positionOfAge(sql, Math.max(days, keptDays))} as position),
    behind as materialized (
      select l.endpoint_id, l.position, b.position as bound
      from webhook_lanes l join webhook_endpoints e on e.id = l.endpoint_id cross join bound b
      where l.position < b.position and exists (
        select from outbox o where o.network_id = e.network_id and o.subject_uuid is not null
          and o.position > l.position and o.position <= b.position)
      for update of l skip locked
    ), moved as (
      update webhook_lanes l set position = b.bound, leased_by = null, leased_until = null
      from behind b where l.endpoint_id = b.endpoint_id
    )
    insert into webhook_dead_letters (endpoint_id, reason, after_position, position)
    select endpoint_id, 'lost', position, bound from behind`;
}
