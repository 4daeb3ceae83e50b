import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { ConnectorNumber, Described, Named, periodOf, Uuid, idParams } from '#api/routes/schema.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { readSessionSeries } from '#api/services/charging/session-series.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { readChargerSeries } from '#api/services/fleet/meter-series.service.ts';
import { bucketQuery, connectorSeriesFields, meterSeriesView } from './meter-series-view.ts';

const ChargerMeterSeries = Named('ChargerMeterSeries', {
  chargerId: Uuid('Charger identifier.'),
  ...connectorSeriesFields,
});

const SessionMeterSeries = Named('SessionMeterSeries', {
  sessionId: Uuid('Session identifier.'),
  ...connectorSeriesFields,
});

const common =
  'Each bucket has the lowest, mean and highest value of its readings, a repeated reading counted once. ';

/** Registers the routes of meter readings aggregated by width. */
export function meterSeriesRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /chargers/:uuid/meter-series', 'cpms:read:sessions', {
    operationId: 'getChargerMeterSeries',
    summary: 'Get the meter readings of a charger, aggregated for a chart',
    description: `${common}Buckets of 15 minutes and more have whole quarter hours, of two hours and more whole two hours.`,
    params: idParams('Charger'),
    querystring: Type.Object({
      ...networkQuery,
      ...bucketQuery,
      connectorNumber: Type.Optional(
        Described(ConnectorNumber, 'Connector to read. Default: all connectors.', 1),
      ),
    }),
    response: {
      200: Envelope(ChargerMeterSeries, 'Readings by connector and bucket.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND', 'CONNECTOR_NOT_FOUND'),
    },
    handler: async (request) => {
      const { points, connectorNumber } = request.query;
      const series = await readChargerSeries(deps, callerOf(request), {
        chargerUuid: request.params.uuid,
        networkUuid: networkOf(request.query),
        ...periodOf(request.query),
        points,
        connectorNumber,
      });
      return success({ chargerId: series.chargerUuid, ...meterSeriesView(series) });
    },
  });

  operation(app, 'GET /sessions/:uuid/meter-series', 'cpms:read:sessions', {
    tags: ['charging'],
    operationId: 'getSessionMeterSeries',
    summary: 'Get the meter readings of a session, aggregated for a chart',
    description: common.trim(),
    params: idParams('Session'),
    querystring: Type.Object({
      ...bucketQuery,
      from: Type.Optional(
        Described(bucketQuery.from, 'Beginning of the range. Default: start of the session.'),
      ),
      to: Type.Optional(
        Described(bucketQuery.to, 'End of the range, exclusive. Default: end of the session, or now.'),
      ),
    }),
    response: {
      200: Envelope(SessionMeterSeries, 'Readings by connector and bucket.'),
      ...cpmsErrors('SESSION_NOT_FOUND'),
    },
    handler: async (request) => {
      const series = await readSessionSeries(deps, callerOf(request), {
        sessionUuid: request.params.uuid,
        ...periodOf(request.query),
        points: request.query.points,
      });
      return success({ sessionId: series.sessionUuid, ...meterSeriesView(series) });
    },
  });
}
