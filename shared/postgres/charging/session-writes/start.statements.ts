import {
  type AuthorizationStatus,
  beginsAnother,
  type SessionStart,
  type SessionStatus,
} from '#shared/domain/charging/session.ts';
import type { NamedReservation } from '#shared/domain/charging/reservation.ts';
import { isRequested } from '#shared/postgres/charging/remote-starts.statements.ts';
import { ratedPower } from '#shared/postgres/charging/meter-frames.ts';
import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';
import { begunSession } from './reservation.statements.ts';
import { type SessionOwner, tokenJson } from './token.statements.ts';

/** Reported start of a session, with the owner of its token. */
export interface NewSession extends SessionOwner {
  chargerId: number;
  networkId: number;
  start: SessionStart;
  /** Identity of the start: two reports with the same key are the same start. */
  startKey: string;
}

/** Session that a start created or repeats. */
export interface StartedSession {
  uuid: string;
  transactionId: string;
  /** A start that is repeated after its stop finds the session ended. */
  status: SessionStatus;
  authorizationStatus: AuthorizationStatus;
  idToken: string | null;
  startedAt: Date;
  /** Null while the session runs. */
  endedAt: Date | null;
  meterStartWh: number | null;
  /** Of the connector; null: not known. */
  ratedPowerW: number | null;
  flags: string[];
  /** A remote start may have requested this session. */
  isRequested: boolean;
}

const startedColumns = (sql: Queryable) => sql`
  uuid, ocpp_transaction_id as "transactionId", status, authorization_status as "authorizationStatus",
  id_token as "idToken", started_at as "startedAt", ended_at as "endedAt", meter_start_wh as "meterStartWh", flags,
  ${ratedPower(sql, sql`sessions.connector_id`)} as "ratedPowerW", ${isRequested(sql, sql`sessions`)} as "isRequested"`;

/**
 * Common table expressions with the connector of a start and the tariff that applied there at its time, both as the charger
 * reports them, however late (field note 8). An unknown connector is created.
 */
export const placeAndTariff = (sql: Queryable, { chargerId, start }: NewSession) => sql`
  place as materialized (
    select ensure_connector(${chargerId}, ${start.position.evse}, ${start.position.connector}) as connector_id
  ), tariff as (
    select e.tariff_id as id, e.document as snapshot
    from place cross join lateral effective_tariff(${chargerId}, place.connector_id, ${start.startedAt}) e
  )`;

/**
 * Stores the start of a session and returns the session. A start that names a reservation that costs something begins the session
 * of the reservation. A start that is stored already (the same `startKey`, or the same
 * transaction of this charger) returns the session that it created then, unless it shows that another session began.
 */
export async function insertSession(
  sql: Sql,
  session: NewSession,
  reservation: NamedReservation | null = null,
): Promise<StartedSession> {
  const stored = await insertOrFind(sql, session, reservation);
  if (!beginsAnother(session.start, stored)) return stored;
  return sql.begin(async (transaction) => {
    await freeStartKey(transaction, stored, session);
    return insertOrFind(transaction, session, reservation);
  });
}

async function insertOrFind(
  sql: Queryable,
  session: NewSession,
  reservation: NamedReservation | null,
): Promise<StartedSession> {
  const { start } = session;
  const insert = sql`
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
    where n.id = ${session.networkId} ${reservation === null ? sql`` : sql`and not exists (select from begun)`}
    on conflict do nothing
    returning ${startedColumns(sql)}`;
  const [inserted] =
    reservation === null
      ? await sql<StartedSession[]>`with ${placeAndTariff(sql, session)} ${insert}`
      : await sql<StartedSession[]>`
          with ${placeAndTariff(sql, session)},
            ${begunSession(sql, session, reservation, startedColumns(sql))},
            inserted as (${insert})
          select * from begun union all select * from inserted`;
  return inserted ?? existingSession(sql, session);
}

/** Releases the start key and the transaction id of an earlier session for the next one. Of several concurrent calls one does. */
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
