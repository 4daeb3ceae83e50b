import { type Static, Type } from 'typebox';
import { Integer, Named, OneOf, Str } from '#api/routes/schema.ts';
import type { ImmediateAnswer } from '#api/services/roaming/commands/requests.service.ts';
import { displayTexts } from '#api/services/roaming/wire/v221/command-result.ts';
import { commandAnswers, commandTimeoutSeconds } from '#shared/domain/roaming/ocpi-command.ts';

export const DisplayTexts = Type.Array(
  Type.Object({
    language: Str('Language (ISO 639-1).'),
    text: Str('Text in this language.'),
  }),
);

/** Response to a command (OCPI 2.2.1 §13.3.2, CommandResponse). */
export const CommandResponse = Named('OcpiCommandResponse', {
  result: OneOf(
    commandAnswers.filter((answer) => answer !== 'TOO_OFTEN'),
    'Outcome (OCPI).',
  ),
  timeout: Integer('Seconds within which the result is sent.'),
  message: Type.Optional(DisplayTexts),
});

export function commandResponse({ answer, message }: ImmediateAnswer): Static<typeof CommandResponse> {
  return {
    result: answer as Static<typeof CommandResponse>['result'],
    timeout: commandTimeoutSeconds,
    ...(message !== null && { message: displayTexts(message) }),
  };
}
