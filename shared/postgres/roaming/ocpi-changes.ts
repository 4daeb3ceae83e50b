import { moduleOfObject, type PushedModule, pushedObjects } from '#shared/domain/roaming/ocpi-push.ts';
import type { Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';

/** Held by whoever queues or wakes many pushes: one at a time. The number means nothing beyond being ours. */
export const queueLock = 7_140_900_020;

/** The channel on which all processes hear that there is something to push. */
export const pushChannel = 'ocpi_pushes';

/** The receivers that a partner has, by the object that they take. */
const receivers = (sql: Queryable) => sql`
  (select e.partner_id, o.object
  from ocpi_partner_endpoints e
  join (values ${sql(Object.entries(moduleOfObject))}) o (object, module) on o.module = e.identifier
  where e.role = 'RECEIVER')`;

/** The order of the pushes of one moment, and of the locks on them. */
const inOrder = (sql: Queryable) => sql`array_position(${[...pushedObjects]}::text[], o.object), o.object_id`;

/**
 * Moves the `last_updated` of EVSEs that are in use, or free, since a session began or ended there: a change as any other
 * then. An EVSE that somebody else changes just now is left to the next time: we wait for nobody who waits for us.
 */
export async function moveUsed(sql: Sql, limit: number): Promise<void> {
  await sql`
    with used as materialized (
      select m.id, m.object_id from ocpi_change_marks m join evses e on e.id = m.object_id
      where m.kind = 'use' order by m.id limit ${limit} for update of m, e skip locked
    ), taken as (
      delete from ocpi_change_marks where id in (select id from used)
    )
    update evses set last_updated = now() where id in (select object_id from used)`;
}

/**
 * Turns changes into pushes: one for each partner that may see the object, has a receiver for it, and is not waiting for
 * it already. Whoever is suspended is owed them for later.
 * @returns how many changes there were; 0 too while another process does it.
 */
export async function queueChanges(sql: Sql, limit: number): Promise<number> {
  return sql.begin(async (transaction) => {
    const [lock] = await transaction<{ isMine: boolean }[]>`
      select pg_try_advisory_xact_lock(${queueLock}) as "isMine"`;
    if (lock?.isMine !== true) return 0;
    const [counted] = await transaction<{ changes: number; pushes: number }[]>`
      with taken as materialized (
        delete from ocpi_change_marks where id in (
          select id from ocpi_change_marks where ready_at <= now() and kind <> 'use'
          order by ready_at, id limit ${limit})
        returning kind, object_id, is_whole, ready_at
      ), assigned as (
        select a.*, t.ready_at from taken t join tariff_assignments a on a.id = t.object_id
        where t.kind = 'assignment'
      ), objects as (
        select 'evse' as object, e.id as object_id, e.network_id, null::integer as partner_id, t.is_whole, t.ready_at
          from taken t join evses e on e.id = t.object_id where t.kind = 'evse'
        union all select 'evse', e.id, e.network_id, null, t.is_whole, t.ready_at
          from taken t join connectors k on k.id = t.object_id
          join evses e on e.charger_id = k.charger_id and e.number = k.evse_number where t.kind = 'connector'
        union all select 'location', l.id, l.network_id, null, true, t.ready_at
          from taken t join locations l on l.id = t.object_id where t.kind = 'location'
        union all select 'tariff', f.id, f.network_id, null, true, t.ready_at
          from taken t join tariffs f on f.id = t.object_id where t.kind = 'tariff'
        union all select 'session', s.id, s.network_id, s.ocpi_partner_id, t.is_whole, t.ready_at
          from taken t join sessions s on s.id = t.object_id
          where t.kind = 'session' and s.ocpi_partner_id is not null
        union all select 'cdr', d.id, d.network_id, d.partner_id, true, t.ready_at
          from taken t join cdrs d on d.id = t.object_id where t.kind = 'cdr'
        union all select 'tariff', f.id, f.network_id, null, true, a.ready_at
          from assigned a join tariffs f on f.id = a.tariff_id
        -- The connectors of these places name another tariff from now on (OCPI 2.2.1 §8.3.3).
        union all select 'location', l.id, l.network_id, null, true, a.ready_at
          from assigned a join locations l on l.network_id = a.network_id or l.id = a.location_id
            or l.id in (select c.location_id from chargers c where c.id = a.charger_id)
            or l.id in (select c.location_id from connectors k join chargers c on c.id = k.charger_id
              where k.id = a.connector_id)
      ), owed as (
        select p.id as partner_id, o.object, o.object_id, bool_or(o.is_whole) as is_whole, min(o.ready_at) as changed_at
        from objects o
        join ocpi_partners p on p.network_id = o.network_id and p.id = coalesce(o.partner_id, p.id)
          and p.status <> 'PENDING' and p.deleted_at is null
        join ${receivers(transaction)} r on r.partner_id = p.id and r.object = o.object
        where o.object <> 'cdr' or not exists (select from ocpi_delivered_cdrs d where d.cdr_id = o.object_id)
        group by p.id, o.object, o.object_id
      ), queued as (
        insert into ocpi_pushes as q (partner_id, object, object_id, is_whole, changed_at)
        select * from owed o order by o.partner_id, ${inOrder(transaction)}
        on conflict (partner_id, object, object_id) do update
          set is_whole = q.is_whole or excluded.is_whole, revision = q.revision + 1
        returning 1
      )
      select (select count(*)::integer from taken) as changes, (select count(*)::integer from queued) as pushes`;
    if ((counted?.pushes ?? 0) > 0) await wakePushers(transaction);
    return counted?.changes ?? 0;
  });
}

/** Wakes the pushers of all processes once the transaction is committed. */
async function wakePushers(transaction: Transaction): Promise<void> {
  await transaction`select pg_notify(${pushChannel}, '')`;
}

/**
 * Makes due what a partner failed to take: it is back. In a transaction of its own, and never beside one that queues: both
 * lock many pushes.
 */
export async function wakeWaiting(sql: Sql, partnerId: number): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${queueLock})`;
    await transaction`
      update ocpi_pushes set due_at = now()
      where partner_id = ${partnerId} and attempts > 0 and claimed_until is null and due_at > now()`;
    await wakePushers(transaction);
  });
}

/**
 * Queues everything of these modules that a partner has access to and that changed since then (null: ever);
 * of CDRs those without a receipt. Its circuit breaker is closed: the next push is tried at once.
 * @returns the number of added pushes.
 */
export async function queueResync(
  transaction: Transaction,
  partner: { id: number; networkId: number },
  modules: readonly PushedModule[],
  since: Date | null,
): Promise<number> {
  await transaction`select pg_advisory_xact_lock(${queueLock})`;
  const { count } = await transaction`
    with objects as (
      select 'location' as object, l.id as object_id, u.last_updated as changed_at
        from locations l join location_updates u on u.location_id = l.id
        where l.network_id = ${partner.networkId} and l.is_published and l.deleted_at is null
      -- Partners receive it while it is assigned, so its assignments change it.
      union all select 'tariff', t.id, greatest(t.updated_at, max(a.created_at), max(a.withdrawn_at),
          max(a.valid_until) filter (where a.valid_until <= now()))
        from tariffs t join tariff_assignments a on a.tariff_id = t.id
        where t.network_id = ${partner.networkId} and t.deleted_at is null
        group by t.id
      union all select 'session', s.id, s.updated_at from sessions s where s.ocpi_partner_id = ${partner.id}
      union all select 'cdr', d.id, d.created_at from cdrs d
        where d.partner_id = ${partner.id}
          and not exists (select from ocpi_delivered_cdrs g where g.cdr_id = d.id)
    )
    insert into ocpi_pushes as q (partner_id, object, object_id, is_whole, changed_at)
    select ${partner.id}::integer as partner_id, o.object, o.object_id, true, now()
    from objects o
    join (values ${transaction(Object.entries(moduleOfObject))}) m (object, module) on m.object = o.object
    join ${receivers(transaction)} r on r.partner_id = ${partner.id} and r.object = o.object
    where m.module = any(${[...modules]}::text[]) and (${since}::timestamptz is null or o.changed_at >= ${since})
    order by ${inOrder(transaction)}
    on conflict (partner_id, object, object_id) do update set is_whole = true, revision = q.revision + 1`;
  await transaction`
    update ocpi_pushes set due_at = now() where partner_id = ${partner.id} and attempts > 0 and due_at > now()`;
  await transaction`
    update ocpi_push_lanes set failures = 0, opened = 0, open_until = null where partner_id = ${partner.id}`;
  await wakePushers(transaction);
  return count;
}
