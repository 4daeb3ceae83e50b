import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { operation } from '#api/routes/operation.ts';
import { Formed } from '#api/routes/schema.ts';
import type { App } from '#api/plugins/app-instance.ts';
import { partnerOf } from '#api/plugins/ocpi-partner.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { readCommand, acceptCommand } from '#api/services/roaming/commands/accept.ts';
import type { ImmediateAnswer } from '#api/services/roaming/commands/requests.service.ts';
import { CommandBody, sentCommand } from '#api/services/roaming/wire/v221/command.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { ocpiStatus } from '#shared/domain/roaming/ocpi.ts';
import { commandTypes } from '#shared/domain/roaming/ocpi-command.ts';
import { Command, commandView } from './documented/command.ts';
import { OcpiEnvelope, ocpiDone, ocpiErrors, ocpiSuccess } from './envelope.ts';
import { partnerRequest } from './requests.routes.ts';
import type { Form } from './form.ts';
import { commandResponses } from './standard/surface.ts';
import { surfaces } from './surfaces.ts';

const config = { ocpiModule: 'commands' };
const CommandName = Type.String({ minLength: 1, maxLength: 36, description: commandTypes.join(', ') });
const CommandId = Formed('1 to 64 visible ASCII characters', '^[!-~]+$', {
  minLength: 1,
  maxLength: 64,
  description: 'Command identifier, chosen by the caller.',
});
const description =
  'The result follows at response_url. A repeat gets the first response and sends no command. An unknown ' +
  'location, EVSE or connector gets status_code 2003.';
const responseOf = ({ schema }: Form<ImmediateAnswer>) => ({
  200: OcpiEnvelope(schema, 'Response to the command.'),
  ...ocpiErrors(),
});

/** Registers the routes of partners' commands to chargers (OCPI 2.2.1 §13), on all surfaces. */
export function commandRoutes(app: App, deps: ApiDeps): void {
  const take = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    commandId: string | null,
    body: CommandBody,
    { view }: Form<ImmediateAnswer>,
  ) => {
    const type = commandTypes.find((candidate) => candidate === name.toUpperCase());
    if (type === undefined) {
      const message = `Unknown command ${name}.`;
      return ocpiSuccess(view({ answer: 'NOT_SUPPORTED', message, statusCode: ocpiStatus.success }));
    }
    const requested = { ...partnerRequest(request, reply, body.response_url), commandId };
    const answer = await acceptCommand(deps, requested, sentCommand(type, requested.partner, body));
    return { data: view(answer), ...ocpiDone(), ...failing(answer) };
  };

  operation(app, 'POST /cpo/2.2/commands/:command/:command_id', config, {
    operationId: 'ocpiSendCommand22',
    summary: 'Send a command with an identifier of the caller',
    description,
    params: Type.Object({ command: CommandName, command_id: CommandId }),
    body: CommandBody,
    response: responseOf(commandResponses),
    handler: (request, reply) => {
      const { command, command_id: commandId } = request.params;
      return take(request, reply, command, commandId, request.body, commandResponses);
    },
  });

  operation(app, 'GET /cpo/2.2/commands/:command_id', config, {
    operationId: 'ocpiGetCommand22',
    summary: 'Get a command of the calling party and its result',
    description:
      'The command as it was sent, with its response and, once the charger answered, its result. Commands of ' +
      'other partners are not found.',
    params: Type.Object({ command_id: CommandId }),
    response: { 200: OcpiEnvelope(Command, 'The command.'), ...ocpiErrors('COMMAND_NOT_FOUND') },
    handler: async (request) => {
      const { command_id: commandId } = request.params;
      const command = await readCommand(deps, partnerOf(request), commandId);
      if (command === null) {
        throw new DomainError('COMMAND_NOT_FOUND', `No command ${commandId} of the caller.`);
      }
      return ocpiSuccess(commandView(command));
    },
  });

  if (!deps.settings.ocpiStrict) return;
  for (const { version, end, command, commandResponse } of surfaces) {
    operation(app, `POST /cpo/${version}/commands/:command`, config, {
      operationId: `ocpiSendCommand${end}`,
      summary: 'Send a command',
      description,
      params: Type.Object({ command: CommandName }),
      body: command.schema,
      response: responseOf(commandResponse),
      handler: (request, reply) => {
        const body = command.read(request.body, undefined);
        return take(request, reply, request.params.command, null, body, commandResponse);
      },
    });
  }
}

/** Response with another status code than success. */
function failing({ statusCode, message }: { statusCode: number; message: string | null }) {
  if (statusCode === ocpiStatus.success) return {};
  return { status_code: statusCode, ...(message !== null && { status_message: message }) };
}
