import { featuresOf, shortestIdTokenLimit } from '#shared/domain/fleet/ocpp-version.ts';
import { createHash } from 'node:crypto';
import type { RoamingDeps } from '#api/services/roaming/deps.ts';
import type { CallingPartner } from '#api/services/roaming/partners.service.ts';
import { partyOf } from '#api/services/roaming/own-parties.ts';
import { ocpiStatus, partyName } from '#shared/domain/roaming/ocpi.ts';
import { type CdrToken, typeWithoutEmaid } from '#shared/domain/roaming/roaming.ts';
import type { SentCommand } from '#api/services/roaming/wire/v221/command.ts';
import { nextReservationId } from '#shared/postgres/charging/reservation-records.ts';
import { findLatestIdToken } from '#shared/postgres/people/id-tokens.statements.ts';
import { findShownText, isTextTaken } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import { findUidOwner } from '#shared/postgres/roaming/ocpi-token-owners.ts';
import {
  findOcpiPlace,
  findPartnerReservation,
  findPartnerSession,
  type NamedPlace,
  type OcpiPlace,
  type PartnerReservation,
} from '#shared/postgres/roaming/ocpi-places.ts';
import { agreed, declined, isReachable, type Plan, unreachable } from './requests.service.ts';

/** As far ahead as reservations may end. */
const longestReservationMs = 31 * 24 * 60 * 60 * 1000;

/**
 * Plans a command: its immediate response, and its task. The token is not checked: the partner vouches for it
 * (§13.3.4, §13.3.5). Objects of other partners are answered as unknown.
 */
export async function planCommand(
  deps: RoamingDeps,
  partner: CallingPartner,
  sent: SentCommand,
): Promise<Plan> {
  if (sent.type === 'STOP_SESSION') return planStop(deps, partner, sent.sessionId);
  if (sent.type === 'CANCEL_RESERVATION') return planCancellation(deps, partner, sent.reservationRef);
  const place = await findOcpiPlace(deps.sql, partner.networkId, sent);
  if (place === null) {
    return declined('REJECTED', 'There is no such location, EVSE or connector.', ocpiStatus.unknownLocation);
  }
  if (sent.type === 'RESERVE_NOW') return planReservation(deps, partner, sent, place);
  if (!(await isReachable(deps, place))) return declined('REJECTED', unreachable);
  const { chargerId, chargerUuid, connectorNumber } = place;
  if (sent.type === 'START_SESSION') {
    const idTag = await idTagFor(deps, partner, sent.token, place);
    return agreed({ type: 'START_SESSION', chargerUuid, connectorNumber, idTag }, { chargerId });
  }
  // The request names a connector, so the place does too.
  return agreed(
    { type: 'UNLOCK_CONNECTOR', chargerUuid, connectorNumber: connectorNumber ?? 1 },
    { chargerId },
  );
}

async function planStop(deps: RoamingDeps, partner: CallingPartner, sessionId: string): Promise<Plan> {
  const session = await findPartnerSession(deps.sql, partner, sessionId);
  if (session === null) return declined('UNKNOWN_SESSION', 'There is no such session of yours.');
  if (session.isReserved)
    return declined('REJECTED', 'The session is a reservation: cancel the reservation.');
  if (!session.isRunning) return declined('REJECTED', 'The session has ended.');
  if (!(await isReachable(deps, session))) return declined('REJECTED', unreachable);
  const { chargerId, chargerUuid, uuid } = session;
  return agreed(
    { type: 'STOP_SESSION', chargerUuid, sessionUuid: uuid },
    { chargerId, sessionId: session.id },
  );
}

async function planCancellation(deps: RoamingDeps, partner: CallingPartner, ref: string): Promise<Plan> {
  const reservation = await findPartnerReservation(deps.sql, partner, ref);
  if (reservation === null) return declined('REJECTED', 'There is no such reservation of yours.');
  if (!(await isReachable(deps, reservation))) return declined('REJECTED', unreachable);
  const { chargerId, uuid } = reservation;
  return agreed({ type: 'CANCEL_RESERVATION', reservationUuid: uuid }, { chargerId });
}

async function planReservation(
  deps: RoamingDeps,
  partner: CallingPartner,
  sent: SentCommand & { type: 'RESERVE_NOW' },
  found: OcpiPlace,
): Promise<Plan> {
  const { expiresAt, reservationRef, token, groupId } = sent;
  const ahead = expiresAt.getTime() - Date.now();
  if (ahead <= 0) return declined('REJECTED', 'The reservation would end before it begins.');
  if (ahead > longestReservationMs) return declined('REJECTED', 'A reservation lasts 31 days at most.');
  const earlier = await findPartnerReservation(deps.sql, partner, reservationRef);
  const place = placeOfChange(earlier, sent, found);
  if (place === null) {
    return declined('REJECTED', 'This reservation is at another charge point: cancel it first.');
  }
  if (!(await isReachable(deps, place))) return declined('REJECTED', unreachable);
  const { chargerId, chargerUuid, connectorNumber } = place;
  return agreed(
    {
      type: 'RESERVE_NOW',
      chargerUuid,
      connectorNumber,
      idTag: await idTagFor(deps, partner, token, place),
      tokenType: typeWithoutEmaid(token.type),
      groupId,
      expiresAt: expiresAt.toISOString(),
      reservationRef,
      reservationId: earlier?.reservationId ?? (await nextReservationId(deps.sql)),
    },
    { chargerId },
  );
}

/** A reservation is changed where it is (§13.3.4); null: the partner names another place. */
function placeOfChange(
  earlier: PartnerReservation | null,
  { locationId, evseUid }: NamedPlace,
  found: OcpiPlace,
): OcpiPlace | null {
  if (earlier === null || earlier.chargerId === found.chargerId) return found;
  const isSamePlace = evseUid === null && earlier.locationId.toLowerCase() === locationId.toLowerCase();
  if (!isSamePlace) return null;
  const { chargerId, chargerUuid, chargerUid } = earlier;
  return { ...found, chargerId, chargerUuid, chargerUid };
}

/**
 * Returns the token text for the charger: its uid, or always the same other text for a uid that is too long
 * there, or that is also a token of ours, of another partner or of another party behind the same hub. At a charger
 * a card belongs to the owner of its uid. While a command for the token is unused there, the text stays.
 */
async function idTagFor(
  { sql }: Pick<RoamingDeps, 'sql'>,
  partner: CallingPartner,
  token: CdrToken,
  { chargerId, ocppVersion }: OcpiPlace,
): Promise<string> {
  const { id: partnerId, networkId } = partner;
  const { uid } = token;
  const isOurs = (await findLatestIdToken(sql, networkId, uid))?.isDeleted === false;
  const shown = isOurs ? null : await findShownText(sql, chargerId, partnerId, token);
  if (shown !== null) return shown;
  const isTooLong = uid.length > (featuresOf(ocppVersion)?.maxIdTokenLength ?? shortestIdTokenLimit);
  const isFree =
    !isTooLong &&
    !isOurs &&
    !(await isCardOfAnother(sql, partner, token)) &&
    !(await isTextTaken(sql, chargerId, partnerId, token, uid));
  if (isFree) return uid;
  const name = `${partnerId} ${partyName(partyOf(token))} ${uid.toLowerCase()}`;
  return createHash('sha256').update(name).digest('hex').slice(0, shortestIdTokenLimit).toUpperCase();
}

/** Returns whether a uid is owned by another partner, or by another party behind the same hub. */
async function isCardOfAnother(
  sql: RoamingDeps['sql'],
  { id, networkId, hubParties }: CallingPartner,
  token: CdrToken,
): Promise<boolean> {
  const owner = await findUidOwner(sql, networkId, token.uid);
  if (owner === null) return false;
  return owner.partnerId !== id || (hubParties !== null && partyName(owner) !== partyName(partyOf(token)));
}
