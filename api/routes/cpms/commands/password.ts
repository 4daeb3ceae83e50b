import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { operation } from '#api/routes/operation.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { rotatePassword } from '#api/services/commands/device-commands.ts';
import {
  chargerOf,
  commandAnswer,
  commandErrors,
  commandRequest,
  outcome,
} from '#api/routes/cpms/kernel/command-route.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';

/** Registers the route that rotates the Basic password of a charger. */
export function passwordRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /chargers/:chargerUuid/rotate-password', 'cpms:command:rotate-password', {
    ...commandRequest,
    operationId: 'rotatePassword',
    summary: 'Rotate the Basic password of a charger',
    description:
      'The password is generated, sent to the charger only, and never shown. The previous one stays valid until ' +
      'the charger connects with the new one.',
    response: {
      200: Envelope(Type.Object(commandAnswer), 'Answer of the charger.'),
      ...commandErrors(),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const sent = await rotatePassword(deps, actorOf(request), charger);
      return success({
        chargerId: charger.uuid,
        accepted: sent.accepted,
        message: outcome(
          sent,
          sent.status === 'RebootRequired'
            ? 'The charger accepted; it uses the new password after its next restart.'
            : 'The charger accepted; it uses the new password when it reconnects.',
        ),
      });
    },
  });
}
