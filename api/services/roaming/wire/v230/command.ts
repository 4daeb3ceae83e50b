import type { Static } from 'typebox';
import {
  type CommandBody as CommandBody221,
  commandBodyWith,
} from '#api/services/roaming/wire/v221/command.ts';
import { storedType, tokenTypes } from './token.ts';

/** The bodies of all commands (OCPI 2.3.0): those of 2.2.1 with its token types. */
export const CommandBody = commandBodyWith(tokenTypes);

/** Converts the body of a command to the form of 2.2.1. */
export function command221({ token, ...same }: Static<typeof CommandBody>): CommandBody221 {
  return { ...same, ...(token && { token: { ...token, type: storedType(token.type) } }) };
}
