import { type Authorization, type SessionStart, startMissing } from '#shared/domain/charging/session.ts';
import { recordReservationUse } from '#shared/postgres/charging/reservation-records.ts';
import { bindAuthorization } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import { bindRemoteStart } from '#shared/postgres/charging/remote-starts.ts';
import { assignToken } from '#shared/postgres/charging/session-writes/token.ts';
import { insertSession, type NewSession } from '#shared/postgres/charging/session-writes/start.ts';
import { type AuthorizedToken, authorizeStart } from './authorize.ts';
import type { Context } from './context.ts';
import { amendReportedStart } from './amend-start.ts';
import { rememberSession } from './running-sessions.ts';

/** How the start of a session is answered. */
export interface StartAnswer {
  transactionId: string;
  authorization: Authorization;
}

/** A session that was started without a token waits for one: nobody is refused. */
const noToken: AuthorizedToken = {
  status: 'Accepted',
  expiresAt: null,
  idTokenId: null,
  userId: null,
  roaming: null,
};

/**
 * Stores the start of a session, and answers a repeated one as the first (rule 2 of the architecture). An
 * unknown token is stored too: the charger has begun, and says so once. A session that an earlier message made
 * without its start is amended. Two reports with one `startKey` are the same start.
 */
export async function handleSessionStart(
  context: Context<'sql' | 'roaming'>,
  start: SessionStart,
  startKey: string,
): Promise<StartAnswer> {
  const { idToken, position } = start;
  const token = idToken === null ? noToken : await authorizeStart(context, idToken, position.evse);
  const reported: NewSession = {
    chargerId: context.charger.id,
    networkId: context.charger.networkId,
    start,
    startKey,
    idTokenId: token.idTokenId,
    userId: token.userId,
    authorizationStatus: token.status,
    roaming: token.roaming,
  };
  const session = await insertSession(context.stores.sql, reported);
  const begun = {
    uuid: session.uuid,
    idToken: start.idToken,
    evse: start.position.evse,
    remoteStartId: start.remoteStartId,
  };
  if (session.isRequested || start.remoteStartId !== null) {
    await bindRemoteStart(context.stores.sql, context.charger.id, begun);
  }
  await noteReservation(context, session.uuid, start);
  rememberSession(context, session, start);
  if (session.flags.includes(startMissing) && !start.flags.includes(startMissing)) {
    await amendReportedStart(context, session, reported);
  } else if (start.idToken !== null && session.idToken === null) {
    await assignToken(context.stores.sql, session.uuid, {
      idToken: start.idToken,
      idTokenId: token.idTokenId,
      userId: token.userId,
      authorizationStatus: token.status,
      roaming: token.roaming,
    });
  }
  await noteAuthorization(context, session.uuid, token);
  const status = session.idToken === start.idToken ? session.authorizationStatus : token.status;
  // A token that charges no more is not to be remembered because its start is answered again (1.6 §7.27, 2.0.1 §2.28).
  const isOutdated = status === 'Accepted' && token.status !== 'Accepted';
  return {
    transactionId: session.transactionId,
    authorization: {
      status,
      expiresAt: isOutdated ? context.receivedAt : token.expiresAt,
      groupId: token.groupId ?? null,
    },
  };
}

/** The word of a partner that a session was started by is used. */
export async function noteAuthorization(
  { stores }: Context<'sql'>,
  sessionUuid: string,
  { roaming }: AuthorizedToken,
): Promise<void> {
  const id = roaming?.authorizationId ?? null;
  if (id !== null) await bindAuthorization(stores.sql, id, sessionUuid);
}

/** OCPP's integers have 32 bits (2.0.1 part 2, primitive datatypes). */
const highestReservationId = 2 ** 31 - 1;

/** A session that names a reservation has used it. Some chargers say 0, -1 or 4294967295 where they mean none. */
export async function noteReservation(
  { stores, charger }: Context<'sql'>,
  sessionUuid: string,
  { reservationId }: Pick<SessionStart, 'reservationId'>,
): Promise<void> {
  if (reservationId === undefined || reservationId < 1 || reservationId > highestReservationId) return;
  await recordReservationUse(stores.sql, charger.id, reservationId, sessionUuid);
}
