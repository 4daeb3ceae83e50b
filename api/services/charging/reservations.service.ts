import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { IdTokenType } from '#shared/domain/charging/session.ts';
import {
  findReservation,
  findReservationOfCharger,
  listReservations,
  nextReservationId,
  type ReservationFilter,
  type ReservationRecord,
} from '#shared/postgres/charging/reservation-records.ts';
import { lockReservedSession } from '#shared/postgres/charging/ended-reservations.ts';
import {
  endReservedSession,
  lockMovedReservation,
  openReservedSession,
  type ReservationOwner,
} from '#shared/postgres/charging/session-writes/reservation.statements.ts';
import type { LatestIdToken } from '#shared/postgres/people/id-tokens.statements.ts';
import { findAuthorization } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import { settleReservation } from '#shared/pricing/settle-reservation.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { positionIfAny } from '#api/services/commands/connector-position.ts';
import { type Commander, send, type SentCommand } from '#api/services/commands/send.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { type ChargerRecord, requireCharger } from '#api/services/fleet/chargers.service.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { findChargingToken } from './remote-start-tokens.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';

export type { ReservationRecord } from '#shared/postgres/charging/reservation-records.ts';

/** Reservation request: position and token. */
interface WantedReservation {
  /** Null: any connector. */
  connectorNumber: number | null;
  idTag: string;
  /** Null: the token's own group, where it has one. */
  groupId: string | null;
  expiresAt: Date;
  /** A roaming partner vouches for the token, of this type: it is not looked at here (OCPI 2.2.1 §13.3.4). */
  vouchedType?: IdTokenType;
  /** OCPP's number: of the charger's reservation that this one changes, or one that was taken for it. Undefined: the next one. */
  reservationId?: number;
}

/** The same at the charger with this uuid. */
type NewReservation = WantedReservation & { chargerUuid: string };

/** A reservation further ahead is a mistake: chargers keep them in memory. */
const longestMs = 31 * 24 * 60 * 60 * 1000;

/**
 * The reservations of the caller's networks, newest first, from a cursor on.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function sliceReservations(
  deps: ServiceDeps,
  caller: Caller,
  { networkUuid, ...filter }: ReservationFilter & { networkUuid: string | undefined },
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: ReservationRecord[]; nextCursor: string | null }> {
  const before = decodeIdCursor(cursor, 'bigint');
  const networks = await networksOfCall(deps, caller, networkUuid);
  return cutById(await listReservations(deps.sql, networks, filter, before, limit + 1), limit);
}

/** @throws {DomainError} RESERVATION_NOT_FOUND. */
export async function readReservation(
  { sql }: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<ReservationRecord> {
  const reservation = await findReservation(sql, caller.networks, uuid);
  if (reservation !== null) return reservation;
  throw new DomainError('RESERVATION_NOT_FOUND', `There is no reservation ${uuid}.`);
}

/**
 * Asks a charger to keep a connector free for a token; the reservation is there once it accepted. Where it costs something, the
 * session of its driver begins with it.
 * @throws {DomainError} CHARGER_NOT_FOUND, CONNECTOR_NOT_FOUND, ID_TOKEN_NOT_ACCEPTED, VALIDATION_FAILED,
 * RESERVATION_REFUSED with the charger's word, and as `send` does.
 */
export async function reserve(
  deps: ServiceDeps,
  by: Actor,
  { chargerUuid, ...wanted }: NewReservation,
): Promise<ReservationRecord> {
  return reserveAt(deps, by, await requireCharger(deps, by.caller, chargerUuid), wanted);
}

/**
 * The same at a charger that was found.
 * @throws {DomainError} as `reserve` does.
 */
export async function reserveAt(
  deps: ServiceDeps,
  by: Commander,
  charger: ChargerRecord,
  { connectorNumber, idTag, groupId, expiresAt, vouchedType, ...wanted }: WantedReservation,
): Promise<ReservationRecord> {
  requireSoon(expiresAt);
  const position = await positionIfAny(deps, charger, connectorNumber);
  const token = vouchedType === undefined ? await findChargingToken(deps, charger.networkId, idTag) : null;
  const reservationId = wanted.reservationId ?? (await nextReservationId(deps.sql));
  const { accepted, status } = await send(deps, by, charger, {
    type: 'reserve-now',
    reservationId,
    position,
    token: { idToken: idTag, type: vouchedType ?? token?.type ?? 'OTHER' },
    groupId: groupId ?? token?.groupId ?? null,
    expiresAt,
  });
  if (!accepted) {
    throw new DomainError('RESERVATION_REFUSED', `The charger answered ${status ?? 'no'}.`, { status });
  }
  const owner = token === null ? await findPartner(deps, charger, idTag, vouchedType) : ownerOf(token);
  if (owner !== null) await openSession(deps, { chargerId: charger.id, reservationId }, owner);
  const reservation = await findReservationOfCharger(deps.sql, charger.id, reservationId);
  if (reservation === null) throw new Error('the shard did not store the reservation that it reported');
  return reservation;
}

/**
 * Asks the charger to give a reservation up.
 * @throws {DomainError} RESERVATION_NOT_FOUND, RESERVATION_ENDED, CHARGER_NOT_FOUND when the charger was removed, and as
 * `send` does.
 */
export async function cancel(
  deps: ServiceDeps,
  by: Actor,
  uuid: string,
): Promise<{ reservation: ReservationRecord; sent: SentCommand }> {
  const reservation = await readReservation(deps, by.caller, uuid);
  const charger = await requireCharger(deps, by.caller, reservation.chargerUuid);
  const sent = await cancelAt(deps, by, charger, reservation);
  return { reservation: await readReservation(deps, by.caller, uuid), sent };
}

/**
 * The same at its charger.
 * @throws {DomainError} RESERVATION_ENDED, and as `send` does.
 */
export async function cancelAt(
  deps: ServiceDeps,
  by: Commander,
  charger: ChargerRecord,
  { status, reservationId }: Pick<ReservationRecord, 'status' | 'reservationId'>,
): Promise<SentCommand> {
  if (status !== 'Active') {
    throw new DomainError('RESERVATION_ENDED', `The reservation is over: ${status}.`, { status });
  }
  return send(deps, by, charger, { type: 'cancel-reservation', reservationId });
}

/** Opens the session of a reservation. The session that it had before a change of its EVSE, token or owner ends as cancelled. */
async function openSession(
  { sql }: Pick<ServiceDeps, 'sql'>,
  reservation: { chargerId: number; reservationId: number },
  owner: ReservationOwner,
): Promise<void> {
  await sql.begin(async (transaction) => {
    const moved = await lockMovedReservation(transaction, reservation, owner);
    const session = moved === null ? null : await lockReservedSession(transaction, moved);
    if (moved !== null && session !== null) {
      const final = settleReservation(session, 'CANCELLED', moved.at);
      await endReservedSession(transaction, session, moved, final);
    }
    await openReservedSession(transaction, reservation, owner);
  });
}

function ownerOf({ id, userId }: LatestIdToken): ReservationOwner {
  return { idTokenId: id, userId, roaming: null };
}

/** Returns the partner that requested a reservation. Null for other reservations: no partner agreed to pay for them. */
async function findPartner(
  { sql }: ServiceDeps,
  { id }: ChargerRecord,
  idTag: string,
  vouchedType: IdTokenType | undefined,
): Promise<ReservationOwner | null> {
  const roaming = vouchedType === undefined ? null : await findAuthorization(sql, id, idTag, true);
  return roaming === null ? null : { idTokenId: null, userId: null, roaming };
}

function requireSoon(expiresAt: Date): void {
  const ahead = expiresAt.getTime() - Date.now();
  if (ahead > 0 && ahead <= longestMs) return;
  const message = 'must be in the future, at most 31 days ahead';
  throw new DomainError('VALIDATION_FAILED', `Invalid body: expiresAt ${message}.`, {
    errors: [{ field: 'expiresAt', message }],
  });
}
