import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, Flag, Formed, Integer, Nullable, OneOf, Str, Text } from '#api/routes/schema.ts';
import { getVariables, setVariables } from '#api/services/commands/charger-settings.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { attributeTypes, type VariableSelector } from '#shared/domain/commands/commands.ts';
import {
  chargerOf,
  commandErrors,
  commandRequest,
  commandTargetOf,
  commandTarget,
} from '#api/routes/cpms/kernel/command-route.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';

const Place = Integer('Number of the EVSE or connector (OCPP).', 1, { minimum: 0, maximum: 1000 });

const selector = {
  component: Text(50, 'Component of the device model (OCPP 2.0.1).', 'OCPPCommCtrlr'),
  componentInstance: Type.Optional(
    Text(50, 'Instance of the component. Omit it for a component without instances.'),
  ),
  evseId: Type.Optional(Place),
  connectorId: Type.Optional(Place),
  variable: Text(50, 'Variable of the component (OCPP 2.0.1).', 'HeartbeatInterval'),
  variableInstance: Type.Optional(
    Text(50, 'Instance of the variable. Omit it for a variable without instances.'),
  ),
  attributeType: Type.Optional(OneOf(attributeTypes, 'Attribute of the variable. Default: Actual.')),
};
const Selector = Closed(selector);

const Setting = Closed({
  ...selector,
  value: Formed('text of at most 1000 characters without NUL', '^[^\\u0000]*$', {
    maxLength: 1000,
    description: 'Value of the setting. Null when the charger gave none.',
    examples: ['60'],
  }),
});

const result = {
  component: Str('Component of the device model (OCPP 2.0.1).', 'OCPPCommCtrlr'),
  componentInstance: Nullable(Str('Instance of the component. Null when the component has no instances.')),
  evseId: Nullable(Integer('EVSE number. Null for the whole station.', 1)),
  connectorId: Nullable(Integer('Connector number within the EVSE. Null for the whole EVSE.', 1)),
  variable: Str('Variable of the component (OCPP 2.0.1).', 'HeartbeatInterval'),
  variableInstance: Nullable(Str('Instance of the variable. Null when the variable has no instances.')),
  attributeType: OneOf(attributeTypes, 'Attribute of the variable (OCPP 2.0.1).'),
  status: Str('Accepted, RebootRequired, or the reason of the refusal.', 'Available'),
};

const Got = Type.Object({
  ...commandTarget,
  result: Type.Array(
    Type.Object({
      ...result,
      value: Nullable(Str('Value of the variable. Null when the charger gave none.', '60')),
    }),
    { description: 'Results in the order of the request.' },
  ),
});

const Set = Type.Object({
  ...commandTarget,
  accepted: Flag('True when the charger accepted all variables.'),
  result: Type.Array(Type.Object(result), { description: 'Results in the order of the request.' }),
});

const maxVariables = 100;

function BodyOf<T extends typeof Selector | typeof Setting>(item: T) {
  const variables = Type.Array(item, { minItems: 1, maxItems: maxVariables });
  return Closed({ variables });
}

/** Registers the routes of device model variables (OCPP 2.0.1). */
export function variableRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'POST',
    url: '/chargers/:chargerUuid/variables/get',
    config: { scope: 'cpms:command:variables', idempotent: false },
    schema: {
      ...commandRequest,
      operationId: 'getVariables',
      summary: 'Get device model variables of a charger (OCPP 2.0.1)',
      description:
        'Values of passwords and keys are masked. A request beyond the limits of the charger (ItemsPerMessage, ' +
        'BytesPerMessage) is sent in several messages; the results are in the order of the request.',
      body: BodyOf(Selector),
      response: { 200: Envelope(Got, 'Answer of the charger.'), ...commandErrors() },
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const variables = request.body.variables.map(toSelector);
      const sent = await getVariables(deps, actorOf(request), charger, variables);
      return success({ ...commandTargetOf(charger, sent), result: sent.variables ?? [] });
    },
  });

  operation(app, 'POST /chargers/:chargerUuid/variables/set', 'cpms:command:variables', {
    ...commandRequest,
    operationId: 'setVariables',
    summary: 'Set device model variables of a charger (OCPP 2.0.1)',
    description:
      'A request beyond the limits of the charger (ItemsPerMessage, BytesPerMessage) is sent in several ' +
      'messages. If one of them fails, `details.answered` of the error lists the variables that the charger ' +
      'answered before.',
    body: BodyOf(Setting),
    response: { 200: Envelope(Set, 'Answer of the charger.'), ...commandErrors() },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const variables = request.body.variables.map((item) => ({ ...toSelector(item), value: item.value }));
      const sent = await setVariables(deps, actorOf(request), charger, variables);
      const answered = (sent.variables ?? []).map(({ value: _unset, ...rest }) => rest);
      return success({ ...commandTargetOf(charger, sent), accepted: sent.accepted, result: answered });
    },
  });
}

function toSelector(item: Static<typeof Selector>): VariableSelector {
  return {
    component: item.component,
    componentInstance: item.componentInstance ?? null,
    evseId: item.evseId ?? null,
    connectorId: item.connectorId ?? null,
    variable: item.variable,
    variableInstance: item.variableInstance ?? null,
    attributeType: item.attributeType ?? 'Actual',
  };
}
