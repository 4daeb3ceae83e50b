import { type NamedReservation, namedReservation } from '#shared/domain/charging/reservation.ts';
import { type Authorization, type SessionStart, startMissing } from '#shared/domain/charging/session.ts';
import { reopenExpiredReservation } from '#shared/postgres/charging/ended-reservations.ts';
import { recordReservationUse } from '#shared/postgres/charging/reservation-records.ts';
import { bindAuthorization } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import { bindRemoteStart } from '#shared/postgres/charging/remote-starts.statements.ts';
import { assignToken } from '#shared/postgres/charging/session-writes/token.statements.ts';
import {
  insertSession,
  type NewSession,
  type StartedSession,
} from '#shared/postgres/charging/session-writes/start.statements.ts';
import { type AuthorizedToken, authorizeStart } from './authorize.ts';
import type { Context } from './context.ts';
import { amendReportedStart } from './amend-start.ts';
import { rememberSession } from './running-sessions.ts';

/** Answer to the start of a session. */
interface StartAnswer {
  transactionId: string;
  authorization: Authorization;
}

/** Authorization of a session that began without a token. Its token may arrive later. */
const noToken: AuthorizedToken = {
  status: 'Accepted',
  expiresAt: null,
  idTokenId: null,
  userId: null,
  roaming: null,
};

/**
 * Stores the start of a session, and answers a repeated start as the first (rule 2 of the architecture). A start with an unknown
 * token is stored too, because the charger has begun the session. A session that an earlier message created without its start
 * is amended. Two reports with one `startKey` are the same start.
 */
export async function handleSessionStart(
  context: Context<'sql' | 'roaming' | 'watches'>,
  start: SessionStart,
  startKey: string,
): Promise<StartAnswer> {
  const { idToken, position } = start;
  const token = idToken === null ? noToken : await authorizeStart(context, idToken, position.evse);
  return context.turns.run(() => storeStart(context, start, startKey, token));
}

async function storeStart(
  context: Context<'sql' | 'watches'>,
  start: SessionStart,
  startKey: string,
  token: AuthorizedToken,
): Promise<StartAnswer> {
  const { position } = start;
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
  const session = await insertSession(context.stores.sql, reported, namedReservation(start, token));
  const begun = {
    uuid: session.uuid,
    idToken: start.idToken,
    evse: start.position.evse,
    remoteStartId: start.remoteStartId,
  };
  if (session.isRequested || start.remoteStartId !== null) {
    await bindRemoteStart(context.stores.sql, context.charger.id, begun);
  }
  rememberSession(context, session, start);
  const isRunning = session.status === 'ACTIVE' || session.status === 'STOPPING';
  context.stores.watches.session(context.charger.id, { ...position, sessionId: session.uuid, isRunning });
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
  const begunAt = { uuid: session.uuid, startedAt: start.startedAt };
  await noteReservation(context, begunAt, namedReservation(start, { ...token, status }));
  // The charger must not cache an outdated token when a repeated start is answered (1.6 §7.27, 2.0.1 §2.28).
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

/** Binds a session to the authorization of the partner that started it. */
export async function noteAuthorization(
  { stores }: Context<'sql'>,
  sessionUuid: string,
  { roaming }: AuthorizedToken,
): Promise<void> {
  const id = roaming?.authorizationId ?? null;
  if (id !== null) await bindAuthorization(stores.sql, id, sessionUuid);
}

/** Age in ms of a start by which a reservation that the session used may be billed as expired already. */
const lateMs = 1000;

/** Marks the reservation that a session names as used. A late start may have used another one, which expired. */
export async function noteReservation(
  { stores, charger, clock }: Context<'sql'>,
  { uuid, startedAt }: Pick<StartedSession, 'uuid' | 'startedAt'>,
  named: NamedReservation | null,
): Promise<void> {
  if (named !== null) await recordReservationUse(stores.sql, charger.id, named, uuid);
  if (clock.now() - startedAt.getTime() > lateMs) await reopenExpiredReservation(stores.sql, uuid);
}
