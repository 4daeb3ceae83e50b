import type { Commit } from '#gateway/wal/commit.ts';
import type { ShardContext } from '#gateway/handlers/context.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { CommandEffect } from '#shared/domain/commands/command-effects.ts';
import type { NamedCommand } from '#shared/domain/commands/commands.ts';
import type { DividedRequest } from './divided-request.ts';
import type { OutgoingCall } from './outgoing-call.ts';

/** Result of a served call. */
export interface Served {
  /** Payload of the CALLRESULT. */
  payload: unknown;
  /** Group commit after which the CALLRESULT may be sent; null: now. */
  commit: Commit | null;
}

/** Serves one action of a charger: validates the payload, runs the handler. Nearly all readings are served at once. */
export type ServeAction = (context: ShardContext, payload: unknown) => Served | Promise<Served>;

/**
 * Encoders of commands for a version.
 * @throws {UnsendableCommand} when the version has no message for the command.
 */
export type NamedCommands = {
  [Type in NamedCommand['type']]: (command: Extract<NamedCommand, { type: Type }>) => OutgoingCall;
};

/** Version of OCPP: the table that joins its messages to the version-free handlers. */
export interface Protocol {
  version: OcppVersion;
  /** Name of the WebSocket sub-protocol. */
  subprotocol: string;
  actions: ReadonlyMap<string, ServeAction>;
  /** Messages that the charger sends without an answer (SEND). */
  sends: ReadonlyMap<string, ServeAction>;
  commands: NamedCommands;
  /** Returns the effect of a call that a client encoded, or null for none. The request must be valid. */
  effectOf(action: string, request: unknown): CommandEffect | null;
  /** Returns how a valid request is divided into messages, or null for a single message. */
  divided(action: string, request: unknown): DividedRequest | null;
}
