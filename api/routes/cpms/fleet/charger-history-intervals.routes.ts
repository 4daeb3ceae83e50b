import { type TSchema, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  DateTime,
  Flag,
  idParams,
  Integer,
  Named,
  Nullable,
  periodOf,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  readStatusIntervals,
  type StateInterval,
  usualIntervals,
} from '#api/services/fleet/charger-history-intervals.service.ts';
import { bucketQuery } from './meter-series-view.ts';

const interval = <Fields extends Record<string, TSchema>>(fields: Fields) => ({
  ...fields,
  from: DateTime('Beginning of the interval.'),
  to: DateTime('End of the interval, exclusive.'),
  changes: Integer(
    'Changes within the interval that are merged into the state that held longest. 0 without any.',
    0,
  ),
});

const StatusInterval = Named(
  'StatusInterval',
  interval({
    status: Str('Reported status.', 'Available'),
    errorCode: Nullable(Str('OCPP error code of a fault. Null without a fault.', 'GroundFailure')),
  }),
);

const ConnectionInterval = Named(
  'ConnectionInterval',
  interval({ isOnline: Flag('True while the charger is connected.') }),
);

const Intervals = Named('StatusIntervals', {
  chargerId: Uuid('Charger identifier.'),
  from: DateTime('Beginning of the range.'),
  to: DateTime('End of the range.'),
  connectors: Type.Array(
    Type.Object({
      connectorNumber: Nullable(
        Integer('Connector number. Null for the charger as a whole, and for a removed connector.', 1),
      ),
      evse: Nullable(Integer('EVSE number of the connector. Null for the charger as a whole.', 1)),
      intervals: Type.Array(StatusInterval, { description: 'Statuses in order of time.' }),
    }),
    { description: 'Connectors with a status in the range.' },
  ),
  connection: Type.Array(ConnectionInterval, { description: 'Connection in order of time.' }),
});

/** Registers the route of the status band of a charger. */
export function statusIntervalRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /chargers/:uuid/status-intervals', 'cpms:read:chargers', {
    operationId: 'listStatusIntervals',
    summary: 'List the states of a charger as intervals of a range',
    description:
      'Intervals are clipped to the range, and end now at the latest. The state at the beginning is taken from the last ' +
      'event before it; times before the first event have no interval. Where a connector has more than `points` ' +
      'intervals, those narrower than a bucket are merged.',
    params: idParams('Charger'),
    querystring: Type.Object({
      ...networkQuery,
      ...bucketQuery,
      points: Type.Optional(
        Integer('Number of buckets of the range.', 300, {
          minimum: 10,
          maximum: 1000,
          default: usualIntervals,
        }),
      ),
    }),
    response: {
      200: Envelope(Intervals, 'States of the connectors and of the connection.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND'),
    },
    handler: async (request) => {
      const { chargerUuid, from, to, connectors, connection } = await readStatusIntervals(
        deps,
        callerOf(request),
        {
          chargerUuid: request.params.uuid,
          networkUuid: networkOf(request.query),
          ...periodOf(request.query),
          points: request.query.points,
        },
      );
      return success({
        chargerId: chargerUuid,
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        connectors: connectors.map(({ connectorNumber, evse, intervals }) => ({
          connectorNumber,
          evse: evse === 0 ? null : evse,
          intervals: intervals.map((one) => ({ ...one.state, ...timesView(one) })),
        })),
        connection: connection.map((one) => ({ isOnline: one.state, ...timesView(one) })),
      });
    },
  });
}

function timesView({ from, to, changes }: StateInterval<unknown>) {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), changes };
}
