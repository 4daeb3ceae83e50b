import type { ShardContext } from '#gateway/handlers/context.ts';
import type { OcppVersion } from '#shared/domain/fleet/charger.ts';
import type { CommandEffect } from '#shared/domain/commands/command-effects.ts';
import type { ChargerCommandType, NamedCommand } from '#shared/domain/commands/commands.ts';
import type { DividedRequest } from './divided-request.ts';
import type { OutgoingCall } from './outgoing-call.ts';

/** Serves one action of a charger: checks the payload, handles it, and gives the payload of the CALLRESULT. */
export type ServeAction = (context: ShardContext, payload: unknown) => Promise<unknown>;

/**
 * How each command is said in a version.
 * @throws {UnsendableCommand} the version cannot say it.
 */
export type NamedCommands = {
  [Type in Exclude<ChargerCommandType, 'ocpp'>]: (
    command: Extract<NamedCommand, { type: Type }>,
  ) => OutgoingCall;
};

/** A version of OCPP, whole: the one visible table that joins its messages to the version-free handlers. */
export interface Protocol {
  version: OcppVersion;
  /** The name of the WebSocket sub-protocol. */
  subprotocol: string;
  actions: ReadonlyMap<string, ServeAction>;
  commands: NamedCommands;
  /** What a call changes at the charger when it accepts; null: nothing that is kept. The request is a valid one. */
  effectOf(action: string, request: unknown): CommandEffect | null;
  /** Returns how a valid request is divided into messages; null: it goes as one. */
  divided(action: string, request: unknown): DividedRequest | null;
}
