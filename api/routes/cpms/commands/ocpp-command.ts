import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { operation } from '#api/routes/operation.ts';
import { Formed, Nullable, Str, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { sendOcppCommand } from '#api/services/commands/device-commands.ts';
import {
  chargerOf,
  commandAnswer,
  commandErrors,
  commandRequest,
  outcome,
  commandTarget,
} from '#api/routes/cpms/kernel/command-route.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';

const Payload = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: "Payload of the request, in the format of the charger's OCPP version.",
});

const Sent = Type.Object({
  ...commandAnswer,
  ocppVersion: commandTarget.ocppVersion,
  action: Str('OCPP action that was sent.', 'StatusNotification'),
  status: Nullable(Str("Status in the charger's answer. Null without one.", 'Available')),
  result: Type.Unsafe<unknown>({
    type: 'object',
    additionalProperties: true,
    description: 'Answer of the charger, unchanged.',
  }),
});

/** Registers the route that sends any OCPP action. */
export function ocppCommandRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /chargers/:chargerUuid/ocpp/:action', 'cpms:command:ocpp', {
    ...commandRequest,
    params: Type.Object({
      chargerUuid: Uuid('Charger identifier.'),
      action: Formed('the name of an OCPP action', '^[A-Za-z0-9]{1,50}$', {
        description: 'OCPP action to send.',
        examples: ['StatusNotification'],
      }),
    }),
    operationId: 'sendOcppCommand',
    summary: 'Send an OCPP action to a charger',
    description:
      "The payload is validated against the schema of the charger's OCPP version. Changes by the action are " +
      'stored when the charger accepts, as with the commands that have routes of their own.',
    body: Payload,
    response: {
      200: Envelope(Sent, 'Answer of the charger.'),
      ...commandErrors('ACTION_UNKNOWN', 'CHARGER_LOAD_MANAGED'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { action } = request.params;
      const sent = await sendOcppCommand(deps, actorOf(request), charger, { action, payload: request.body });
      return success({
        chargerId: charger.uuid,
        ocppVersion: sent.ocppVersion,
        action,
        accepted: sent.accepted,
        status: sent.status,
        result: sent.payload,
        message: outcome(sent, 'The charger accepted.'),
      });
    },
  });
}
