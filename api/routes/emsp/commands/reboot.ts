import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, Flag, idParams, OneOf, OptionalBody, Str, Uuid } from '#api/routes/schema.ts';
import { requireOperator } from '#api/services/access/callers.ts';
import { requireCharger } from '#api/services/fleet/chargers.service.ts';
import { asPublicError } from '#api/services/commands/send.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { reboot } from '#api/services/commands/device-commands.ts';

const ResetType = OneOf(
  ['Soft', 'Hard'],
  'Kind of restart. Soft (default): the firmware restarts. Hard: power cycle.',
);

const Rebooted = Type.Object(
  {
    chargerId: Uuid('Charger identifier.'),
    resetType: ResetType,
    accepted: Flag('True when the charger accepted. A refusal is not an error.'),
    message: Str('Outcome as a sentence.', 'The charger accepted and restarts.'),
  },
  { description: 'Answer of the charger.' },
);

/** Registers the route that restarts a charger. */
export function rebootRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /chargers/:id/reboot', 'emsp:command', {
    operationId: 'rebootPublicCharger',
    summary: 'Restart a charger (operator keys)',
    description:
      "For chargers of the key's networks. The charger reconnects after the restart. An offline charger gets " +
      '400.',
    params: idParams('Charger', 'id'),
    body: OptionalBody(Closed({ type: Type.Optional(ResetType) })),
    response: {
      200: Rebooted,
      ...problems(
        'Charger',
        'OPERATOR_KEY_REQUIRED',
        'CHARGER_NOT_FOUND',
        'CHARGER_UNAVAILABLE',
        'COMMAND_NOT_SUPPORTED',
        'CHARGER_REFUSED',
        'CHARGER_TIMEOUT',
      ),
    },
    handler: async (request) => {
      const caller = callerOf(request);
      requireOperator(caller);
      const charger = await requireCharger(deps, caller, request.params.id);
      const resetType = request.body?.type ?? 'Soft';
      const { accepted, status } = await reboot(deps, actorOf(request), charger, resetType).catch(
        (error: unknown) => {
          throw asPublicError(error);
        },
      );
      const message = accepted
        ? 'The charger accepted and restarts.'
        : `The charger answered ${status ?? 'no'}.`;
      return { chargerId: charger.uuid, resetType, accepted, message };
    },
  });
}
