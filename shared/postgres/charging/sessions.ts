import {
  type AuthorizationStatus,
  beginsAnother,
  type SessionStatus,
  type SessionStart,
  type SessionStop,
} from '#shared/domain/charging/session.ts';
import type { Roaming } from '#shared/domain/roaming/roaming.ts';
import type { Cost } from '#shared/pricing/cost.ts';
import { nextPriceState, type PriceEvent, type PriceState } from '#shared/pricing/price-state.ts';
import type { SessionResult, SettledSession } from '#shared/pricing/settle-session.ts';
import type { Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { markLeftCdr } from './cdr-marks.ts';
import { storeCost } from '#shared/postgres/money/cost.ts';
import { leaveRemoteStart } from './taken-back-starts.ts';
import { settleWallet } from '#shared/postgres/money/wallet-holds.ts';

/** The start of a session, with what was found out about its token. */
export interface NewSession {
  chargerId: number;
  networkId: number;
  start: SessionStart;
  /** What makes two reports the same start. */
  startKey: string;
  idTokenId: number | null;
  userId: number | null;
  authorizationStatus: AuthorizationStatus;
  /** Null: it is no roaming partner's. */
  roaming: Roaming | null;
}

export interface StartedSession {
  uuid: string;
  transactionId: string;
  /** A start that is repeated after its stop finds the session ended. */
  status: SessionStatus;
  authorizationStatus: AuthorizationStatus;
  idToken: string | null;
  startedAt: Date;
  /** Null while it runs. */
  endedAt: Date | null;
  meterStartWh: number | null;
  flags: string[];
  /** Somebody asked the charger for a session by then, with limits or not: this may be it. */
  isAskedFor: boolean;
}

const startedColumns = (sql: Queryable) => sql`
  uuid, ocpp_transaction_id as "transactionId", status, authorization_status as "authorizationStatus",
  id_token as "idToken", started_at as "startedAt", ended_at as "endedAt", meter_start_wh as "meterStartWh", flags,
  exists (
    select 1 from remote_starts r where r.charger_id = sessions.charger_id and r.status in ('pending', 'expired')
      and r.requested_at between sessions.created_at - interval '1 hour' and sessions.created_at
  ) or exists (
    select 1 from pending_session_limits p where p.charger_id = sessions.charger_id and p.expires_at > now()
  ) as "isAskedFor"`;

/**
 * The place of a start and the tariff that applied there and then, as the charger tells both, however late (field note 8).
 * The connector is made when it was never seen.
 */
const placeAndTariff = (sql: Queryable, { chargerId, start }: NewSession) => sql`
  place as materialized (
    select ensure_connector(${chargerId}, ${start.position.evse}, ${start.position.connector}) as connector_id
  ), tariff as (
    select e.tariff_id as id, e.document as snapshot
    from place cross join lateral effective_tariff(${chargerId}, place.connector_id, ${start.startedAt}) e
  )`;

/**
 * Stores the start of a session and answers with it; a start that is there already (the same `startKey` or
 * the same transaction of this charger) is answered with the session that it made the first time, unless it tells
 * that another one began.
 */
export async function insertSession(sql: Sql, session: NewSession): Promise<StartedSession> {
  const stored = await insertOrFind(sql, session);
  if (!beginsAnother(session.start, stored)) return stored;
  return sql.begin(async (transaction) => {
    await freeStartKey(transaction, stored, session);
    return insertOrFind(transaction, session);
  });
}

async function insertOrFind(sql: Queryable, session: NewSession): Promise<StartedSession> {
  const { start } = session;
  const [inserted] = await sql<StartedSession[]>`
    with ${placeAndTariff(sql, session)}
    insert into sessions (network_id, charger_id, connector_id, user_id, id_token_id, id_token,
      ocpp_transaction_id, start_key, status, authorization_status, remote_start_id, started_at,
      start_received_at, meter_start_wh, tariff_id, tariff, currency, flags, ocpi_partner_id, ocpi_token, auth_method,
      authorization_reference)
    select n.id, ${session.chargerId}, place.connector_id, ${session.userId}, ${session.idTokenId}, ${start.idToken},
      coalesce(${start.transactionId}, nextval('ocpp16_transaction_id')::text), ${session.startKey}, 'ACTIVE',
      ${session.authorizationStatus}, ${start.remoteStartId}, ${start.startedAt}, ${start.receivedAt},
      ${start.meterStartWh}, tariff.id, tariff.snapshot, coalesce(tariff.snapshot ->> 'currency', n.currency),
      ${start.flags}, ${session.roaming?.partnerId ?? null}, ${tokenJson(sql, session.roaming)},
      ${session.roaming?.authMethod ?? null}, ${session.roaming?.authorizationReference ?? null}
    from networks n cross join place left join tariff on true
    where n.id = ${session.networkId}
    on conflict do nothing
    returning ${startedColumns(sql)}`;
  return inserted ?? existingSession(sql, session);
}

/** Lets the next session have the key and the transaction of one before it; of several that ask at once, one does. */
async function freeStartKey(
  sql: Queryable,
  { uuid }: StartedSession,
  { start, startKey }: NewSession,
): Promise<void> {
  const former = ` of ${uuid}`;
  await sql`
    update sessions set start_key = start_key || ${former}, updated_at = now(),
      ocpp_transaction_id = ocpp_transaction_id || ${start.transactionId === null ? '' : former}
    where uuid = ${uuid} and start_key = ${startKey}`;
}

async function existingSession(sql: Queryable, session: NewSession): Promise<StartedSession> {
  const [row] = await sql<StartedSession[]>`
    select ${startedColumns(sql)}
    from sessions where charger_id = ${session.chargerId} and start_key = ${session.startKey}`;
  if (row === undefined) throw new Error('a session neither could be inserted nor was there');
  return row;
}

/** What is needed to end a session, or to put its start or its end right. */
export interface LockedSession extends SettledSession {
  id: bigint;
  uuid: string;
  transactionId: string;
  status: SessionStatus;
  idToken: string | null;
  startReceivedAt: Date;
  /** Null while it runs. */
  endedAt: Date | null;
  meterStopWh: number | null;
  priceState: PriceState;
  flags: string[];
}

const lockedColumns = (transaction: Transaction) => transaction`
  s.id, s.uuid, s.ocpp_transaction_id as "transactionId", s.status, s.id_token as "idToken",
  s.started_at as "startedAt", s.start_received_at as "startReceivedAt", s.meter_start_wh as "meterStartWh",
  s.energy_wh as "energyWh",
  s.register_count as "registerCount", s.peak_power_w as "peakPowerW", s.tariff, s.ended_at as "endedAt",
  s.meter_stop_wh as "meterStopWh", s.idle_periods as "idlePeriods", s.idle_started_at as "idleStartedAt",
  s.idle_cause as "idleCause", s.price_state as "priceState", s.flags,
  s.authorization_status <> 'Accepted' as "isRefused",
  (select coalesce(k.max_power_w, c.max_power_w, m.max_power_w)
    from connectors k join chargers c on c.id = k.charger_id left join charger_models m on m.id = c.model_id
    where k.id = s.connector_id) as "ratedPowerW"`;

/** Selects sessions `s` with what is needed to settle them; the caller says which, and locks them. */
export const selectLocked = (transaction: Transaction) => transaction`
  select ${lockedColumns(transaction)} from sessions s`;

/** The session of a transaction, locked until the end of this database transaction; null when unknown. */
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

/** The end of a session. */
export type SessionEnding = Pick<SessionStop, 'endedAt' | 'meterStopWh'> & {
  /** Null: nobody said so, it is estimated. */
  receivedAt: Date | null;
  reason: string | null;
  /** Of the newest reading that was heard and is not written yet: the price of the session may wait for it. */
  liveAt?: Date | undefined;
};

/**
 * Ends a locked session with its final energy and price, or replaces its end, and returns the state of its price. `flags` are all
 * that it has. In the same transaction its wallet pays, or holds what is plausible while the price is in review.
 */
export async function completeSession(
  transaction: Transaction,
  { id: sessionId, priceState }: Pick<LockedSession, 'id' | 'priceState'>,
  stop: SessionEnding,
  final: SessionResult,
  event: PriceEvent = 'ended',
): Promise<PriceState> {
  const state = nextPriceState(priceState, event, final);
  await transaction`
    update sessions set status = 'COMPLETED', ended_at = ${stop.endedAt}, stop_received_at = ${stop.receivedAt},
      meter_stop_wh = ${stop.meterStopWh}, energy_wh = ${final.energyWh}, power_w = 0,
      live_at = greatest(live_at, ${stop.liveAt ?? null}), stop_reason = ${stop.reason},
      cost_minor = ${final.cost?.totalInclVatMinor ?? null}, cost = ${costJson(transaction, final.cost)}, flags = ${final.flags},
      price_state = ${state}, plausible_cost_minor = ${final.plausibleCostMinor},
      updated_at = now()
    where id = ${sessionId}`;
  await settleWallet(transaction, sessionId);
  return state;
}

function tokenJson(sql: Queryable, roaming: Roaming | null) {
  return roaming === null ? null : sql.json(roaming.token);
}

/** A token with what was found out about it. */
type SessionToken = Pick<NewSession, 'idTokenId' | 'userId' | 'authorizationStatus' | 'roaming'> & {
  idToken: string;
};

/** The assignments that make a session that of a token's driver or partner, or of nobody. */
const ofToken = (sql: Queryable, token: SessionToken) => sql`
  id_token = ${token.idToken}, id_token_id = ${token.idTokenId}, user_id = ${token.userId},
  authorization_status = ${token.authorizationStatus}, ${ofPartner(sql, token.roaming)}`;

const ofPartner = (sql: Queryable, roaming: Roaming | null) => sql`
  ocpi_partner_id = ${roaming?.partnerId ?? null}, ocpi_token = ${tokenJson(sql, roaming)},
  auth_method = ${roaming?.authMethod ?? null}, authorization_reference = ${roaming?.authorizationReference ?? null},`;

/** The assignments by the token that a start shows; none: it shows none. */
function ofTokenAtStart(sql: Queryable, found: LockedSession, { start, ...session }: NewSession) {
  if (start.idToken === null) return sql``;
  const token = { ...session, idToken: start.idToken };
  if (showsAnother(start, found)) return ofToken(sql, token);
  // What was known of it stays where it is known no more, or its partner is silent now.
  return sql`
    user_id = coalesce(${token.userId}, s.user_id), id_token_id = coalesce(${token.idTokenId}, s.id_token_id),
    authorization_status = ${token.authorizationStatus}, ${token.roaming === null ? sql`` : ofPartner(sql, token.roaming)}`;
}

/** Whether a start shows another token than the session was known by. OCPP: identifiers are CiString. */
function showsAnother({ idToken }: SessionStart, found: LockedSession): boolean {
  return idToken !== null && idToken.toLowerCase() !== found.idToken?.toLowerCase();
}

function costJson(transaction: Transaction, cost: Cost | null) {
  return cost === null ? null : transaction.json(storeCost(cost));
}

/**
 * Puts connector, tariff and token of a locked session right whose start arrives after later messages of it. The token
 * that it shows says whose the session is: who stopped it may be another one. Where it shows none the token stays.
 * Answers with what the session is settled by.
 */
export async function amendPlace(
  transaction: Transaction,
  found: LockedSession,
  session: NewSession,
): Promise<LockedSession> {
  const { start } = session;
  const [amended] = await transaction<LockedSession[]>`
    with ${placeAndTariff(transaction, session)}
    update sessions s set connector_id = place.connector_id, tariff_id = tariff.id, tariff = tariff.snapshot,
      currency = coalesce(tariff.snapshot ->> 'currency', n.currency), ${ofTokenAtStart(transaction, found, session)}
      remote_start_id = coalesce(${start.remoteStartId}, s.remote_start_id)
    from networks n cross join place left join tariff on true
    where s.id = ${found.id} and n.id = s.network_id
    returning ${lockedColumns(transaction)}`;
  if (amended === undefined) throw new Error('a locked session is gone');
  if (showsAnother(start, found)) {
    await leaveRemoteStart(transaction, found.id);
    await markLeftCdr(transaction, found.id);
  }
  return amended;
}

/** Corrects time and register of a session's start, and what follows from them. One that has ended is settled again. */
export async function amendStart(
  transaction: Transaction,
  { id: sessionId, priceState, endedAt }: Pick<LockedSession, 'id' | 'priceState' | 'endedAt'>,
  start: SessionStart,
  amended: SessionResult,
): Promise<void> {
  const state = endedAt === null ? priceState : nextPriceState(priceState, 'ended', amended);
  await transaction`
    update sessions set started_at = ${start.startedAt},
      meter_start_wh = coalesce(${start.meterStartWh}, meter_start_wh), energy_wh = ${amended.energyWh},
      cost_minor = ${amended.cost?.totalInclVatMinor ?? null}, cost = ${costJson(transaction, amended.cost)},
      flags = ${amended.flags}, price_state = ${state}, plausible_cost_minor = ${amended.plausibleCostMinor},
      updated_at = now()
    where id = ${sessionId}`;
  await settleWallet(transaction, sessionId);
}

/**
 * Gives a session the token that was shown after its start (2.0.1: plugged in first, authorized later). One that has
 * ended already, its events being out of order, is paid by the wallet of that token's driver; one that is on an invoice
 * is paid by who got that.
 */
export async function assignToken(sql: Sql, sessionUuid: string, token: SessionToken): Promise<void> {
  await sql.begin(async (transaction) => {
    const [session] = await transaction<{ id: bigint }[]>`
      update sessions set ${ofToken(transaction, token)} updated_at = now()
      where uuid = ${sessionUuid} and id_token is null and invoice_number is null
      returning id`;
    if (session !== undefined) await settleWallet(transaction, session.id);
  });
}
