import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { idParams } from '#api/routes/schema.ts';
import { explainSessionPrice } from '#api/services/charging/session-price.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { SessionPrice, sessionPriceView } from './session-price-view.ts';

/** Registers the route that explains the price of a session. */
export function sessionPriceRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /sessions/:uuid/price', 'cpms:read:sessions', {
    operationId: 'explainSessionPrice',
    summary: 'Explain the price of a session component by component',
    description:
      'Amounts and quantities are exact decimals as text. The price of a running session is the price so far, by ' +
      'readings of each minute where its tariff needs them.',
    params: idParams('Session'),
    response: {
      200: Envelope(SessionPrice, 'The price of the session.'),
      ...cpmsErrors('SESSION_NOT_FOUND'),
    },
    handler: async (request) => {
      const explained = await explainSessionPrice(deps, callerOf(request), request.params.uuid);
      return success(sessionPriceView(explained));
    },
  });
}
