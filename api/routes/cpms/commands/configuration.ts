import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, Flag, Formed, Named, Nullable, Str, Text } from '#api/routes/schema.ts';
import { changeConfiguration, readConfiguration } from '#api/services/commands/charger-settings.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  chargerOf,
  commandErrors,
  commandRequest,
  commandTargetOf,
  commandTarget,
} from '#api/routes/cpms/kernel/command-route.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';

/** Configuration key: at most 50 characters in OCPP 1.6; component and variable of 50 characters each in 2.0.1. */
const Key = Text(101, 'Configuration key.', 'HeartbeatInterval');

const Setting = Named('ConfigurationSetting', {
  key: Str('Configuration key. `Component.Variable` in OCPP 2.0.1.', 'HeartbeatInterval'),
  value: Nullable(Str('Value of the setting. Null when the charger gave none.', '60')),
  readonly: Nullable(
    Flag('True when the setting cannot be changed. Null in OCPP 2.0.1, which does not report it.'),
  ),
  status: Str('Accepted, or the reason that there is no value.', 'Available'),
});

const Read = Type.Object({
  ...commandTarget,
  result: Type.Object(
    {
      settings: Type.Array(Setting, { description: 'Settings of the charger.' }),
      unknownKeys: Type.Array(Str('Configuration key that the charger does not have.'), {
        description: 'Requested keys that the charger does not have.',
      }),
    },
    { description: 'Settings that the charger answered with.' },
  ),
});

const Change = Closed({
  key: Key,
  // A value can be empty, or a list over several lines.
  value: Formed('text of at most 1000 characters without NUL', '^[^\\u0000]*$', {
    maxLength: 1000,
    description: 'Value.',
    examples: ['60'],
  }),
});

const Changed = Type.Object({
  ...commandTarget,
  key: Str('Configuration key.', 'HeartbeatInterval'),
  accepted: Flag('True when the charger accepted. A refusal is not an error.'),
  result: Type.Object(
    {
      status: Nullable(Str("Status in the charger's answer. Null without one.", 'Available')),
      rebootRequired: Flag('True when the change applies after the next restart.'),
    },
    { description: 'Outcome of the change.' },
  ),
});

/** Registers the routes that read and change the configuration, the same for both OCPP versions. */
export function configurationRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /chargers/:chargerUuid/configuration', 'cpms:command:configuration', {
    ...commandRequest,
    operationId: 'readConfiguration',
    summary: 'Get the configuration of a charger',
    description:
      'Without `keys`: all settings of a charger with OCPP 1.6; for OCPP 2.0.1, the reported variables of the ' +
      'station as a whole (`POST /chargers/{chargerUuid}/ocpp/GetBaseReport` requests a report), or before the ' +
      'first report those that the standard requires. A key of OCPP 2.0.1 is `Component.Variable` or ' +
      '`Component.Variable[Instance]`; a key without a dot belongs to the component `Charger`. Values of ' +
      'passwords and keys are masked.',
    querystring: Type.Object({
      ...commandRequest.querystring.properties,
      keys: Type.Optional(
        Str(
          'Configuration keys, separated by commas. Default: all.',
          'HeartbeatInterval,MeterValueSampleInterval',
          { minLength: 1, maxLength: 5000 },
        ),
      ),
    }),
    response: { 200: Envelope(Read, 'Answer of the charger.'), ...commandErrors() },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const keys = keysOf(request.query.keys);
      const { sent, known, unknownKeys } = await readConfiguration(deps, actorOf(request), charger, keys);
      return success({ ...commandTargetOf(charger, sent), result: { settings: known, unknownKeys } });
    },
  });

  operation(app, 'POST /chargers/:chargerUuid/configuration', 'cpms:command:configuration', {
    ...commandRequest,
    operationId: 'changeConfiguration',
    summary: 'Change a setting of a charger',
    description:
      'In OCPP 2.0.1 the key is `Component.Variable`. The response states whether the change requires a ' +
      'restart.',
    body: Change,
    response: { 200: Envelope(Changed, 'Answer of the charger.'), ...commandErrors() },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { key, value } = request.body;
      const sent = await changeConfiguration(deps, actorOf(request), charger, { key, value });
      const { accepted, status } = sent;
      const result = { status, rebootRequired: status === 'RebootRequired' };
      return success({ ...commandTargetOf(charger, sent), key, accepted, result });
    },
  });
}

function keysOf(list: string | undefined): string[] {
  const keys = (list ?? '').split(',').map((key) => key.trim());
  return [...new Set(keys.filter((key) => key !== ''))];
}
