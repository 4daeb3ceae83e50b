import { longestIdTokenLimit } from '#shared/domain/fleet/ocpp-version.ts';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  ConnectorNumber,
  cursorOf,
  cursorQuery,
  DateTime,
  Formed,
  idParams,
  Integer,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  cancel,
  readReservation,
  type ReservationRecord,
  reserve,
  sliceReservations,
} from '#api/services/charging/reservations.service.ts';
import { reservationStatuses } from '#shared/domain/charging/reservation.ts';
import { commandAnswer, commandErrors, outcome } from '#api/routes/cpms/kernel/command-route.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';

const IdTag = Formed(`1 to ${longestIdTokenLimit} visible ASCII characters without spaces`, '^[!-~]+$', {
  minLength: 1,
  maxLength: longestIdTokenLimit,
  description:
    'Token: number of a card, or identifier issued by an app. OCPP 1.6 allows 20 characters, 2.0.1 allows 36.',
  examples: ['04A1B2C3D4E5F6'],
});

const Status = OneOf(
  reservationStatuses,
  'Status of the reservation: Active until it is Used by a session, Cancelled by an operator, Expired, or ' +
    'Removed by the charger.',
);

const Reservation = Named('Reservation', {
  id: Uuid('Reservation identifier.'),
  reservationId: Integer('OCPP reservation number.', 1),
  networkId: NetworkNumber,
  chargerId: Uuid('Charger identifier.'),
  chargePointId: Str('OCPP identity of the charger.', 'QUAY-1'),
  connectorNumber: Nullable(Integer('Connector number, starting at 1. Null: any connector.', 1)),
  idTag: Str('Token that the connector is reserved for.', '04A1B2C3D4E5F6'),
  groupId: Nullable(Str('Group whose tokens may use the reservation as well. Null: none.', 'FLEET-7')),
  status: Status,
  statusAt: DateTime('Time of the latest change of the status.'),
  expiresAt: DateTime('Time the reservation ends.'),
  createdAt: DateTime('Time of creation.'),
  sessionId: Nullable(
    Uuid('Session that used the reservation, as reported by the charger. Null when none did.'),
  ),
  billedSessionId: Nullable(
    Uuid(
      'Session that bills the reservation: the one that used it, else one of its own. Null when the tariff has no price ' +
        'for reservations.',
    ),
  ),
});

const NewReservation = Closed({
  chargerId: Uuid('Charger identifier.'),
  connectorNumber: Type.Optional(ConnectorNumber),
  idTag: IdTag,
  groupId: Type.Optional(IdTag),
  expiresAt: DateTime('Time the reservation ends, at most 31 days ahead.'),
});

function view(reservation: ReservationRecord) {
  return {
    id: reservation.uuid,
    reservationId: reservation.reservationId,
    networkId: reservation.networkId,
    chargerId: reservation.chargerUuid,
    chargePointId: reservation.chargerUid,
    connectorNumber: reservation.connectorNumber,
    idTag: reservation.idToken,
    groupId: reservation.groupIdToken,
    status: reservation.status,
    statusAt: reservation.statusAt.toISOString(),
    expiresAt: reservation.expiresAt.toISOString(),
    createdAt: reservation.createdAt.toISOString(),
    sessionId: reservation.sessionUuid,
    billedSessionId: reservation.billedSessionUuid,
  };
}

const params = idParams('Reservation');

/** Registers the routes of reservations. */
export function reservationRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /reservations', 'cpms:read:reservations', {
    operationId: 'listReservations',
    summary: 'List reservations, newest first',
    description:
      "Lists present and former reservations of chargers in the caller's networks, including those that roaming " +
      'partners made.',
    querystring: Type.Object({
      ...cursorQuery,
      ...networkQuery,
      status: Type.Optional(Status),
      chargerId: Type.Optional(Uuid('Charger identifier.')),
      idTag: Type.Optional(IdTag),
    }),
    response: {
      200: CursorEnvelope(Reservation, 'One page of reservations.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { status, chargerId, idTag } = request.query;
      const networkUuid = networkOf(request.query);
      const filter = { networkUuid, status, chargerUuid: chargerId, idToken: idTag };
      const page = await sliceReservations(deps, callerOf(request), filter, cursorOf(request.query));
      return successSlice(page.rows.map(view), page.nextCursor);
    },
  });

  operation(app, 'GET /reservations/:uuid', 'cpms:read:reservations', {
    operationId: 'getReservation',
    summary: 'Get a reservation',
    description: 'A reservation in a network that the caller may not access is not found.',
    params,
    response: { 200: Envelope(Reservation, 'The reservation.'), ...cpmsErrors('RESERVATION_NOT_FOUND') },
    handler: async (request) =>
      success(view(await readReservation(deps, callerOf(request), request.params.uuid))),
  });

  operation(app, 'POST /reservations', 'cpms:command:reservation', {
    operationId: 'createReservation',
    summary: 'Reserve a connector for a token',
    description:
      'Without `connectorNumber`, any connector of the charger is reserved. The reservation exists after the ' +
      'charger accepted. Otherwise the details of RESERVATION_REFUSED hold its status (Occupied, Faulted, ' +
      'Unavailable, Rejected).',
    body: NewReservation,
    response: {
      201: Envelope(Reservation, 'The accepted reservation.'),
      ...commandErrors('CONNECTOR_NOT_FOUND', 'ID_TOKEN_NOT_ACCEPTED', 'RESERVATION_REFUSED'),
    },
    handler: async (request, reply) => {
      const { chargerId, connectorNumber = null, idTag, groupId = null, expiresAt } = request.body;
      const reservation = await reserve(deps, actorOf(request), {
        chargerUuid: chargerId,
        connectorNumber,
        idTag,
        groupId,
        expiresAt: new Date(expiresAt),
      });
      return reply.code(201).send(success(view(reservation)));
    },
  });

  operation(app, 'DELETE /reservations/:uuid', 'cpms:command:reservation', {
    operationId: 'cancelReservation',
    summary: 'Cancel a reservation',
    description:
      'The reservation stays active when the charger refuses. A reservation that was used, expired or ' +
      'cancelled gets 409.',
    params,
    response: {
      200: Envelope(
        Type.Object({ ...commandAnswer, reservation: Reservation }),
        'Answer of the charger. The reservation is Cancelled when the charger accepted.',
      ),
      ...commandErrors('RESERVATION_NOT_FOUND', 'RESERVATION_ENDED'),
    },
    handler: async (request) => {
      const { reservation, sent } = await cancel(deps, actorOf(request), request.params.uuid);
      return success({
        chargerId: reservation.chargerUuid,
        accepted: sent.accepted,
        message: outcome(sent, 'The charger cancelled the reservation.'),
        reservation: view(reservation),
      });
    },
  });
}
