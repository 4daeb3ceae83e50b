import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import {
  Closed,
  ConnectorNumber,
  Integer,
  Nullable,
  OneOf,
  OptionalBody,
  Str,
  Text,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { disconnect, reboot, triggerMessage } from '#api/services/commands/device-commands.ts';
import {
  chargerOf,
  commandAnswer,
  commandErrors,
  commandRequest,
  outcome,
} from '#api/routes/cpms/kernel/command-route.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';

const ResetType = OneOf(['Soft', 'Hard'], 'Kind of restart. Soft (default): graceful. Hard: power cycle.');

const Reboot = Closed({ type: Type.Optional(ResetType) });

const Trigger = Closed({
  requestedMessage: Text(50, 'OCPP message to request, such as StatusNotification.', 'StatusNotification'),
  connectorNumber: Type.Optional(ConnectorNumber),
});

const Rebooted = Type.Object({ ...commandAnswer, resetType: ResetType });

const Triggered = Type.Object({
  ...commandAnswer,
  requestedMessage: Str('OCPP message that was requested.', 'StatusNotification'),
  connectorNumber: Nullable(Integer('Connector number at the charger, starting at 1.', 1)),
});

/** Registers the routes that restart a charger and request messages. */
export function deviceControlRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'POST /chargers/:chargerUuid/reboot', 'cpms:command:reboot', {
    ...commandRequest,
    operationId: 'rebootCharger',
    summary: 'Restart a charger',
    description:
      '`Soft` (default) restarts gracefully, `Hard` cycles the power. The connection closes while the charger ' +
      'restarts.',
    body: OptionalBody(Reboot),
    response: { 200: Envelope(Rebooted, 'Answer of the charger.'), ...commandErrors() },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const resetType = request.body?.type ?? 'Soft';
      const result = await reboot(deps, actorOf(request), charger, resetType);
      return success({
        chargerId: charger.uuid,
        resetType,
        accepted: result.accepted,
        message: outcome(result, 'The charger accepted and restarts.'),
      });
    },
  });

  operation(app, 'POST /chargers/:chargerUuid/disconnect', 'cpms:command:reboot', {
    ...commandRequest,
    operationId: 'disconnectCharger',
    summary: 'Close the connection of a charger',
    description:
      'For a charger that answers nothing. It receives no message and connects again by itself. Running sessions continue.',
    response: {
      200: Envelope(Type.Object(commandAnswer), 'The connection is closed.'),
      ...cpmsErrors('CHARGER_NOT_FOUND', 'NETWORK_NOT_FOUND', 'CHARGER_OFFLINE'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { accepted } = await disconnect(deps, actorOf(request), charger);
      return success({ chargerId: charger.uuid, accepted, message: 'The connection is closed.' });
    },
  });

  operation(app, 'POST /chargers/:chargerUuid/trigger-message', 'cpms:command:trigger-message', {
    ...commandRequest,
    operationId: 'triggerMessage',
    summary: 'Request a message from a charger',
    description: 'The requested message arrives after the response, like any other of the charger.',
    body: Trigger,
    response: {
      200: Envelope(Triggered, 'Answer of the charger.'),
      ...commandErrors('CONNECTOR_NOT_FOUND'),
    },
    handler: async (request) => {
      const charger = await chargerOf(deps, request);
      const { requestedMessage, connectorNumber = null } = request.body;
      const result = await triggerMessage(deps, actorOf(request), charger, {
        requestedMessage,
        connectorNumber,
      });
      return success({
        chargerId: charger.uuid,
        requestedMessage,
        connectorNumber,
        accepted: result.accepted,
        message: outcome(result, `The charger accepted and sends ${requestedMessage}.`),
      });
    },
  });
}
