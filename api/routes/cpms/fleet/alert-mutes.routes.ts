import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  idParams,
  Named,
  NetworkNumber,
  Nullable,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  type AlertMute,
  muteAlerts,
  readAlertMutes,
  unmuteAlerts,
} from '#api/services/fleet/alert-mutes.service.ts';
import {
  CursorEnvelope,
  Envelope,
  success,
  successSlice,
  Deleted,
  deletion,
} from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { Kind } from './alert-rule-schema.ts';

const Mute = Named('AlertMute', {
  id: Uuid('Mute identifier.'),
  networkId: NetworkNumber,
  chargerId: Nullable(Uuid('Charger whose alerts are muted. Null for all chargers.')),
  locationId: Nullable(Uuid('Location whose alerts are muted. Null for all locations.')),
  kind: Nullable({ ...Kind, description: 'Muted kind. Null for all kinds.' }),
  until: DateTime('End of the mute. Alerts that are still open then are sent.'),
  reason: Nullable(Str('Reason of the mute. Null when none was given.', 'Works at the quay')),
  createdBy: Nullable(Str('Operator or API key that created the mute.', 'Ada Operator')),
  createdAt: DateTime('Time of creation.'),
});

const NewMute = Type.Object(
  {
    networkId: Type.Optional(
      Uuid('Network. Required for a caller of several networks when only a kind is given.'),
    ),
    chargerId: Type.Optional(Uuid('Charger to mute.')),
    locationId: Type.Optional(Uuid('Location to mute.')),
    kind: Type.Optional({ ...Kind, description: 'Kind to mute.' }),
    until: DateTime('End of the mute, at most 90 days from now.'),
    reason: Type.Optional(Text(500, 'Reason of the mute.', 'Works at the quay')),
  },
  {
    additionalProperties: false,
    description:
      'At least one of `chargerId`, `locationId` and `kind`. An alert is muted when all given ones match.',
  },
);

function view({ id: _id, uuid, chargerUuid, locationUuid, ...mute }: AlertMute): Static<typeof Mute> {
  return {
    ...mute,
    id: uuid,
    chargerId: chargerUuid,
    locationId: locationUuid,
    until: mute.until.toISOString(),
    createdAt: mute.createdAt.toISOString(),
  };
}

/** Registers the routes of mutes of alerts. */
export function alertMuteRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /alert-mutes', 'cpms:read:alerts', {
    operationId: 'listAlertMutes',
    summary: 'List the mutes of alerts that are not over, newest first',
    description: "Mutes that are in effect or begin later, of the caller's networks.",
    querystring: Type.Object({ ...cursorQuery, ...networkQuery }),
    response: {
      200: CursorEnvelope(Mute, 'One page of mutes, newest first.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const page = await readAlertMutes(
        deps,
        callerOf(request),
        networkOf(request.query),
        cursorOf(request.query),
      );
      return successSlice(page.rows.map(view), page.nextCursor);
    },
  });

  operation(app, 'POST /alert-mutes', 'cpms:write:alerts', {
    operationId: 'muteAlerts',
    summary: 'Mute the alerts of a charger, a location or a kind until a time',
    description: 'Muted alerts are opened and listed without notifications.',
    body: NewMute,
    response: {
      201: Envelope(Mute, 'The mute.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'CHARGER_NOT_FOUND', 'LOCATION_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const { networkId, chargerId, locationId, kind, until, reason } = request.body;
      const mute = await muteAlerts(deps, actorOf(request), {
        networkUuid: networkId,
        chargerUuid: chargerId,
        locationUuid: locationId,
        kind,
        until: new Date(until),
        reason,
      });
      return reply.code(201).send(success(view(mute)));
    },
  });

  operation(app, 'DELETE /alert-mutes/:uuid', 'cpms:write:alerts', {
    operationId: 'unmuteAlerts',
    summary: 'End a mute of alerts',
    description: 'Notifications of alerts that are open when the mute ends are sent then.',
    params: idParams('Mute'),
    response: {
      200: Deleted('Mute', 'The mute is over.'),
      ...cpmsErrors('ALERT_MUTE_NOT_FOUND'),
    },
    handler: async (request) => {
      const { uuid } = request.params;
      await unmuteAlerts(deps, actorOf(request), uuid);
      return deletion(uuid);
    },
  });
}
