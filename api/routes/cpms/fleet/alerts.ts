import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { bodyErrors, cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import {
  cursorOf,
  cursorQuery,
  DateTime,
  isoOrNull,
  Named,
  Nullable,
  OneOf,
  OptionalBody,
  periodOf,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import { type AlertRecord, listOperatorAlerts, readAlert, settleAlert } from '#api/services/fleet/alerts.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { alertKinds, alertResources, alertSeverities, alertStatuses } from '#shared/domain/fleet/alert.ts';
import { CursorEnvelope, Envelope, success, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';

const Status = OneOf(
  alertStatuses,
  'acknowledged: an operator saw it; resolved: it is over, or an operator said so',
);

const Alert = Named('Alert', {
  id: Uuid(),
  networkId: Nullable(Type.Integer({ description: 'Null: of the whole system' })),
  kind: OneOf(alertKinds),
  severity: OneOf(alertSeverities),
  status: Status,
  resourceType: OneOf(alertResources),
  resourceId: Type.String({ description: 'Identifier of the resource of `resourceType`' }),
  resourceName: Type.String(),
  chargerId: Nullable(Uuid()),
  message: Type.String(),
  details: Type.Object({}, { additionalProperties: true }),
  occurredAt: DateTime('When it happened first'),
  lastOccurredAt: DateTime('When it happened last'),
  acknowledgedAt: Nullable(DateTime()),
  acknowledgedBy: Nullable(Type.String()),
  note: Nullable(Type.String()),
  resolvedAt: Nullable(DateTime()),
  resolvedBy: Nullable(Type.String({ description: 'Null: it was found to be over' })),
});

const Said = OptionalBody(Type.Object({ note: Type.Optional(Text(1000)) }, { additionalProperties: false }));

function alertView({ uuid, chargerUuid, ...alert }: AlertRecord): Static<typeof Alert> {
  return {
    ...alert,
    id: uuid,
    chargerId: chargerUuid,
    occurredAt: alert.occurredAt.toISOString(),
    lastOccurredAt: alert.lastOccurredAt.toISOString(),
    acknowledgedAt: isoOrNull(alert.acknowledgedAt),
    resolvedAt: isoOrNull(alert.resolvedAt),
  };
}

/** What an operator must look at. */
export function alertRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/alerts',
    config: { scope: 'cpms:read:alerts' },
    schema: {
      tags: ['fleet'],
      operationId: 'listAlerts',
      summary: 'What an operator must look at, newest first',
      description: 'Alerts of the whole system are shown to callers that are not pinned to networks.',
      querystring: Type.Object({
        ...cursorQuery,
        ...networkQuery,
        status: Type.Optional(Status),
        kind: Type.Optional(OneOf(alertKinds)),
        severity: Type.Optional(OneOf(alertSeverities)),
        resourceId: Type.Optional(Text(100)),
        chargerId: Type.Optional(Uuid()),
        from: Type.Optional(DateTime('Happened first at or after this time')),
        to: Type.Optional(DateTime('Happened first at or before this time')),
      }),
      response: {
        200: CursorEnvelope(Alert, 'One page of alerts, newest first'),
        ...cpmsErrors('NETWORK_NOT_FOUND'),
      },
    },
    handler: async (request) => {
      const { status, kind, severity, resourceId, chargerId } = request.query;
      const filter = {
        status,
        kind,
        severity,
        resourceId,
        chargerUuid: chargerId,
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

  app.route({
    method: 'GET',
    url: '/alerts/:uuid',
    config: { scope: 'cpms:read:alerts' },
    schema: {
      tags: ['fleet'],
      operationId: 'getAlert',
      summary: 'One alert',
      params: Type.Object({ uuid: Uuid() }),
      response: { 200: Envelope(Alert, 'The alert'), ...cpmsErrors('ALERT_NOT_FOUND') },
    },
    handler: async (request) =>
      success(alertView(await readAlert(deps, callerOf(request), request.params.uuid))),
  });

  for (const [action, operationId, summary] of actions) {
    app.route({
      method: 'POST',
      url: `/alerts/:uuid/${action}`,
      config: { scope: 'cpms:write:alerts' },
      schema: {
        tags: ['fleet'],
        operationId,
        summary,
        params: Type.Object({ uuid: Uuid() }),
        body: Said,
        response: {
          200: Envelope(Alert, 'The alert as it is now'),
          ...cpmsErrors('ALERT_NOT_FOUND', 'ALERT_RESOLVED', ...bodyErrors),
        },
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
  ['acknowledge', 'acknowledgeAlert', 'Say that an alert was seen'],
  [
    'resolve',
    'resolveAlert',
    'Say that an alert is dealt with: it is opened again when the same happens anew',
  ],
] as const;
