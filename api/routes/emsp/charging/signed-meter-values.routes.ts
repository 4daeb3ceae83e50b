import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import {
  sendSignedValues,
  signedValuesAnswer,
  signedValuesDescription,
} from '#api/routes/emsp/kernel/signed-values-file.ts';
import { operation } from '#api/routes/operation.ts';
import { idParams } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { signedValuesXml } from '#api/services/charging/signed-meter-values.service.ts';

/** Registers the download of signed meter values for drivers and operators. */
export function signedValueRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /charging/sessions/:id/signed-meter-values', 'emsp:read', {
    operationId: 'getSignedMeterValues',
    summary: 'Download the signed meter values of a session',
    description: `Driver keys receive the values of their own sessions. ${signedValuesDescription}`,
    params: idParams('Session', 'id'),
    response: {
      200: signedValuesAnswer,
      ...problems('Session', 'SESSION_NOT_FOUND', 'SIGNED_VALUES_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const xml = await signedValuesXml(deps, callerOf(request), id);
      return sendSignedValues(reply, xml, id) as never;
    },
  });
}
