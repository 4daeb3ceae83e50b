import type { PartnerStatement } from '#shared/domain/charging/partner-statement.ts';
import type { StationCost } from '#shared/domain/charging/station-transaction.ts';
import { type SessionStatus, startMissing } from '#shared/domain/charging/session.ts';
import type { Price } from '#shared/pricing/price-state.ts';
import type { SessionToSettle } from '#shared/pricing/settle-session.ts';
import { keyIsRegistered } from '#shared/postgres/fleet/meter-keys.statements.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { stationCost } from './station-transactions.statements.ts';
import { frameColumns, storedMeter } from './meter-frames.ts';

/** Session that is locked to be ended or corrected. */
export interface LockedSession extends SessionToSettle, Price {
  id: bigint;
  uuid: string;
  transactionId: string;
  status: SessionStatus;
  idToken: string | null;
  startReceivedAt: Date;
  /** Null while the session runs. */
  endedAt: Date | null;
  meterStartWh: number | null;
  meterStopWh: number | null;
  flags: string[];
  /** Null: the roaming partner stated no other values. */
  partnerStatement: PartnerStatement | null;
  /** Null: the station calculated no cost. */
  stationCost: StationCost | null;
}

/** Selects the columns of sessions `s` that settling needs, and `more`. The caller adds the condition and the lock. */
export const selectLocked = (sql: Queryable, more = sql``) => sql`
  select s.id, s.uuid, s.ocpp_transaction_id as "transactionId", s.status, s.id_token as "idToken",
    s.started_at as "startedAt", s.start_received_at as "startReceivedAt", s.meter_start_wh as "meterStartWh",
    s.energy_wh as "energyWh", ${storedMeter(sql)} as meter, s.peak_power_w as "peakPowerW", s.tariff,
    s.ended_at as "endedAt", s.meter_stop_wh as "meterStopWh", s.idle_periods as "idlePeriods",
    s.idle_started_at as "idleStartedAt", s.idle_cause as "idleCause", s.price_state as "priceState",
    s.price_readings as "priceReadings", s.price_decision as "priceDecision", s.flags,
    s.partner_statement as "partnerStatement", ${stationCost(sql)} as "stationCost",
    s.reserved_at as "reservedAt", s.reservation_end as "reservationEnd",
    s.authorization_status <> 'Accepted' as "isRefused",
    ${keyIsRegistered(sql, sql`s.charger_id`, sql`s.connector_id`)} as "hasMeterKey", s.signature_state as "signatureState", s.signed_energy_wh as "signedEnergyWh",
    s.flags && ${[startMissing]}::text[] as "isStartMissing", ${frameColumns(sql)} ${more}
  from sessions s`;

/** Returns the session of a transaction, locked until the end of this database transaction, or null. */
export async function lockSession(
  transaction: Transaction,
  chargerId: number,
  transactionId: string,
): Promise<LockedSession | null> {
  const [row] = await transaction<LockedSession[]>`
    ${selectLocked(transaction)}
    where s.charger_id = ${chargerId} and s.ocpp_transaction_id = ${transactionId} for update`;
  return row ?? null;
}

/** Reads the sessions in review with what their plausible maximum follows from, without a lock. */
export async function readSessionsInReview(
  sql: Queryable,
  sessionIds: readonly bigint[],
): Promise<LockedSession[]> {
  if (sessionIds.length === 0) return [];
  return sql<LockedSession[]>`
    ${selectLocked(sql)} where s.id = any(${sessionIds.map(String)}::bigint[]) and s.price_state = 'REVIEW'`;
}
