import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { operation } from '#api/routes/operation.ts';
import { DateTime, Decimal, kilo, Named } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { readPowerHistory } from '#api/services/reporting/power-history.service.ts';

const PowerHistory = Named('PowerHistory', {
  quarters: Type.Array(
    Named('QuarterPower', {
      from: DateTime('Start of the quarter of an hour.'),
      to: DateTime('End of the quarter, exclusive.'),
      powerKw: Decimal('Mean power in kW.', 84.2),
    }),
    { description: 'The last 96 whole quarters of an hour, in order.' },
  ),
});

/** Registers the route of the power of the last 24 hours. */
export function powerHistoryRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /analytics/power', 'cpms:read:analytics', {
    operationId: 'getPowerHistory',
    summary: 'Get the mean power of the last 24 hours by quarter of an hour',
    description:
      'The energy of sessions, distributed evenly over the time in which each charged. Running sessions count with their energy so ' +
      'far. Sessions in review do not count.',
    querystring: Type.Object(networkQuery),
    response: {
      200: Envelope(PowerHistory, 'The mean powers.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'STORE_UNAVAILABLE'),
    },
    handler: async (request) => {
      const quarters = await readPowerHistory(deps, callerOf(request), networkOf(request.query));
      return success({
        quarters: quarters.map(({ from, to, powerW }) => ({
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          powerKw: kilo(powerW),
        })),
      });
    },
  });
}
