import { type Static, Type } from 'typebox';
import { DateTime, Named, OneOf, Str } from '#api/routes/schema.ts';
import { CommandResponse, commandResponse, DisplayTexts } from '#api/routes/ocpi/standard/command.ts';
import type { CommandRecord } from '#api/services/roaming/commands/accept.ts';
import { displayTexts } from '#api/services/roaming/wire/v221/command-result.ts';
import { commandResults, commandTypes } from '#shared/domain/roaming/ocpi-command.ts';

/** Command with its response and its result. */
export const Command = Named('OcpiCommand', {
  command_id: Str('Command identifier, chosen by the caller.'),
  command: OneOf(commandTypes, 'OCPI command.'),
  response: CommandResponse,
  result: Type.Optional(
    Type.Object(
      { result: OneOf(commandResults, 'Outcome (OCPI).'), message: Type.Optional(DisplayTexts) },
      { description: 'Result as POSTed to response_url. Absent before it.' },
    ),
  ),
  session_id: Type.Optional(Str('Session that the command started, or concerns.')),
  created_at: DateTime('Time the command was received.'),
  result_at: Type.Optional(DateTime('Time of the result. Absent before it.')),
});

export function commandView(command: CommandRecord): Static<typeof Command> {
  const { result, resultMessage, sessionUuid, resultAt } = command;
  return {
    command_id: command.commandId,
    command: command.type,
    response: commandResponse(command),
    ...(result !== null && {
      result: { result, ...(resultMessage !== null && { message: displayTexts(resultMessage) }) },
    }),
    ...(sessionUuid !== null && { session_id: sessionUuid }),
    created_at: command.createdAt.toISOString(),
    ...(resultAt !== null && { result_at: resultAt.toISOString() }),
  };
}
