import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { CursorEnvelope, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { operation } from '#api/routes/operation.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  idParams,
  Integer,
  isoOrNull,
  Named,
  Nullable,
  OneOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { type ChannelDelivery, readChannelDeliveries } from '#api/services/fleet/alert-channels.service.ts';
import { alertChannelDeliveryStates } from '#shared/domain/fleet/alert-channel.ts';
import { alertNoticeCauses } from '#shared/domain/fleet/alert-delivery.ts';
import { alertSeverities } from '#shared/domain/fleet/alert.ts';
import { Kind } from './alert-rule-schema.ts';

const Delivery = Named('AlertChannelDelivery', {
  id: Integer('Number of the delivery. Later deliveries have larger numbers.', 481),
  cause: OneOf(
    alertNoticeCauses,
    'Reason of the delivery. raised: alerts opened. escalated: no one acknowledged them in time. cleared: they are over.',
  ),
  state: OneOf(
    alertChannelDeliveryStates,
    'State of the delivery. waiting: to be sent, for the first time or again. delivered: the channel answered 2xx. dropped: the ' +
      'alerts were over or acknowledged before. failed: the channel refused it at each try.',
  ),
  notificationId: Uuid('Notification that is delivered. The list of alerts is filtered by it.'),
  kind: Kind,
  severity: OneOf(alertSeverities, 'Severity of the notification.'),
  location: Nullable(Str('Name and city of the location. Null without one.', 'Quay, Rotterdam')),
  alertCount: Integer('Number of alerts of the notification.', 1),
  resourceName: Nullable(Str('Name of the resource of the only alert. Null for several.', 'QUAY-1')),
  dueAt: DateTime('Time from which the delivery is sent. Quiet hours delay it.'),
  tries: Integer('Number of requests.', 1),
  lastTriedAt: Nullable(DateTime('Time of the latest request. Null before the first one.')),
  httpStatus: Nullable(Integer('HTTP status of the latest answer. Null without one.', 202)),
  error: Nullable(
    Str(
      'Error of the latest request: the HTTP status, or `timeout`, `unreachable` or `address-refused`. Null after a delivery.',
      'timeout',
    ),
  ),
});

const deliveryView = (delivery: ChannelDelivery): Static<typeof Delivery> => ({
  id: delivery.id,
  cause: delivery.cause,
  state: delivery.state,
  notificationId: delivery.notificationUuid,
  kind: delivery.kind,
  severity: delivery.severity,
  location: delivery.location,
  alertCount: delivery.alerts,
  resourceName: delivery.resourceName,
  dueAt: delivery.dueAt.toISOString(),
  tries: delivery.tries,
  lastTriedAt: isoOrNull(delivery.lastTriedAt),
  httpStatus: delivery.httpStatus,
  error: delivery.lastError,
});

/** Registers the list of the deliveries of a channel. */
export function alertChannelDeliveryRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /alert-channels/:uuid/deliveries', 'cpms:read:alerts', {
    operationId: 'listAlertChannelDeliveries',
    summary: 'List the deliveries of a channel with their latest attempts, newest first',
    description: 'Deliveries of the last 30 days, and of alerts that are not over. Tests are not listed.',
    params: idParams('Channel'),
    querystring: Type.Object(cursorQuery),
    response: {
      200: CursorEnvelope(Delivery, 'One page of deliveries.'),
      ...cpmsErrors('ALERT_CHANNEL_NOT_FOUND'),
    },
    handler: async (request) => {
      const { rows, nextCursor } = await readChannelDeliveries(
        deps,
        callerOf(request),
        request.params.uuid,
        cursorOf(request.query),
      );
      return successSlice(rows.map(deliveryView), nextCursor);
    },
  });
}
