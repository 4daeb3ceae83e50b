import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import {
  sendSignedValues,
  signedValuesAnswer,
  signedValuesDescription,
} from '#api/routes/emsp/kernel/signed-values-file.ts';
import { operation } from '#api/routes/operation.ts';
import { idParams } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { signedValuesXml } from '#api/services/charging/signed-meter-values.service.ts';

/** Registers the download of signed meter values for operators. */
export function operatorSignedValueRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /sessions/:uuid/signed-meter-values', 'cpms:read:sessions', {
    operationId: 'getOperatorSignedMeterValues',
    summary: 'Download the signed meter values of a session',
    description: signedValuesDescription,
    params: idParams('Session'),
    response: {
      200: signedValuesAnswer,
      ...cpmsErrors('SESSION_NOT_FOUND', 'SIGNED_VALUES_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const { uuid } = request.params;
      const xml = await signedValuesXml(deps, callerOf(request), uuid);
      return sendSignedValues(reply, xml, uuid) as never;
    },
  });
}
