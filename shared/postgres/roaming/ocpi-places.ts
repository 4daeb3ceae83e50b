import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { isConnected } from '#shared/postgres/fleet/connections.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { ofClient, type Requester } from './requester.ts';

/** The charger that a partner means, and where on it. */
export interface OcpiPlace {
  chargerId: number;
  chargerUuid: string;
  chargerUid: string;
  /** That it spoke last; null: none yet. */
  ocppVersion: OcppVersion | null;
  /** Null: anywhere. */
  connectorNumber: number | null;
}

/** A place in OCPI's names: an EVSE or a connector may be left open. */
export interface NamedPlace {
  locationId: string;
  evseUid: string | null;
  connectorId: string | null;
}

/**
 * The place of a network that partners see by these names, or null. Of only a location, it is the charger
 * where a session can best begin: connected, with a cable plugged in or free.
 */
export async function findOcpiPlace(
  sql: Queryable,
  networkId: number,
  { locationId, evseUid, connectorId }: NamedPlace,
): Promise<OcpiPlace | null> {
  const [row] = await sql<OcpiPlace[]>`
    select c.id as "chargerId", c.uuid as "chargerUuid", c.uid as "chargerUid", c.ocpp_version as "ocppVersion",
      ${evseUid === null ? null : sql`k.number`} as "connectorNumber"
    from locations l
    join chargers c on c.location_id = l.id and c.deleted_at is null and c.is_public
    join evses e on e.charger_id = c.id and e.removed_at is null
    join connectors k on k.charger_id = c.id and k.evse_number = e.number and k.deleted_at is null
    where l.network_id = ${networkId} and lower(l.ocpi_id) = lower(${locationId}) and l.deleted_at is null
      and l.is_published
      ${evseUid === null ? sql`` : sql`and lower(e.uid) = lower(${evseUid})`}
      ${connectorId === null ? sql`` : sql`and lower(k.ocpi_id) = lower(${connectorId})`}
    order by ${isConnected(sql)} desc, case k.status when 'Preparing' then 0 when 'Available' then 1 else 2 end, k.number
    limit 1`;
  return row ?? null;
}

/** The state of a charger's connector; null: it is not known. */
export async function connectorStatus(
  sql: Queryable,
  chargerUuid: string,
  connectorNumber: number,
): Promise<string | null> {
  const [row] = await sql<{ status: string }[]>`
    select k.status from connectors k join chargers c on c.id = k.charger_id
    where c.uuid = ${chargerUuid} and k.number = ${connectorNumber} and k.deleted_at is null`;
  return row?.status ?? null;
}

/** Session of a partner, for its requests. */
interface PartnerSession {
  id: string;
  uuid: string;
  /** Charging has not begun. */
  isReserved: boolean;
  isRunning: boolean;
  chargerId: number;
  chargerUuid: string;
  chargerUid: string;
  connectorNumber: number;
}

/** The session of a partner by its OCPI id, or null. */
export async function findPartnerSession(
  sql: Queryable,
  requester: Requester,
  sessionId: string,
): Promise<PartnerSession | null> {
  const [row] = await sql<PartnerSession[]>`
    select s.id::text, s.uuid, s.status = 'RESERVATION' as "isReserved", s.status in ('ACTIVE', 'STOPPING') as "isRunning", c.id as "chargerId",
      c.uuid as "chargerUuid", c.uid as "chargerUid", k.number as "connectorNumber"
    from sessions s join chargers c on c.id = s.charger_id join connectors k on k.id = s.connector_id
    where s.uuid::text = lower(${sessionId}) and s.ocpi_partner_id = ${requester.id}
      ${ofClient(sql, requester, sql`s.ocpi_token`)}`;
  return row ?? null;
}

/** Returns the position of a running session. Null: it has ended. */
export async function findRunningSession(
  sql: Queryable,
  sessionUuid: string,
): Promise<{ connectorNumber: number } | null> {
  const [row] = await sql<{ connectorNumber: number }[]>`
    select k.number as "connectorNumber" from sessions s join connectors k on k.id = s.connector_id
    where s.uuid = ${sessionUuid} and s.status in ('ACTIVE', 'STOPPING')`;
  return row ?? null;
}

/** A reservation that is there by a partner's wish. */
export interface PartnerReservation {
  uuid: string;
  /** OCPP's. */
  reservationId: number;
  chargerId: number;
  chargerUuid: string;
  chargerUid: string;
  /** In OCPI's names. */
  locationId: string;
}

/**
 * Returns the active reservation with this name of the requesting party, or null. It belongs to the party of the token,
 * or to the one that requested it when the authorization of the token is gone.
 */
export async function findPartnerReservation(
  sql: Queryable,
  requester: Requester,
  reservationRef: string,
): Promise<PartnerReservation | null> {
  const [row] = await sql<PartnerReservation[]>`
    select v.uuid, v.reservation_id as "reservationId", c.id as "chargerId", c.uuid as "chargerUuid",
      c.uid as "chargerUid", coalesce(l.ocpi_id, '') as "locationId"
    from ocpi_commands o
    -- A command whose process died has no result: the number that it sent is known.
    join reservations v on v.id = o.reservation_id or (o.reservation_id is null and v.charger_id = o.charger_id
      and v.reservation_id = (o.task ->> 'reservationId')::integer)
    join chargers c on c.id = v.charger_id
    left join locations l on l.id = c.location_id
    left join ocpi_authorizations a on a.id = o.authorization_id
    where o.partner_id = ${requester.id} ${ofClient(sql, requester, sql`coalesce(a.token, o.asked -> 'party')`)}
      and o.type = 'RESERVE_NOW' and lower(o.task ->> 'reservationRef') = lower(${reservationRef})
      and v.status = 'Active' and v.expires_at > now()
    order by o.id desc limit 1`;
  return row ?? null;
}
