import {
  moduleOfObject,
  type PushedModule,
  type PushedObject,
  pushedObjects,
} from '#shared/domain/roaming/ocpi-push.ts';
import { type Party, partyName } from '#shared/domain/roaming/ocpi.ts';
import type { Fragment, Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import {
  advanceReader,
  assignPositions,
  claimEvents,
  guardAgainstFreeze,
  inRange,
  readEvents,
} from '#shared/postgres/kernel/outbox.statements.ts';
import { lockQueue, queueLock } from './ocpi-pushes.ts';

/** The channel on which all processes hear that there is something to push. */
export const pushChannel = 'ocpi_pushes';

/** The receivers that a partner has, by the object that they take. */
const receivers = (sql: Queryable) => sql`
  (select e.partner_id, o.object
  from ocpi_partner_endpoints e
  join (values ${sql(Object.entries(moduleOfObject))}) o (object, module) on o.module = e.identifier
  where e.role = 'RECEIVER')`;

/** Condition that a network has partners, looked up once for all rows of a statement. */
const hasPartners = (sql: Queryable, network: Fragment) => sql`
  ${network} in (select p.network_id from ocpi_partners p where p.status <> 'PENDING' and p.deleted_at is null)`;

/** The order of the pushes of one moment, and of the locks on them. */
const inOrder = (sql: Queryable) => sql`array_position(${[...pushedObjects]}::text[], o.object), o.object_id`;

/**
 * Moves the `last_updated` of EVSEs that are in use, or free, since a session began or ended there. The status of such an EVSE changes
 * only where its connectors do not report it themselves, not all are out of order, and no other session runs
 * (shared/domain/fleet/ocpi-evse.ts). The session's own transaction must not lock the EVSE: writers of statuses lock EVSEs before
 * sessions. Chargers are locked first, as by those writers.
 */
export async function moveUsed(sql: Sql, limit: number): Promise<void> {
  const isRunning = (status: Fragment) => sql`(${status} in ('ACTIVE', 'STOPPING'))`;
  await readEvents(sql, 'evse-usage', limit, async (transaction, range) => {
    // A charger that another transaction holds delays this reader, and not the pushes behind it.
    await transaction`select set_config('lock_timeout', '2s', true)`;
    await transaction`
      with changed as materialized (
        select s.id, s.connector_id, (o.internal #>> '{was,connector_id}')::integer as former_connector_id,
          ${isRunning(sql`o.internal ->> 'status'`)} and ${isRunning(sql`coalesce(o.internal #>> '{was,status}', '')`)} is not true
            as is_begin
        from outbox o join sessions s on s.id = o.subject_id
        where ${inRange(transaction, range)} and ${hasPartners(sql, sql`o.network_id`)} and case o.type
          when 'session.started' then ${isRunning(sql`o.internal ->> 'status'`)}
          else ${isRunning(sql`o.internal ->> 'status'`)} <> ${isRunning(sql`o.internal #>> '{was,status}'`)}
            or ${isRunning(sql`o.internal ->> 'status'`)} and o.internal -> 'changed' ? 'connector_id' end
      ), used as materialized (
        select distinct e.id, e.charger_id
        from changed s
        join connectors k on k.id in (s.connector_id, s.former_connector_id)
        join evses e on e.charger_id = k.charger_id and e.number = k.evse_number and e.removed_at is null
        join chargers c on c.id = k.charger_id and c.disconnected_at is null
        cross join lateral (
          select bool_or(o.status in ('Preparing', 'Charging', 'SuspendedEV', 'SuspendedEVSE', 'Finishing', 'Occupied'))
              as is_reported,
            bool_and(o.status in ('Unavailable', 'Faulted')) as is_broken,
            bool_or(exists (select from sessions other
              where other.connector_id = o.id and ${isRunning(sql`other.status`)} and other.id <> s.id
                -- Of two sessions that begin between two reads each would exclude the other.
                and (not s.is_begin or other.id < s.id))) as is_shared
          from connectors o
          where o.charger_id = k.charger_id and o.evse_number = k.evse_number and o.deleted_at is null
        ) position
        where not (is_reported or is_broken or is_shared)
      ), locked as materialized (
        select id from chargers where id in (select charger_id from used) order by id for no key update
      )
      update evses set last_updated = now() from used, locked
      where evses.id = used.id and locked.id = used.charger_id`;
  });
}

/**
 * Turns events into pushes: one for each partner that may see the object, has a receiver for it, and is not waiting for
 * it already. A suspended partner is owed them for later.
 * @returns true when there may be more; false too while another process does it.
 */
export async function queueChanges(sql: Sql, limit: number): Promise<boolean> {
  await assignPositions(sql);
  return sql.begin(async (transaction) => {
    await guardAgainstFreeze(transaction);
    const [lock] = await transaction<{ isMine: boolean }[]>`
      select pg_try_advisory_xact_lock(${queueLock}) as "isMine"`;
    if (lock?.isMine !== true) return false;
    const range = await claimEvents(transaction, 'partner-pushes', limit);
    if (range === null) return false;
    const [counted] = await transaction<{ due: number; pushes: number }[]>`
      with events as materialized (
        select type, subject_id, occurred_at as at, internal
        from outbox where ${inRange(transaction, range)} and ${hasPartners(transaction, sql`network_id`)}
      ), due as (
        delete from ocpi_assignment_moments where (assignment_id, at) in (
          select assignment_id, at from ocpi_assignment_moments where at <= now() order by at limit ${limit})
        returning assignment_id, at
      ), restated as (
        select a.*, e.at from events e join tariff_assignments a on a.tariff_id = e.subject_id and a.is_active
        where e.type = 'tariff.updated' and e.internal -> 'changed' ? 'starts_at'
      ), moments as (
        -- An assignment begins and ends with its tariff.
        insert into ocpi_assignment_moments (assignment_id, at)
        select distinct r.id, moment
        from restated r join tariffs t on t.id = r.tariff_id cross join lateral unnest(array[t.starts_at, t.ends_at]) moment
        where moment > now() and moment < 'infinity'
        on conflict do nothing
      ), assigned as (
        select * from restated
        union all select a.*, d.at from due d join tariff_assignments a on a.id = d.assignment_id
        union all select a.*, e.at from events e join tariff_assignments a on a.id = e.subject_id
          where e.type in ('tariff_assignment.created', 'tariff_assignment.updated')
      ), objects as (
        select 'evse' as object, e.id as object_id, e.network_id, null::integer as partner_id,
            c.type = 'evse.created' or (c.internal -> 'isWhole')::boolean as is_whole, c.at
          from events c join evses e on e.id = c.subject_id where c.type in ('evse.created', 'evse.updated')
        union all select 'location', l.id, l.network_id, null, true, c.at
          from events c join locations l on l.id = c.subject_id
          where c.type in ('location.created', 'location.updated') and (l.is_published or c.internal -> 'changed' ? 'is_published')
        -- A tariff that was never assigned is not visible to partners.
        union all select 'tariff', f.id, f.network_id, null, true, c.at
          from events c join tariffs f on f.id = c.subject_id
          where c.type = 'tariff.updated' and exists (select from tariff_assignments a where a.tariff_id = f.id)
        union all select 'session', s.id, s.network_id, s.ocpi_partner_id, c.is_whole, c.at
          from (
            select subject_id, at, internal -> 'changed' as changed, type = 'session.started' or internal -> 'changed' ?| '{ocpi_partner_id,status,started_at,
              ended_at,cost,currency,authorization_reference,meter_id,version}' as is_whole
            from events where type like 'session.%'
          ) c join sessions s on s.id = c.subject_id
          where s.ocpi_partner_id is not null
            and (c.is_whole or c.changed = '[]' and s.status in ('ACTIVE', 'STOPPING'))
        union all select 'cdr', d.id, d.network_id, d.partner_id, true, c.at
          from events c join cdrs d on d.id = c.subject_id where c.type = 'cdr.created'
        union all select 'tariff', f.id, f.network_id, null, true, a.at
          from assigned a join tariffs f on f.id = a.tariff_id
        -- The connectors of these locations name another tariff from now on (OCPI 2.2.1 §8.3.3).
        union all select 'location', l.id, l.network_id, null, true, a.at
          from assigned a join locations l on l.network_id = a.network_id or l.id = a.location_id
            or l.id in (select c.location_id from chargers c where c.id = a.charger_id)
            or l.id in (select c.location_id from connectors k join chargers c on c.id = k.charger_id
              where k.id = a.connector_id)
      ), owed as (
        select p.id as partner_id, o.object, o.object_id, bool_or(o.is_whole) as is_whole, min(o.at) as changed_at
        from objects o
        join ocpi_partners p on p.network_id = o.network_id and p.id = coalesce(o.partner_id, p.id)
          and p.status <> 'PENDING' and p.deleted_at is null and (p.changes_since is null or p.changes_since <= o.at)
        join ${receivers(transaction)} r on r.partner_id = p.id and r.object = o.object
        where o.object <> 'cdr' or not exists (select from ocpi_delivered_cdrs d where d.cdr_id = o.object_id)
        group by p.id, o.object, o.object_id
      ), queued as (
        insert into ocpi_pushes as q (partner_id, object, object_id, is_whole, changed_at)
        select * from owed o order by o.partner_id, ${inOrder(transaction)}
        on conflict (partner_id, object, object_id) do update
          set is_whole = q.is_whole or excluded.is_whole, revision = q.revision + 1,
            -- More than the status changed: the partner may accept the object now.
            due_at = case when excluded.is_whole and (q.set_aside_at is not null or q.claimed_until is not null)
              then now() else q.due_at end
        returning 1
      )
      select (select count(*)::integer from due) as due, (select count(*)::integer from queued) as pushes`;
    await advanceReader(transaction, range);
    if ((counted?.pushes ?? 0) > 0) await wakePushers(transaction);
    return range.count === limit || counted?.due === limit;
  });
}

/** Wakes the pushers of all processes once the transaction is committed. */
async function wakePushers(transaction: Transaction): Promise<void> {
  await transaction`select pg_notify(${pushChannel}, '')`;
}

/**
 * Makes due what a partner failed to take: it is back. In a transaction of its own, and never alongside one that queues: both
 * lock many pushes.
 */
export async function wakeWaiting(sql: Sql, partnerId: number): Promise<void> {
  await sql.begin(async (transaction) => {
    await lockQueue(transaction);
    await transaction`
      update ocpi_pushes set due_at = now()
      where partner_id = ${partnerId} and attempts > 0 and claimed_until is null and due_at > now()
        and set_aside_at is null`;
    await wakePushers(transaction);
  });
}

/** Makes due the pushes that wait for these parties behind a hub: they are connected again. Otherwise as `wakeWaiting`. */
export async function wakeDeferred(sql: Sql, partnerId: number, parties: readonly Party[]): Promise<void> {
  const names = parties.map(partyName);
  const party = (token: Fragment) => sql`concat(${token} ->> 'country_code', '-', ${token} ->> 'party_id')`;
  await sql.begin(async (transaction) => {
    await lockQueue(transaction);
    await transaction`
      update ocpi_pushes q set due_at = now()
      where q.partner_id = ${partnerId} and q.is_deferred and q.claimed_until is null and q.due_at > now()
        and case q.object
          when 'cdr' then (select ${party(sql`d.document -> 'cdr_token'`)} from cdrs d where d.id = q.object_id)
          when 'session' then (select ${party(sql`s.ocpi_token`)} from sessions s where s.id = q.object_id)
        end = any(${names}::text[])`;
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
  await lockQueue(transaction);
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
    update ocpi_push_lanes set failures = 0, opened = 0, open_until = null, unreachable_since = null
    where partner_id = ${partner.id}`;
  await wakePushers(transaction);
  return count;
}

/**
 * Queues one object for a partner again, whole and at once, in place of a waiting push of it. Its circuit breaker is closed.
 * @returns false when the partner has no receiver for the object, or has the CDR.
 */
export async function queueAgain(
  transaction: Transaction,
  partnerId: number,
  { object, objectId }: { object: PushedObject; objectId: bigint },
): Promise<boolean> {
  await lockQueue(transaction);
  const { count } = await transaction`
    insert into ocpi_pushes as q (partner_id, object, object_id, is_whole, changed_at)
    select r.partner_id, r.object, ${objectId}::bigint, true, now() from ${receivers(transaction)} r
    where r.partner_id = ${partnerId} and r.object = ${object}
      and not (r.object = 'cdr' and exists (select from ocpi_delivered_cdrs d where d.cdr_id = ${objectId}::bigint))
    on conflict (partner_id, object, object_id) do update
      set is_whole = true, revision = q.revision + 1, attempts = case when q.claimed_until is null then 0 else q.attempts end,
        due_at = now(), set_aside_at = null`;
  if (count === 0) return false;
  await transaction`
    update ocpi_push_lanes set failures = 0, opened = 0, open_until = null, unreachable_since = null
    where partner_id = ${partnerId}`;
  await wakePushers(transaction);
  return true;
}
