import type { TopUpStatus } from '#shared/domain/money/wallet.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';

/** Payment of a driver into a wallet through a payment provider. */
export interface TopUpRecord {
  id: bigint;
  uuid: string;
  walletId: number;
  walletUuid: string;
  networkId: number;
  currency: string;
  amountMinor: bigint;
  status: TopUpStatus;
  /** Refunded part of the paid amount. */
  refundedMinor: bigint;
}

/** Public data of the event of a payment `t` into a wallet `w`. */
const eventData = (sql: Queryable) => sql`
  jsonb_build_object('walletId', w.uuid, 'status', t.status, 'amountMinor', t.amount_minor, 'refundedMinor', t.refunded_minor,
    'currency', w.currency)`;

/** Stores a payment before the provider receives it, unless the payment with this uuid is stored. */
export async function ensureTopUp(
  sql: Queryable,
  topUp: { uuid: string; walletId: number; amountMinor: bigint; provider: string },
): Promise<{ id: bigint; uuid: string }> {
  const { uuid } = topUp;
  await sql`
    with t as (
      insert into wallet_top_ups (uuid, wallet_id, amount_minor, provider)
      values (${uuid}, ${topUp.walletId}, ${topUp.amountMinor}, ${topUp.provider}) on conflict (uuid) do nothing returning *
    )
    insert into outbox (network_id, type, subject_id, subject_uuid, data)
    select w.network_id, 'payment.created', t.id, t.uuid, ${eventData(sql)} from t join wallets w on w.id = t.wallet_id`;
  const [row] = await sql<{ id: bigint; uuid: string }[]>`
    select id, uuid from wallet_top_ups where uuid = ${uuid} and wallet_id = ${topUp.walletId}`;
  if (row === undefined) throw new Error('a top-up that was stored is not there');
  return row;
}

/** Keeps what the provider names a payment by. */
export async function nameTopUp(sql: Queryable, id: bigint, reference: string): Promise<void> {
  await sql`
    update wallet_top_ups set provider_reference = ${reference}, updated_at = now() where id = ${id}`;
}

/** Keeps that an event is dealt with in this transaction; false: it was before. The same one at once waits. */
export async function takeEvent(
  transaction: Transaction,
  provider: string,
  eventId: string,
): Promise<boolean> {
  const rows = await transaction`
    insert into payment_events (provider, event_id) values (${provider}, ${eventId})
    on conflict do nothing returning event_id`;
  return rows.length > 0;
}

/**
 * Locks and returns the top-up of a payment: by its reference, or by the uuid that it carries where the
 * provider's answer never arrived. Null: not ours.
 */
export async function lockTopUp(
  transaction: Transaction,
  provider: string,
  { reference, topUpUuid }: { reference: string; topUpUuid: string | null },
): Promise<TopUpRecord | null> {
  const [row] = await transaction<TopUpRecord[]>`
    select t.id, t.uuid, t.wallet_id as "walletId", w.uuid as "walletUuid",
      w.network_id as "networkId", w.currency, t.amount_minor as "amountMinor", t.status,
      t.refunded_minor as "refundedMinor"
    from wallet_top_ups t join wallets w on w.id = t.wallet_id
    where t.provider = ${provider} and (t.provider_reference = ${reference}
      or (t.provider_reference is null and t.uuid = ${topUpUuid}))
    for update of t`;
  return row ?? null;
}

/** Stores what was reported of a locked top-up in another currency than its own, for the alert. */
export async function recordMismatch(
  transaction: Transaction,
  { id }: Pick<TopUpRecord, 'id'>,
  { amountMinor, currency }: { amountMinor: bigint; currency: string },
): Promise<void> {
  await transaction`
    update wallet_top_ups set mismatched_at = now(), mismatched_minor = ${amountMinor}, mismatched_currency = ${currency}
    where id = ${id}`;
}

/** Keeps what became of a locked top-up. */
export async function updateTopUp(
  transaction: Transaction,
  { id, amountMinor, status, refundedMinor }: TopUpRecord,
  reference: string,
): Promise<void> {
  await transaction`
    with before as materialized (
      select id, status, refunded_minor from wallet_top_ups where id = ${id}
    ), t as (
    update wallet_top_ups set status = ${status}, amount_minor = ${amountMinor}, refunded_minor = ${refundedMinor},
      provider_reference = ${reference}, updated_at = now()
    where id = ${id} returning *
    )
    insert into outbox (network_id, type, subject_id, subject_uuid, data)
    select w.network_id, happened.type, t.id, t.uuid, ${eventData(transaction)}
    from t join before b on b.id = t.id join wallets w on w.id = t.wallet_id
    cross join lateral (values
      (1, 'payment.succeeded', t.status = 'PAID' and b.status <> 'PAID'),
      (2, 'payment.failed', t.status = 'CANCELLED' and b.status <> 'CANCELLED'),
      (3, 'payment.refunded', t.refunded_minor > b.refunded_minor)) happened (number, type, is_so)
    where happened.is_so order by happened.number`;
}
