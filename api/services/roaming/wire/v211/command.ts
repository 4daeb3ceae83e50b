import { type Static, Type } from 'typebox';
import type { RequestOutcome } from '#api/services/roaming/wire/serializer.ts';
import {
  type CommandBody as CommandBody221,
  commandBodyWith,
} from '#api/services/roaming/wire/v221/command.ts';
import { tokenTypes } from './token.ts';

const {
  token,
  reservation_id: _reservation,
  authorization_reference: _reference,
  ...fields
} = commandBodyWith(tokenTypes).properties;
const {
  country_code: _country,
  party_id: _party,
  contract_id,
  group_id: _group,
  ...tokenFields
} = token.properties;

/** The bodies of all commands (OCPI 2.1.1). */
export const CommandBody = Type.Object({
  ...fields,
  token: Type.Optional(Type.Object({ ...tokenFields, auth_id: contract_id })),
  reservation_id: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'an integer' }),
  ),
});

/** Converts the body of a command to the form of 2.2.1. */
export function command221({
  token: sent,
  reservation_id: reservation,
  ...same
}: Static<typeof CommandBody>): CommandBody221 {
  return {
    ...same,
    ...(sent && { token: commandToken(sent) }),
    ...(reservation !== undefined && { reservation_id: String(reservation) }),
  };
}

function commandToken({
  auth_id: contract,
  ...same
}: NonNullable<Static<typeof CommandBody>['token']>): NonNullable<CommandBody221['token']> {
  return { ...same, ...(contract !== undefined && { contract_id: contract }) };
}

/** Responses to a command, immediate and final (OCPI 2.1.1, CommandResponseType). */
export const commandResponses211 = [
  'ACCEPTED',
  'NOT_SUPPORTED',
  'REJECTED',
  'TIMEOUT',
  'UNKNOWN_SESSION',
] as const;
type CommandResponse211 = (typeof commandResponses211)[number];

/** Returns a response: reasons that 2.1.1 does not have are a rejection. */
export function commandResponse(result: string): { result: CommandResponse211 } {
  return { result: commandResponses211.find((candidate) => candidate === result) ?? 'REJECTED' };
}

/** Returns the body of a POST to a `response_url`. Null: 2.1.1 has no such notification. */
export function requestResult(
  { result }: Pick<RequestOutcome, 'result'>,
  about: 'result' | 'cancellation',
): { result: CommandResponse211 } | null {
  return about === 'cancellation' ? null : commandResponse(result);
}
