import { commandBodyWith } from '#api/services/roaming/wire/v221/command.ts';
import { ocpiTokenTypes } from '#shared/domain/roaming/roaming.ts';

/** The bodies of all commands (OCPI 2.3.0): those of 2.2.1 with its token types. */
export const CommandBody = commandBodyWith(ocpiTokenTypes);
