import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { operation } from '#api/routes/operation.ts';
import { Formed, Named, OneOf, Str } from '#api/routes/schema.ts';
import { listOcppActions, readOcppSchemas } from '#api/services/commands/ocpp-schemas.service.ts';

/** The schemas change only with a release of this server. */
const cacheControl = 'private, max-age=3600';

const action = Str('OCPP action.', 'Reset');
const summary = Str('Purpose of the action.', 'Restart the charger.');

const SchemaVersions = Type.Array(
  Named('OcppActions', {
    version: OneOf(ocppVersions, 'OCPP version.'),
    actions: Type.Array(Type.Object({ action, summary }), {
      description: 'Actions that can be sent to a charger, in alphabetical order.',
    }),
  }),
);

const schema = (description: string) =>
  Type.Unsafe<unknown>({
    type: 'object',
    additionalProperties: true,
    description,
    examples: [{ type: 'object', required: ['type'] }],
  });

const ActionSchemas = Named('OcppActionSchemas', {
  version: OneOf(ocppVersions, 'OCPP version.'),
  action,
  summary,
  request: schema('JSON Schema of the payload of the request, with its definitions.'),
  response: schema("JSON Schema of the charger's answer, with its definitions."),
});

/** Registers the routes of the schemas of OCPP actions. */
export function ocppSchemaRoutes(app: App): void {
  operation(app, 'GET /ocpp-schemas', 'cpms:command:ocpp', {
    operationId: 'listOcppActions',
    summary: 'List the OCPP actions that can be sent to chargers',
    description: 'Actions that `sendOcppCommand` accepts, by OCPP version, each with its purpose.',
    response: { 200: Envelope(SchemaVersions, 'Actions by OCPP version.'), ...cpmsErrors() },
    handler: async (_request, reply) => {
      reply.header('cache-control', cacheControl);
      return success(listOcppActions());
    },
  });

  operation(app, 'GET /ocpp-schemas/:version/:action', 'cpms:command:ocpp', {
    operationId: 'getOcppSchemas',
    summary: 'Get the JSON Schemas of an OCPP action',
    description:
      'The schemas that `sendOcppCommand` validates payloads against, with the descriptions of the standard.',
    params: Type.Object({
      version: Formed('an OCPP version', '^[A-Za-z0-9.-]{1,40}$', {
        description: `OCPP version: ${ocppVersions.join(', ')}.`,
        examples: ['2.0.1'],
      }),
      action: Formed('the name of an OCPP action', '^[A-Za-z0-9]{1,50}$', {
        description: 'OCPP action.',
        examples: ['Reset'],
      }),
    }),
    response: { 200: Envelope(ActionSchemas, 'Schemas of the action.'), ...cpmsErrors('ACTION_UNKNOWN') },
    handler: async (request, reply) => {
      const { version, action: name } = request.params;
      const schemas = await readOcppSchemas(version, name);
      reply.header('cache-control', cacheControl);
      return success(schemas);
    },
  });
}
