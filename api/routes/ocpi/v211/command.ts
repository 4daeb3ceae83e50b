import { Named, OneOf } from '#api/routes/schema.ts';
import { commandResponses211 } from '#api/services/roaming/wire/v211/command.ts';

/** Response to a command (OCPI 2.1.1 mod_commands §3.1). */
export const CommandResponse = Named('Ocpi211CommandResponse', {
  result: OneOf(commandResponses211, 'Outcome (OCPI).'),
});
