import { isTripped } from '#shared/domain/kernel/circuit-breaker.ts';
import type { PushedObject, PushPolicy } from '#shared/domain/roaming/ocpi-push.ts';
import type { Fragment, Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { hasEvents } from '#shared/postgres/kernel/outbox.statements.ts';

/** Lock of transactions that lock many pushes. The number is arbitrary. */
export const queueLock = 7_140_900_020;

/** Locks the queue of pushes until the end of the transaction, after the row of the partner where that is locked too. */
export async function lockQueue(sql: Queryable): Promise<void> {
  await sql`select pg_advisory_xact_lock(${queueLock})`;
}

/** Push claimed by this process. */
export interface ClaimedPush {
  id: bigint;
  partnerId: number;
  object: PushedObject;
  objectId: bigint;
  /** false: nothing but its status (EVSE) or its live values (session) changed. */
  isWhole: boolean;
  revision: number;
  /** This try included. */
  attempts: number;
  /** The push that tests whether its partner is available again. */
  isProbe: boolean;
}

/** The condition that the breaker of a lane `l` lets something through. */
const isLet = (sql: Queryable) => sql`(l.open_until is null or l.open_until <= now())`;

/** The condition that a push `q` may be sent now. */
const isDue = (sql: Queryable) =>
  sql`(q.due_at <= now() and (q.claimed_until is null or q.claimed_until <= now()))`;

/** The registered partners for whom something is due and may be sent. */
const duePartners = (sql: Queryable) => sql`
  select p.id from ocpi_partners p left join ocpi_push_lanes l on l.partner_id = p.id
  where p.status = 'REGISTERED' and p.deleted_at is null and ${isLet(sql)}
    and exists (select from ocpi_pushes q where q.partner_id = p.id and ${isDue(sql)})`;

/** The condition that there may be pushes to queue or to send, or EVSEs whose use changed. */
export const arePushesDue = (sql: Queryable): Fragment => sql`
  (${hasEvents(sql, 'partner-pushes')} or ${hasEvents(sql, 'evse-usage')} or exists (${duePartners(sql)})
    or exists (select from ocpi_assignment_moments where at <= now()))`;

/** Returns the partners for whom something is due and may be sent. */
export async function listDuePartners(sql: Sql): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`${duePartners(sql)}`;
  return rows.map(({ id }) => id);
}

/**
 * Claims pushes of a partner, the oldest first: as many as its rate and its circuit breaker allow over all
 * processes. No object is claimed twice, and of one session's CDRs only the first is: a credit comes before
 * the CDR that replaces the credited one (OCPI 2.2.1 §10.1.1).
 */
export async function claimPushes(sql: Sql, partnerId: number, policy: PushPolicy): Promise<ClaimedPush[]> {
  const { perSecond, burst, sideBySide, claimMs } = policy;
  return sql.begin(async (transaction) => {
    await transaction`
      insert into ocpi_push_lanes (partner_id, budget) values (${partnerId}, ${burst}) on conflict do nothing`;
    const [lane] = await transaction<{ failures: number; isLet: boolean; budget: number }[]>`
      select l.failures, ${isLet(sql)} as "isLet", least(${burst}::double precision,
        coalesce(l.budget, ${burst}) + ${perSecond} * extract(epoch from clock_timestamp() - l.refilled_at)) as budget
      from ocpi_push_lanes l join ocpi_partners p on p.id = l.partner_id and p.status = 'REGISTERED'
      where l.partner_id = ${partnerId} for update of l`;
    if (lane?.isLet !== true || lane.budget < 1) return [];
    const isProbe = isTripped(lane, policy);
    const most = isProbe ? 1 : Math.min(sideBySide, Math.floor(lane.budget));
    const claimed = await transaction<Omit<ClaimedPush, 'isProbe'>[]>`
      -- By itself: a subquery of "in" may be run for each row that is compared with it, and lock others each time.
      with taken as (
        select q.id from ocpi_pushes q
        where q.partner_id = ${partnerId} and ${isDue(sql)}
          and not (q.object = 'cdr' and exists (
            select from cdrs d join cdrs earlier on earlier.session_id = d.session_id and earlier.id < d.id
            join ocpi_pushes before on before.partner_id = q.partner_id and before.object = 'cdr'
              and before.object_id = earlier.id
            where d.id = q.object_id))
        order by q.due_at, q.id limit ${most} for update skip locked
      )
      update ocpi_pushes p set claimed_until = now() + ${claimMs} * interval '1 ms', attempts = p.attempts + 1
      from taken where p.id = taken.id
      returning p.id, p.partner_id as "partnerId", p.object, p.object_id as "objectId", p.is_whole as "isWhole",
        p.revision, p.attempts`;
    await transaction`
      update ocpi_push_lanes set budget = ${lane.budget - claimed.length}, refilled_at = clock_timestamp()
        ${isProbe && claimed.length > 0 ? sql`, open_until = now() + ${claimMs} * interval '1 ms'` : sql``}
      where partner_id = ${partnerId}`;
    return claimed.map((push) => ({ ...push, isProbe }));
  });
}

/** State of the pushes to a partner's receivers. */
export interface PushState {
  /** CLOSED: pushes flow; OPEN: the partner failed too often and receives no pushes; HALF_OPEN: one push tries it again. */
  breaker: 'CLOSED' | 'OPEN' | 'HALF_OPEN';
  /** In a row. */
  failures: number;
  /** OPEN: when the next push is tried. */
  openUntil: Date | null;
  /** Objects that the partner is owed, and since when. Null: nothing is, or all wait for parties that its hub cannot reach. */
  waiting: number;
  waitingSince: Date | null;
  /** Objects that the partner refused too often: they are tried hours apart. */
  refused: number;
  /** Requests that it took, and that it did not. */
  sent: bigint;
  failed: bigint;
  lastSentAt: Date | null;
  lastFailedAt: Date | null;
  lastError: string | null;
}

/** Pushes of one kind of object that wait for a partner. */
export interface WaitingPushes {
  object: PushedObject;
  waiting: number;
  /** Number of objects that are set aside, since the partner refused them too often. They do not wait. */
  refused: number;
  /** Number of those that failed at least once. */
  failing: number;
  /** Null: all wait for parties that a hub cannot reach. */
  since: Date | null;
  /** Of the latest failed one. Null: none failed. */
  lastError: string | null;
}

/** Returns the pushes that wait for a partner, by kind of object. */
export async function readWaitingPushes(sql: Queryable, partnerId: number): Promise<WaitingPushes[]> {
  return sql<WaitingPushes[]>`
    select object, count(*) filter (where set_aside_at is null)::integer as waiting, count(set_aside_at)::integer as refused,
      count(last_error) filter (where set_aside_at is null)::integer as failing,
      min(changed_at) filter (where not is_deferred and set_aside_at is null) as since,
      (array_agg(last_error order by due_at desc) filter (where last_error is not null))[1] as "lastError"
    from ocpi_pushes where partner_id = ${partnerId} group by object`;
}

/** Object that a partner refused too often. */
export interface RefusedObject {
  object: PushedObject;
  objectId: bigint;
  refusals: number;
  setAsideAt: Date;
  nextTryAt: Date;
  lastError: string;
}

/** Returns the objects that a partner refused too often, the latest first. */
export async function listRefusedObjects(
  sql: Queryable,
  partnerId: number,
  limit: number,
): Promise<RefusedObject[]> {
  return sql<RefusedObject[]>`
    select object, object_id as "objectId", attempts as refusals, set_aside_at as "setAsideAt", due_at as "nextTryAt",
      last_error as "lastError"
    from ocpi_pushes where partner_id = ${partnerId} and set_aside_at is not null
    order by set_aside_at desc, id limit ${limit}`;
}

/** The push states of partners by their uuid; without ids: of all that are registered. */
export async function readPushStates(
  sql: Queryable,
  failuresToOpen: number,
  partnerIds?: readonly number[],
): Promise<(PushState & { partnerUuid: string })[]> {
  return sql<(PushState & { partnerUuid: string })[]>`
    select p.uuid as "partnerUuid",
      case when coalesce(l.failures, 0) < ${failuresToOpen} then 'CLOSED'
        when l.open_until > now() then 'OPEN' else 'HALF_OPEN' end as breaker,
      coalesce(l.failures, 0) as failures, case when l.open_until > now() then l.open_until end as "openUntil",
      w.waiting, w.refused, w.since as "waitingSince", coalesce(l.sent, 0) as sent, coalesce(l.failed, 0) as failed,
      l.last_sent_at as "lastSentAt", l.last_failed_at as "lastFailedAt", l.last_error as "lastError"
    from ocpi_partners p
    left join ocpi_push_lanes l on l.partner_id = p.id
    cross join lateral (
      select count(*) filter (where q.set_aside_at is null)::integer as waiting, count(q.set_aside_at)::integer as refused,
        min(q.changed_at) filter (where not q.is_deferred and q.set_aside_at is null) as since
      from ocpi_pushes q where q.partner_id = p.id) w
    where p.deleted_at is null
      and ${partnerIds === undefined ? sql`p.status = 'REGISTERED'` : sql`p.id = any(${[...partnerIds]}::integer[])`}
    order by p.id`;
}

/** Forgets what a partner is owed: its registration ended. Its CDRs are found again when it comes back. */
export async function forgetPushes(sql: Transaction, partnerId: number): Promise<void> {
  await lockQueue(sql);
  await sql`delete from ocpi_pushes where partner_id = ${partnerId}`;
  await sql`delete from ocpi_push_lanes where partner_id = ${partnerId}`;
}

/** Identifier of a pushed object for partners. */
export interface PushedName<Document> {
  /** A location's `ocpi_id`, an EVSE's `uid`, the uuid of a tariff or session, the `ocpi_id` of a CDR. */
  key: string;
  /** EVSE: its location. */
  locationId: number | null;
  /** The CDR as it was sealed. */
  document: Document | null;
}

/** Returns the identifier of an object for partners of a network. Null: the network does not have it. */
export async function findPushedName<Document>(
  sql: Queryable,
  networkId: number,
  { object, objectId }: Pick<ClaimedPush, 'object' | 'objectId'>,
): Promise<PushedName<Document> | null> {
  const nothing = sql`null::integer as "locationId", null::jsonb as document`;
  const named = {
    location: sql`select o.ocpi_id as key, ${nothing} from locations o`,
    evse: sql`
      select o.uid as key, c.location_id as "locationId", null::jsonb as document
      from evses o join chargers c on c.id = o.charger_id`,
    tariff: sql`select o.uuid::text as key, ${nothing} from tariffs o`,
    session: sql`select o.uuid::text as key, ${nothing} from sessions o`,
    cdr: sql`select o.ocpi_id as key, null::integer as "locationId", o.document from cdrs o`,
  }[object];
  const [row] = await sql<
    PushedName<Document>[]
  >`${named} where o.id = ${objectId} and o.network_id = ${networkId}`;
  return row ?? null;
}
