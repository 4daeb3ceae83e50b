import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, ConnectorNumber, Integer, OneOf } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { changeAvailability, unlockConnector } from '#api/services/commands/device-commands.ts';
import {
  chargerOf,
  commandAnswer,
  commandErrors,
  commandRequest,
  outcome,
} from '#api/routes/cpms/kernel/command-route.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';

const Unlock = Closed({ connectorNumber: ConnectorNumber });

const Unlocked = Type.Object({
  ...commandAnswer,
  connectorNumber: Integer('Connector number at the charger, starting at 1.', 1),
});

const AvailabilityType = OneOf(['Operative', 'Inoperative'], 'Operative: in use. Inoperative: out of use.');

const Change = Closed({
  connectorNumber: Integer('Connector number, starting at 1. 0: the whole charger.', 1, {
    minimum: 0,
    maximum: 1000,
  }),
  type: AvailabilityType,
});

const Changed = Type.Object({
  ...commandAnswer,
  connectorNumber: Integer('Connector number at the charger, starting at 1.', 1),
  type: AvailabilityType,
});

/** Registers the routes that unlock connectors and change their availability. */
export function availabilityRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /chargers/:chargerUuid/unlock-connector', 'cpms:command:unlock-connector', {
    ...commandRequest,
    operationId: 'unlockConnector',
    summary: 'Unlock a connector',
    description: 'Releases the cable of a connector, for example when a driver cannot remove it.',
    body: Unlock,
    response: {
      200: Envelope(Unlocked, 'Answer of the charger.'),
      ...commandErrors('CONNECTOR_NOT_FOUND'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { connectorNumber } = request.body;
      const sent = await unlockConnector(deps, actorOf(request), charger, connectorNumber);
      return success({
        chargerId: charger.uuid,
        connectorNumber,
        accepted: sent.accepted,
        message: outcome(sent, 'The charger unlocked the connector.'),
      });
    },
  });

  operation(app, 'POST /chargers/:chargerUuid/change-availability', 'cpms:command:change-availability', {
    ...commandRequest,
    operationId: 'changeAvailability',
    summary: 'Change the availability of a connector or a charger',
    description:
      'Connector 0 is the whole charger. A charger with a running session changes after its end, and answers ' +
      'Scheduled.',
    body: Change,
    response: {
      200: Envelope(Changed, 'Answer of the charger.'),
      ...commandErrors('CONNECTOR_NOT_FOUND'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { connectorNumber, type } = request.body;
      const change = { connectorNumber, availability: type };
      const sent = await changeAvailability(deps, actorOf(request), charger, change);
      const onAccepted =
        sent.status === 'Scheduled'
          ? 'The charger accepted; the change applies when its session has ended.'
          : `The charger accepted and is ${type}.`;
      return success({
        chargerId: charger.uuid,
        connectorNumber,
        type,
        accepted: sent.accepted,
        message: outcome(sent, onAccepted),
      });
    },
  });
}
