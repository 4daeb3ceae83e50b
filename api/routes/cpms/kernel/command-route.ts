import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Flag, idParams, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import type { SentCommand } from '#api/services/commands/send.ts';
import { type ChargerRecord, requireCharger } from '#api/services/fleet/chargers.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import type { CommandResult } from '#shared/domain/commands/commands.ts';
import type { ErrorCode } from '#shared/domain/kernel/errors.ts';
import { networkOf, networkQuery } from './network-query.ts';

/** Schema parts of all command routes. Command routes of other rooms are documented with the commands too. */
export const commandRequest = {
  tags: ['commands'],
  params: idParams('Charger', 'chargerUuid'),
  querystring: Type.Object(networkQuery),
};

/** Response fields of all commands. */
export const commandAnswer = {
  chargerId: Uuid('Charger identifier.'),
  accepted: Flag('True when the charger accepted. A refusal is not an error.'),
  message: Str('Outcome as a sentence.', 'The charger accepted.'),
};

export const deviceType = Type.Literal('OCPP', { description: 'Always `OCPP`.' });

/** Returns the error responses of a command, including the named ones. */
export function commandErrors(...own: ErrorCode[]) {
  return cpmsErrors(
    ...own,
    'CHARGER_NOT_FOUND',
    'NETWORK_NOT_FOUND',
    'CHARGER_OFFLINE',
    'CHARGER_HELD',
    'COMMAND_NOT_SUPPORTED',
    'CHARGER_REFUSED',
    'CHARGER_TIMEOUT',
  );
}

/** Returns the outcome of a command as a sentence, with the status of the charger when it did not accept. */
export function outcome(result: CommandResult, onAccepted: string): string {
  if (result.accepted) return onAccepted;
  return result.status === null ? 'The charger refused.' : `The charger answered ${result.status}.`;
}

/** Returns the charger of a command's path. */
export function chargerOf(
  deps: ApiDeps,
  request: FastifyRequest<{ Params: { chargerUuid: string }; Querystring: NetworkQuery }>,
): Promise<ChargerRecord> {
  const { chargerUuid } = request.params;
  return requireCharger(deps, callerOf(request), chargerUuid, networkOf(request.query));
}

type NetworkQuery = Parameters<typeof networkOf>[0];

/** Fields of the charger and its OCPP version. */
export const commandTarget = {
  chargerId: Uuid('Charger identifier.'),
  chargePointId: Str('OCPP identity of the charger.', 'QUAY-1'),
  ocppVersion: OneOf(ocppVersions, 'OCPP version of the connection.'),
};

/** Returns the values of `commandTarget`. */
export function commandTargetOf(charger: ChargerRecord, sent: SentCommand) {
  return { chargerId: charger.uuid, chargePointId: charger.uid, ocppVersion: sent.ocppVersion };
}
