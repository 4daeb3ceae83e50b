import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  DateTime,
  idParams,
  Integer,
  isoOrNull,
  Named,
  Nullable,
  OneOf,
  OptionalBody,
  periodOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import {
  type AlertRecord,
  listOperatorAlerts,
  readAlert,
  settleAlert,
} from '#api/services/fleet/alerts.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  alertDeliveries,
  alertKinds,
  alertResources,
  alertSeverities,
  alertStatuses,
} from '#shared/domain/fleet/alert.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';

const Status = OneOf(
  alertStatuses,
  'Status of the alert. acknowledged: by an operator. resolved: the condition ended, or an operator ' +
    'resolved the alert.',
);

const Alert = Named('Alert', {
  id: Uuid('Alert identifier.'),
  networkId: Nullable(Integer('Integer identifier of the network. Null for the whole system.', 1)),
  kind: OneOf(alertKinds, 'Kind of the alert.'),
  severity: OneOf(alertSeverities, 'Severity of the alert.'),
  status: Status,
  resourceType: OneOf(alertResources, 'Kind of the resource that the alert concerns.'),
  resourceId: Str('Identifier of the resource of `resourceType`.'),
  resourceName: Str('Name of the resource.', 'QUAY-1'),
  chargerId: Nullable(Uuid('Charger identifier.')),
  detail: Nullable(
    Str(
      'Distinguishes the alert from others of its kind and resource: an error code, a security event, a date or a number with its ' +
        'unit. Null if there is nothing to add.',
      'GroundFailure',
    ),
  ),
  message: Str('Sentence that describes the alert.', 'Charger QUAY-1 has been offline for 15 minutes.'),
  details: Type.Object({}, { additionalProperties: true, description: 'Details of the alert, by its kind.' }),
  occurredAt: DateTime('Time of the first occurrence.'),
  lastOccurredAt: DateTime('Time of the latest occurrence.'),
  acknowledgedAt: Nullable(DateTime('Time an operator acknowledged the alert. Null before that.')),
  acknowledgedBy: Nullable(
    Str('Operator or API key that acknowledged the alert. Null before that.', 'Ada Operator'),
  ),
  note: Nullable(Str('Note of the operator. Null if not set.', 'Found on the quay')),
  resolvedAt: Nullable(DateTime('Time the alert was resolved. Null before that.')),
  resolvedBy: Nullable(
    Str(
      'Operator or API key that resolved the alert. Null before that, or when the condition ended.',
      'Ada Operator',
    ),
  ),
  delivery: OneOf(
    alertDeliveries,
    'State of the delivery. pending, grouped: the notification is being made. notified: its recipients are ' +
      'notified. muted, flapping: held back. silent: no recipient is notified. cleared: the notification is over.',
  ),
  notificationId: Nullable(
    Uuid(
      'Notification that contains the alert, with others of its kind and location. Null if it was not notified.',
    ),
  ),
  notifiedAt: Nullable(DateTime('Time of the notification. Null before that.')),
  escalatedAt: Nullable(DateTime('Time the notification escalated. Null before that.')),
});

const AlertNote = OptionalBody(
  Closed({
    note: Type.Optional(Text(1000, 'Note for the alert.', 'Found on the quay')),
  }),
);

function alertView({ uuid, chargerUuid, notificationUuid, ...alert }: AlertRecord): Static<typeof Alert> {
  return {
    ...alert,
    id: uuid,
    chargerId: chargerUuid,
    occurredAt: alert.occurredAt.toISOString(),
    lastOccurredAt: alert.lastOccurredAt.toISOString(),
    acknowledgedAt: isoOrNull(alert.acknowledgedAt),
    resolvedAt: isoOrNull(alert.resolvedAt),
    notificationId: notificationUuid,
    notifiedAt: isoOrNull(alert.notifiedAt),
    escalatedAt: isoOrNull(alert.escalatedAt),
  };
}

/** Registers the routes of alerts. */
export function alertRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /alerts', 'cpms:read:alerts', {
    operationId: 'listAlerts',
    summary: 'List alerts, newest first',
    description: 'Alerts of the whole system are visible to unrestricted callers only.',
    querystring: Type.Object({
      ...cursorQuery,
      ...networkQuery,
      status: Type.Optional(Status),
      kind: Type.Optional(OneOf(alertKinds, 'Kind of the alert.')),
      severity: Type.Optional(OneOf(alertSeverities, 'Severity of the alert.')),
      resourceId: Type.Optional(Text(100, 'Resource to filter by.')),
      chargerId: Type.Optional(Uuid('Charger identifier.')),
      notificationId: Type.Optional(Uuid('Notification that has the alerts.')),
      from: Type.Optional(DateTime('Earliest first occurrence, inclusive.')),
      to: Type.Optional(DateTime('Latest first occurrence, inclusive.')),
    }),
    response: {
      200: CursorEnvelope(Alert, 'One page of alerts, newest first.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { status, kind, severity, resourceId, chargerId, notificationId } = request.query;
      const filter = {
        status,
        kind,
        severity,
        resourceId,
        chargerUuid: chargerId,
        notificationUuid: notificationId,
        ...periodOf(request.query),
      };
      const network = networkOf(request.query);
      const page = await listOperatorAlerts(
        deps,
        callerOf(request),
        network,
        filter,
        cursorOf(request.query),
      );
      return successSlice(page.rows.map(alertView), page.nextCursor);
    },
  });

  operation(app, 'GET /alerts/:uuid', 'cpms:read:alerts', {
    operationId: 'getAlert',
    summary: 'Get an alert',
    description:
      'An alert of a network that the caller may not access is not found. Alerts of the whole system are ' +
      'visible to unrestricted callers only.',
    params: idParams('Alert'),
    response: { 200: Envelope(Alert, 'The alert.'), ...cpmsErrors('ALERT_NOT_FOUND') },
    handler: async (request) =>
      success(alertView(await readAlert(deps, callerOf(request), request.params.uuid))),
  });

  for (const [action, operationId, summary, description] of actions) {
    operation(app, `POST /alerts/:uuid/${action}`, 'cpms:write:alerts', {
      operationId,
      summary,
      description,
      params: idParams('Alert'),
      body: AlertNote,
      response: {
        200: Envelope(Alert, 'The alert after the change.'),
        ...cpmsErrors('ALERT_NOT_FOUND', 'ALERT_RESOLVED'),
      },
      handler: async (request) => {
        const { uuid } = request.params;
        return success(
          alertView(await settleAlert(deps, actorOf(request), uuid, action, request.body?.note)),
        );
      },
    });
  }
}

const actions = [
  [
    'acknowledge',
    'acknowledgeAlert',
    'Acknowledge an alert',
    'Prevents the escalation. The alert stays open until its cause ends or it is resolved. Without a note an earlier one stays.',
  ],
  [
    'resolve',
    'resolveAlert',
    'Resolve an alert',
    'Closes the alert (409 when it is closed). A new occurrence of its cause opens an alert again.',
  ],
] as const;
