import { backoffMs } from '#shared/domain/kernel/backoff.ts';
import { afterFailure, isTripped } from '#shared/domain/kernel/circuit-breaker.ts';
import type { PushedObject, PushPolicy } from '#shared/domain/roaming/ocpi-push.ts';
import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { wakeWaiting } from './ocpi-changes.ts';
import type { ClaimedPush } from './ocpi-pushes.ts';

/** Errors are cut at this length (characters). */
const maxError = 500;

/** Condition that a push is still claimed by this process: a claim that expired changes nothing. */
const isMine = (sql: Transaction, { id, attempts, revision }: ClaimedPush) =>
  sql`id = ${id} and attempts = ${attempts} and revision >= ${revision} and claimed_until is not null`;

/** The time after a pause. */
const after = (sql: Transaction, pauseMs: number) => sql`now() + ${pauseMs} * interval '1 ms'`;

/** Settles a push that the partner accepted; later changes are due again. */
export async function settleSent(sql: Sql, push: ClaimedPush, policy: PushPolicy): Promise<void> {
  const isBack = await sql.begin(async (transaction) => {
    if (push.object === 'cdr') {
      await transaction`
        insert into ocpi_delivered_cdrs (cdr_id) values (${push.objectId}) on conflict do nothing`;
    }
    await finish(transaction, push);
    await transaction`
      update ocpi_push_lanes set sent = sent + 1, last_sent_at = now() where partner_id = ${push.partnerId}`;
    return closeBreaker(transaction, push, policy);
  });
  if (isBack) await wakeWaiting(sql, push.partnerId);
}

/** There was nothing to send: the object is not the partner's to see. Nothing is known of the partner. */
export async function settleVoid(sql: Sql, push: ClaimedPush): Promise<void> {
  await sql.begin(async (transaction) => {
    await finish(transaction, push);
    await endProbe(transaction, push);
  });
}

/**
 * Settles a push of an object unknown to the partner: sends the whole of `instead`, the object itself or its
 * parent.
 */
export async function settleReplaced(
  sql: Sql,
  push: ClaimedPush,
  policy: PushPolicy,
  instead: { object: PushedObject; objectId: bigint },
): Promise<void> {
  const isBack = await sql.begin(async (transaction) => {
    if (instead.object === push.object) {
      await transaction`
        update ocpi_pushes set is_whole = true, claimed_until = null, due_at = now()
        where ${isMine(transaction, push)}`;
    } else {
      // First what queueChanges locks first: neither waits for the other then.
      await transaction`
        insert into ocpi_pushes as q (partner_id, object, object_id, is_whole, changed_at)
        select partner_id, ${instead.object}, ${instead.objectId}::bigint, true, changed_at
        from ocpi_pushes where ${isMine(transaction, push)}
        on conflict (partner_id, object, object_id) do update set is_whole = true, revision = q.revision + 1`;
      const [parent] = await transaction`
        select from ocpi_pushes where partner_id = ${push.partnerId} and object = ${instead.object}
          and object_id = ${instead.objectId}::bigint and set_aside_at is not null`;
      // Without its parent, which the partner refuses, the object stays unknown.
      if (parent === undefined) await transaction`delete from ocpi_pushes where ${isMine(transaction, push)}`;
      else await setAside(transaction, push, policy, `the partner refuses its ${instead.object}`);
    }
    return closeBreaker(transaction, push, policy);
  });
  if (isBack) await wakeWaiting(sql, push.partnerId);
}

/**
 * Settles a push whose object the partner refused. It is tried again, ever less often, and set aside after too many refusals: its next
 * tries are hours apart, however often its status changes. A change of the object itself is sent at once.
 * @returns whether it is set aside; a CDR never is.
 */
export async function settleRefused(
  sql: Sql,
  push: ClaimedPush,
  policy: PushPolicy,
  error: string,
): Promise<boolean> {
  const isSetAside = push.object !== 'cdr' && push.attempts >= policy.maxRefusals;
  const isBack = await sql.begin(async (transaction) => {
    if (isSetAside) await setAside(transaction, push, policy, error);
    else await putOff(transaction, push, policy, error);
    await recordFailure(transaction, push, error);
    return closeBreaker(transaction, push, policy);
  });
  if (isBack) await wakeWaiting(sql, push.partnerId);
  return isSetAside;
}

/** The partner did not answer, or not as a partner: it may be away, which its breaker counts. */
export async function settleFailed(
  sql: Sql,
  push: ClaimedPush,
  policy: PushPolicy,
  error: string,
): Promise<void> {
  await sql.begin(async (transaction) => {
    await putOff(transaction, push, policy, error);
    await recordFailure(transaction, push, error);
    const [lane] = await transaction<{ failures: number; opened: number; isOpen: boolean }[]>`
      select failures, opened, coalesce(open_until > now(), false) as "isOpen"
      from ocpi_push_lanes where partner_id = ${push.partnerId} for update`;
    if (lane === undefined) return;
    const { isProbe } = push;
    const { failures, opened, pauseMs } = afterFailure(lane, policy, { isProbe, isOpen: lane.isOpen });
    await transaction`
      update ocpi_push_lanes set failures = ${failures}, opened = ${opened}
        ${pauseMs === null ? transaction`` : transaction`, unreachable_since = coalesce(unreachable_since, now()), open_until = ${after(transaction, pauseMs)}`}
      where partner_id = ${push.partnerId}`;
  });
}

/** Time in ms for which a push waits until its party is connected or its partner is a hub again, which makes it due earlier. */
const longDeferralMs = 60 * 60_000;

/**
 * The push cannot reach its party now, whose hub is there: it is tried again later, and nothing is counted as failed.
 * @param isLong true when an early repetition is of no use, and would only take from the rate of the other pushes.
 */
export async function settleDeferred(
  sql: Sql,
  push: ClaimedPush,
  policy: PushPolicy,
  reason: string,
  isLong = false,
): Promise<void> {
  await sql.begin(async (transaction) => {
    await putOff(transaction, push, policy, reason, isLong ? 'long' : 'short');
    await endProbe(transaction, push);
  });
}

/** Lets another push test whether the partner is available again. */
async function endProbe(transaction: Transaction, { isProbe, partnerId }: ClaimedPush): Promise<void> {
  if (!isProbe) return;
  await transaction`update ocpi_push_lanes set open_until = now() where partner_id = ${partnerId}`;
}

/** Ends a push, or makes it due again where its object changed since it was read. A CDR never changes. */
async function finish(transaction: Transaction, push: ClaimedPush): Promise<void> {
  const isUnchanged = push.object === 'cdr' ? transaction`` : transaction`and revision = ${push.revision}`;
  const { count } = await transaction`
    delete from ocpi_pushes where ${isMine(transaction, push)} ${isUnchanged}`;
  if (count > 0) return;
  await transaction`
    update ocpi_pushes set attempts = 0, claimed_until = null, changed_at = now(), due_at = now(), last_error = null,
      set_aside_at = null
    where ${isMine(transaction, push)}`;
}

async function putOff(
  transaction: Transaction,
  push: ClaimedPush,
  { retry }: PushPolicy,
  error: string,
  deferral: 'none' | 'short' | 'long' = 'none',
): Promise<void> {
  const pauseMs = deferral === 'long' ? longDeferralMs : backoffMs(retry, push.attempts - 1);
  await transaction`
    update ocpi_pushes set claimed_until = null, is_deferred = ${deferral !== 'none'},
      last_error = ${error.slice(0, maxError)}, due_at = ${after(transaction, pauseMs)}
    where ${isMine(transaction, push)}`;
}

/** Sets a refused object aside. One that changed since it was read, other than in its status, is tried at once. */
async function setAside(
  transaction: Transaction,
  push: ClaimedPush,
  { setAsideMs, claimMs }: PushPolicy,
  error: string,
): Promise<void> {
  await transaction`
    update ocpi_pushes set claimed_until = null, set_aside_at = coalesce(set_aside_at, now()),
      last_error = ${error.slice(0, maxError)},
      due_at = case when due_at > claimed_until - ${claimMs} * interval '1 ms' then due_at else ${after(transaction, setAsideMs)} end
    where ${isMine(transaction, push)}`;
}

async function recordFailure(
  transaction: Transaction,
  { partnerId }: ClaimedPush,
  error: string,
): Promise<void> {
  await transaction`
    update ocpi_push_lanes set failed = failed + 1, last_failed_at = now(), last_error = ${error.slice(0, maxError)}
    where partner_id = ${partnerId}`;
}

/** A partner that answers is there. Answers whether it is back: what it failed to take is to be due at once then. */
async function closeBreaker(
  transaction: Transaction,
  { partnerId }: ClaimedPush,
  policy: PushPolicy,
): Promise<boolean> {
  const [before] = await transaction<{ failures: number }[]>`
    select failures from ocpi_push_lanes where partner_id = ${partnerId} for update`;
  if (before === undefined || before.failures === 0) return false;
  await transaction`
    update ocpi_push_lanes set failures = 0, opened = 0, open_until = null, unreachable_since = null
    where partner_id = ${partnerId}`;
  return isTripped(before, policy);
}
