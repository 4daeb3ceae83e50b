import type { LimitName, SessionLimits } from '#shared/domain/charging/session.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { SessionToSettle } from '#shared/pricing/settle-session.ts';
import type { Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { walletCounts } from '#shared/postgres/money/ledger.ts';
import { inScope } from '#shared/postgres/kernel/scope.ts';

/** Session whose limits are changed. */
export interface LimitableSession extends SessionLimits {
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

/** Running session that passed a limit, or may have passed its cost limit. */
export interface LimitedSession
  extends Pick<
    SessionToSettle,
    'startedAt' | 'meterStartWh' | 'energyWh' | 'tariff' | 'idlePeriods' | 'idleStartedAt' | 'idleCause'
  > {
  id: bigint;
  uuid: string;
  networkId: number;
  chargerId: number;
  chargerUid: string;
  chargerUuid: string;
  transactionId: string;
  maxCostMinor: bigint | null;
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
}

/**
 * Returns the sessions that may have to be stopped now, and all that wallets pay for. Leaves out those that a
 * charger was requested to stop lately, unless their cost counts towards a wallet's balance.
 */
export async function listLimitedSessions(sql: Sql): Promise<LimitedSession[]> {
  return sql<LimitedSession[]>`
    select * from (
      select s.id, s.uuid, s.network_id as "networkId", c.id as "chargerId", c.uid as "chargerUid", c.uuid as "chargerUuid", s.ocpp_transaction_id as "transactionId",
        s.started_at as "startedAt", s.meter_start_wh as "meterStartWh", s.energy_wh as "energyWh", s.tariff, s.idle_periods as "idlePeriods",
        s.idle_started_at as "idleStartedAt", s.idle_cause as "idleCause", s.max_cost_minor as "maxCostMinor",
        s.power_w as "powerW", s.live_at as "liveAt", w.id as "walletId", coalesce(w.available_minor, 0) as "availableMinor",
        coalesce(h.amount_minor, 0) as "heldMinor",
        case when s.energy_wh >= s.max_energy_wh then 'MaxEnergy'
          when now() >= s.started_at + make_interval(secs => s.max_duration_s) then 'MaxDuration'
          else nullif(s.limit_passed, 'WalletBalance') end as passed
      from sessions s join chargers c on c.id = s.charger_id
      left join wallet_holds h on h.session_id = s.id and h.status = 'held'
      left join wallets own on own.user_id = s.user_id and own.network_id = s.network_id and own.currency = s.currency
        and ${walletCounts(sql)}
      left join wallets w on w.id = coalesce(h.wallet_id, own.id)
      where s.status in ('ACTIVE', 'STOPPING') and (w.id is not null
        or ((s.max_cost_minor is not null or s.max_duration_s is not null or s.max_energy_wh is not null)
          and (s.stop_next_at is null or s.stop_next_at <= now())))
    ) limited where passed is not null or "maxCostMinor" is not null or "walletId" is not null`;
}
