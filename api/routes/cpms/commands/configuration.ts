import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { Named, Nullable, Text, Formed } from '#api/routes/schema.ts';
import { changeConfiguration, readConfiguration } from '#api/services/commands/charger-settings.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  chargerOf,
  commandErrors,
  commandRequest,
  spoken,
  spokenTo,
} from '#api/routes/cpms/kernel/command-route.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';

/** A key of 1.6 has at most 50 characters, component and variable of 2.0.1 have 50 each. */
const Key = Text(101, { description: 'Configuration key.', examples: ['HeartbeatInterval'] });

const Setting = Named('ConfigurationSetting', {
  key: Type.String({ description: '`Component.Variable` in OCPP 2.0.1', examples: ['HeartbeatInterval'] }),
  value: Nullable(
    Type.String({ description: 'Value of the setting. Null when the charger gave none.', examples: ['60'] }),
  ),
  readonly: Nullable(Type.Boolean({ description: 'Null: OCPP 2.0.1 does not tell' })),
  status: Type.String({ description: 'Accepted, or why the charger gave no value', examples: ['Available'] }),
});

const Read = Type.Object({
  ...spokenTo,
  result: Type.Object(
    {
      settings: Type.Array(Setting, { description: 'Settings of the charger.' }),
      unknownKeys: Type.Array(Type.String({ description: 'What the charger does not have' }), {
        description: 'Requested keys that the charger does not have.',
      }),
    },
    { description: 'Settings that the charger answered with.' },
  ),
});

const Change = Type.Object(
  {
    key: Key,
    // A value may be empty, and may be a list over several lines.
    value: Formed('text of at most 1000 characters without NUL', '^[^\\u0000]*$', {
      maxLength: 1000,
      description: 'Value.',
      examples: ['60'],
    }),
  },
  { additionalProperties: false },
);

const Changed = Type.Object({
  ...spokenTo,
  key: Type.String({ description: 'Configuration key.', examples: ['HeartbeatInterval'] }),
  accepted: Type.Boolean({ description: 'Whether the charger accepted; a refusal is no error' }),
  result: Type.Object(
    {
      status: Nullable(Type.String({ description: "The charger's own word", examples: ['Available'] })),
      rebootRequired: Type.Boolean({ description: 'The change counts after the next restart' }),
    },
    { description: 'Outcome of the change.' },
  ),
});

/** Reading and changing a charger's configuration, alike in both versions. */
export function configurationRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/chargers/:chargerUuid/configuration',
    config: { scope: 'cpms:command:configuration' },
    schema: {
      ...commandRequest,
      operationId: 'readConfiguration',
      summary: 'Ask a charger for its configuration',
      description:
        'Without `keys` all that a charger of OCPP 1.6 has. Of one of OCPP 2.0.1 what it reported of the station as a whole ' +
        '(`POST /chargers/{chargerUuid}/ocpp/GetBaseReport` asks for a report), or, before it did, what the standard ' +
        'requires. There a key is `Component.Variable` or `Component.Variable[Instance]`, and a key without dot is of the ' +
        'component `Charger`. Values of passwords and keys are masked.',
      querystring: Type.Object({
        ...commandRequest.querystring.properties,
        keys: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 5000,
            description: 'Separated by commas',
            examples: ['HeartbeatInterval,MeterValueSampleInterval'],
          }),
        ),
      }),
      response: { 200: Envelope(Read, 'The charger answered'), ...commandErrors() },
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const keys = keysOf(request.query.keys);
      const { sent, known, unknownKeys } = await readConfiguration(deps, actorOf(request), charger, keys);
      return success({ ...spoken(charger, sent), result: { settings: known, unknownKeys } });
    },
  });

  app.route({
    method: 'POST',
    url: '/chargers/:chargerUuid/configuration',
    config: { scope: 'cpms:command:configuration' },
    schema: {
      ...commandRequest,
      operationId: 'changeConfiguration',
      summary: 'Ask a charger to change one setting',
      body: Change,
      response: { 200: Envelope(Changed, 'The charger answered'), ...commandErrors() },
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { key, value } = request.body;
      const sent = await changeConfiguration(deps, actorOf(request), charger, { key, value });
      const { accepted, status } = sent;
      const result = { status, rebootRequired: status === 'RebootRequired' };
      return success({ ...spoken(charger, sent), key, accepted, result });
    },
  });
}

function keysOf(list: string | undefined): string[] {
  const keys = (list ?? '').split(',').map((key) => key.trim());
  return [...new Set(keys.filter((key) => key !== ''))];
}
