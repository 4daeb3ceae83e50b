import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { CursorEnvelope, successSlice } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';
import { VersionedResource } from '#api/routes/cpms/kernel/versioned-resource.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  cursorOf,
  cursorQuery,
  DateTime,
  Decimal,
  Flag,
  Integer,
  isoOrNull,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  changeThreshold,
  createThreshold,
  deleteThreshold,
  readThresholds,
  type ThresholdRecord,
  thresholds,
} from '#api/services/fleet/alert-thresholds.service.ts';
import {
  maxThresholds,
  type ThresholdDetails,
  thresholdComparisons,
  thresholdMetricNames,
} from '#shared/domain/fleet/alert-threshold.ts';
import { alertSeverities } from '#shared/domain/fleet/alert.ts';

const fields = {
  name: Text(100, 'Name of the threshold.', 'Too many chargers offline'),
  metric: OneOf(
    thresholdMetricNames,
    'Metric of the network. chargers-offline, chargers-faulted: share in percent of the chargers that have connected before. ' +
      'chargers-rejected: number of chargers whose connections were rejected in the last hour. starts-failed: number of ' +
      'remote starts that were refused or expired, and of sessions whose token was not accepted, in the last hour. ' +
      'sessions-in-review: number of sessions in review. review-age: time in hours for which the oldest of them has ended. ' +
      'sessions-running: number of running sessions. power: their power in kW, by the latest readings.',
  ),
  comparison: OneOf(
    thresholdComparisons,
    'Side of the value on which the threshold is exceeded. A metric that equals the value does not exceed it.',
  ),
  value: Decimal('Value that the metric is compared with, in the unit of the metric.', 20, {
    minimum: 0,
    maximum: 1_000_000_000,
  }),
  forMinutes: Integer(
    'Minutes for which the metric exceeds the value without a break until the alert opens.',
    10,
    { minimum: 0, maximum: 10_080 },
  ),
  severity: OneOf(alertSeverities, 'Severity of the alert.'),
  isEnabled: Flag('True to measure the metric and to open alerts.'),
};

const Threshold = Named('AlertThreshold', {
  id: Uuid('Threshold identifier.'),
  networkId: NetworkNumber,
  networkUuid: Uuid('Network whose metric is measured.'),
  ...fields,
  name: Str('Name of the threshold.', 'Too many chargers offline'),
  measuredValue: Nullable(Decimal('Latest value of the metric. Null before the first one.', 4.5)),
  measuredAt: Nullable(DateTime('Time of the latest value. Null before the first one.')),
  exceededSince: Nullable(DateTime('Time since which the metric exceeds the value. Null when it does not.')),
  version: Version,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

const NewThreshold = Closed({
  networkUuid: Type.Optional(
    Uuid('Network whose metric is measured. Required when the caller has several networks.'),
  ),
  name: fields.name,
  metric: fields.metric,
  comparison: fields.comparison,
  value: fields.value,
  forMinutes: Type.Optional(fields.forMinutes),
  severity: Type.Optional(fields.severity),
  isEnabled: Type.Optional(fields.isEnabled),
});

const ThresholdChange = Type.Partial(Type.Object(fields), { additionalProperties: false, minProperties: 1 });

function view(threshold: ThresholdRecord): Static<typeof Threshold> {
  const { id: _id, uuid, measuredAt, exceededSince, createdAt, updatedAt, ...rest } = threshold;
  return {
    ...rest,
    id: uuid,
    measuredAt: isoOrNull(measuredAt),
    exceededSince: isoOrNull(exceededSince),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

const answerOf = (threshold: ThresholdRecord) => [threshold, view(threshold)] as const;

const newDetails = { forMinutes: 10, severity: 'warning', isEnabled: true } as const;

/** Registers the routes of thresholds on metrics of a network. */
export function alertThresholdRoutes(app: App, deps: ApiDeps): void {
  const resource = new VersionedResource(app, {
    path: '/alert-thresholds',
    name: 'Threshold',
    scopes: { read: 'cpms:read:alerts', write: 'cpms:write:alerts' },
    notFound: 'ALERT_THRESHOLD_NOT_FOUND',
  });

  operation(app, 'GET /alert-thresholds', 'cpms:read:alerts', {
    operationId: 'listAlertThresholds',
    summary: 'List the thresholds on metrics, oldest first',
    description: "Thresholds of the caller's networks, with the latest value of their metric.",
    querystring: Type.Object({ ...cursorQuery, ...networkQuery }),
    response: {
      200: CursorEnvelope(Threshold, 'One page of thresholds.'),
      ...cpmsErrors('NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const query = { ...cursorOf(request.query), networkUuid: networkOf(request.query) };
      const { rows, nextCursor } = await readThresholds(deps, callerOf(request), query);
      return successSlice(rows.map(view), nextCursor);
    },
  });

  resource.get({
    operationId: 'getAlertThreshold',
    summary: 'Get a threshold with the latest value of its metric',
    description: 'The value is measured every 15 s.',
    answer: [Threshold, 'The threshold.'],
    read: async (caller, uuid) => answerOf(await thresholds.require(deps.sql, caller.networks, uuid)),
  });

  resource.post({
    operationId: 'createAlertThreshold',
    summary: 'Create a threshold',
    description: `An alert of the kind \`threshold\` opens when the metric exceeds the value for long enough, and is resolved when it no longer does. A network has at most ${maxThresholds} thresholds.`,
    body: NewThreshold,
    answer: [Threshold, 'The created threshold.'],
    errors: ['NETWORK_NOT_FOUND', 'ALERT_THRESHOLD_LIMIT_REACHED'],
    create: async (by, { networkUuid, ...body }) =>
      answerOf(await createThreshold(deps, by, networkUuid, { ...newDetails, ...body })),
  });

  resource.patch({
    operationId: 'updateAlertThreshold',
    summary: 'Update a threshold',
    description: 'Another metric, comparison or value begins its time again; an open alert is resolved.',
    body: ThresholdChange,
    answer: [Threshold, 'The threshold after the change.'],
    change: async (by, uuid, expected, body) =>
      answerOf(await changeThreshold(deps, by, uuid, expected, body as Partial<ThresholdDetails>)),
  });

  resource.delete({
    operationId: 'deleteAlertThreshold',
    summary: 'Delete a threshold',
    description: 'Its alert is resolved.',
    answer: 'The threshold is deleted.',
    remove: async (by, uuid, expected) => deleteThreshold(deps, by, uuid, expected),
  });
}
