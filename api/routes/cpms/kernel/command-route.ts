import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { callerOf } from '#api/plugins/auth.ts';
import { bodyErrors, cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { OneOf, Uuid } from '#api/routes/schema.ts';
import type { SentCommand } from '#api/services/commands/charger-commands.ts';
import { type ChargerRecord, requireCharger } from '#api/services/fleet/chargers.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { ocppVersions } from '#shared/domain/fleet/charger.ts';
import type { CommandResult } from '#shared/domain/commands/commands.ts';
import type { ErrorCode } from '#shared/domain/kernel/errors.ts';
import { networkOf, networkQuery } from './network-query.ts';

/** What the routes of all commands have in common. */
export const commandRequest = {
  tags: ['commands'],
  params: Type.Object({ chargerUuid: Uuid('Charger identifier.') }),
  querystring: Type.Object(networkQuery),
};

/** What the answers of all commands have in common. */
export const commandAnswer = {
  chargerId: Uuid('Charger identifier.'),
  accepted: Type.Boolean({ description: 'Whether the charger accepted; a refusal is no error' }),
  message: Type.String({ description: 'Outcome as a sentence.', examples: ['The charger accepted.'] }),
};

export const deviceType = Type.Literal('OCPP', { description: 'Always `OCPP`.' });

/** The errors of a command, beside those named. */
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
    ...bodyErrors,
  );
}

/** Says what the charger answered, in its own word where it did not accept. */
export function outcome(result: CommandResult, onAccepted: string): string {
  if (result.accepted) return onAccepted;
  return result.status === null ? 'The charger refused.' : `The charger answered ${result.status}.`;
}

/** The charger that a command's path names. */
export function chargerOf(
  deps: ApiDeps,
  request: FastifyRequest<{ Params: { chargerUuid: string }; Querystring: NetworkQuery }>,
): Promise<ChargerRecord> {
  const { chargerUuid } = request.params;
  return requireCharger(deps, callerOf(request), chargerUuid, networkOf(request.query));
}

type NetworkQuery = Parameters<typeof networkOf>[0];

/** Which charger was asked, and in which version it was. */
export const spokenTo = {
  chargerId: Uuid('Charger identifier.'),
  chargePointId: Type.String({ description: 'The OCPP identity', examples: ['QUAY-1'] }),
  ocppVersion: OneOf(ocppVersions, 'What the charger is connected with'),
};

/** The values of `spokenTo`. */
export function spoken(charger: ChargerRecord, sent: SentCommand) {
  return { chargerId: charger.uuid, chargePointId: charger.uid, ocppVersion: sent.ocppVersion };
}
