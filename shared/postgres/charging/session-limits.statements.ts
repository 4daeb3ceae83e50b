import type { ReservedTime } from '#shared/domain/charging/reservation.ts';
import type { LimitName, SessionLimits } from '#shared/domain/charging/session.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { SessionToSettle } from '#shared/pricing/settle-session.ts';
import type { Fragment, Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { walletCounts } from '#shared/postgres/money/ledger.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** Session whose limits are changed. */
interface LimitableSession extends SessionLimits {
  id: bigint;
  uuid: string;
  networkId: number;
  currency: string;
  endedAt: Date | null;
}

/** Locks one session in scope until the end of the transaction. Returns it, or null. */
export async function lockLimits(
  transaction: Transaction,
  scope: NetworkScope,
  uuid: string,
): Promise<LimitableSession | null> {
  const [row] = await transaction<LimitableSession[]>`
    select id, uuid, network_id as "networkId", currency, ended_at as "endedAt", max_cost_minor as "maxCostMinor",
      max_duration_s as "maxDurationSeconds", max_energy_wh as "maxEnergyWh"
    from sessions where uuid = ${uuid} and ${inScope(transaction, 'network_id', scope)} for update`;
  return row ?? null;
}

/** Returns the currency of a session that begins now at a charger. */
export async function sessionCurrency(
  sql: Queryable,
  chargerId: number,
  evse: number | null,
): Promise<string> {
  const [row] = await sql<{ currency: string }[]>`
    select coalesce(e.document ->> 'currency', n.currency) as currency
    from chargers c join networks n on n.id = c.network_id
    left join connectors k on k.charger_id = c.id and k.evse_number = ${evse} and k.deleted_at is null
    left join lateral effective_tariff(c.id, k.id, now()) e on true
    where c.id = ${chargerId} limit 1`;
  if (row === undefined) throw new Error(`there is no charger ${chargerId}`);
  return row.currency;
}

/** Condition that any session runs. */
export const doSessionsRun = (sql: Sql): Fragment =>
  sql`exists (select from sessions where status in ('ACTIVE', 'STOPPING'))`;

/** Running session that passed a limit, or may have passed its cost limit. */
export interface LimitedSession
  extends
    Pick<
      SessionToSettle,
      'startedAt' | 'energyWh' | 'tariff' | 'idlePeriods' | 'idleStartedAt' | 'idleCause'
    >,
    ReservedTime {
  id: bigint;
  uuid: string;
  networkId: number;
  chargerId: number;
  chargerUid: string;
  chargerUuid: string;
  transactionId: string;
  maxCostMinor: bigint | null;
  maxDurationSeconds: number | null;
  /** Limit that it passed without regard to cost. Null: none. */
  passed: LimitName | null;
  /** Power at its newest reading, in watts. */
  powerW: number | null;
  liveAt: Date | null;
  /** Wallet that pays for it. Null: none. */
  walletId: number | null;
  /** Money that the wallet holds for this session, in minor units. */
  heldMinor: bigint;
  availableMinor: bigint;
  /** Transaction that wrote it: any change has another one. */
  seenVersion: string;
  /** Time since its last change. */
  quietSeconds: number;
}

/**
 * Returns the sessions that may have to be stopped now, and all that wallets pay for, where a check is due: the session or the balance
 * of its wallet changed since the last check, or its time has come. All sessions of one wallet are due together. Leaves out those
 * that a charger was requested to stop lately, unless their cost counts towards a wallet's balance.
 */
export async function listLimitedSessions(sql: Sql): Promise<LimitedSession[]> {
  return sql<LimitedSession[]>`
    with limited as materialized (
      select s.id, w.id as wallet_id, coalesce(w.available_minor, 0) as available_minor,
        coalesce(h.amount_minor, 0) as held_minor,
        (k.session_id is null or k.next_at <= now() or k.seen_version <> s.xmin
          or k.wallet_id is distinct from w.id or k.available_minor <> coalesce(w.available_minor, 0)
          or k.held_minor <> coalesce(h.amount_minor, 0)) as is_due
      from sessions s
      left join limit_checks k on k.session_id = s.id
      left join wallet_holds h on h.session_id = s.id and h.status = 'held'
      left join wallets own on own.user_id = s.user_id and own.network_id = s.network_id and own.currency = s.currency
        and ${walletCounts(sql)}
      left join wallets w on w.id = coalesce(h.wallet_id, own.id)
      where s.status in ('ACTIVE', 'STOPPING') and (w.id is not null
        or ((s.max_cost_minor is not null or s.max_duration_s is not null or s.max_energy_wh is not null)
          and (s.stop_next_at is null or s.stop_next_at <= now())))
    ), due as (
      select l.* from limited l
      where l.is_due or l.wallet_id in (select d.wallet_id from limited d where d.is_due)
    )
    select s.id, s.uuid, s.network_id as "networkId", c.id as "chargerId", c.uid as "chargerUid",
      c.uuid as "chargerUuid", s.ocpp_transaction_id as "transactionId", s.started_at as "startedAt",
      s.energy_wh as "energyWh", s.tariff, s.idle_periods as "idlePeriods",
      s.idle_started_at as "idleStartedAt", s.idle_cause as "idleCause", s.reserved_at as "reservedAt",
      s.reservation_end as "reservationEnd", s.max_cost_minor as "maxCostMinor",
      s.max_duration_s as "maxDurationSeconds", s.power_w as "powerW", s.live_at as "liveAt",
      d.wallet_id as "walletId", d.available_minor as "availableMinor", d.held_minor as "heldMinor",
      case when s.energy_wh >= s.max_energy_wh then 'MaxEnergy'
        when now() >= s.started_at + make_interval(secs => s.max_duration_s) then 'MaxDuration'
        else nullif(s.limit_passed, 'WalletBalance') end as passed,
      s.xmin::text as "seenVersion", extract(epoch from now() - s.updated_at)::double precision as "quietSeconds"
    from due d join sessions s on s.id = d.id join chargers c on c.id = s.charger_id`;
}

/** Check of a session that passed no limit. */
export interface LimitCheck extends Pick<
  LimitedSession,
  'id' | 'seenVersion' | 'walletId' | 'availableMinor' | 'heldMinor'
> {
  /** Seconds until the next check, if nothing changes before. */
  nextSeconds: number;
}

/** Stores checks. A session that changed after it was read is due again: it has another `seenVersion`. */
export async function storeLimitChecks(sql: Sql, checks: readonly LimitCheck[]): Promise<void> {
  if (checks.length === 0) return;
  await sql`
    insert into limit_checks (session_id, seen_version, wallet_id, available_minor, held_minor, next_at)
    select r.id, r.seen_version::xid, r.wallet_id, r.available_minor, r.held_minor, now() + make_interval(secs => r.next_seconds)
    from unnest(${checks.map(({ id }) => String(id))}::bigint[], ${checks.map(({ seenVersion }) => seenVersion)}::text[],
      ${checks.map(({ walletId }) => walletId)}::integer[],
      ${checks.map(({ availableMinor }) => String(availableMinor))}::bigint[],
      ${checks.map(({ heldMinor }) => String(heldMinor))}::bigint[],
      ${checks.map(({ nextSeconds }) => nextSeconds)}::double precision[])
      as r(id, seen_version, wallet_id, available_minor, held_minor, next_seconds)
    order by r.id
    on conflict (session_id) do update set seen_version = excluded.seen_version, wallet_id = excluded.wallet_id,
      available_minor = excluded.available_minor, held_minor = excluded.held_minor, next_at = excluded.next_at`;
}

/** Removes the checks of sessions that have ended: those that run are checked every minute. */
export async function removeOldChecks(sql: Sql): Promise<void> {
  await sql`delete from limit_checks where next_at < now() - interval '10 minutes'`;
}
