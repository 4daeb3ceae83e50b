import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { CommandEffect } from '#shared/domain/commands/command-effects.ts';
import type { CommandResult } from '#shared/domain/commands/commands.ts';
import type { ActionOf } from '#shared/ocpp/actions.ts';
import { asResponse, type RequestOf, type ResponseOf, validateRequest } from '#shared/ocpp/validators.ts';
import { UnsendableCommand } from './unsendable.ts';

/** CALL to a charger, with the decoder of its answer. */
export interface OutgoingCall {
  action: string;
  request: unknown;
  /** Change of stored data when the charger accepts; null for none. */
  effect: CommandEffect | null;
  /** @throws {InvalidPayload} when the answer breaks its schema. */
  decode(response: unknown): CommandResult;
}

/** Statuses that mean acceptance, over all actions of all versions. */
const yes = new Set([
  'Accepted',
  'AcceptedCanceled',
  'RebootRequired',
  'Scheduled',
  'Unlocked',
  'Unpublished',
]);

/**
 * Returns whether an answer accepts, and its status. An answer with several results (SetVariables) accepts when each
 * result does; an answer without a status (GetLocalListVersion) accepts by its presence.
 */
export function outcomeOf(answer: object): { accepted: boolean; status: string | null } {
  if ('status' in answer && typeof answer.status === 'string') {
    return { accepted: yes.has(answer.status), status: answer.status };
  }
  const statuses = Object.values(answer)
    .filter((list) => Array.isArray(list))
    .flat()
    .map((part: unknown) => partStatus(part))
    .filter((status) => status !== null);
  return { accepted: statuses.every((status) => yes.has(status)), status: null };
}

function partStatus(part: unknown): string | null {
  if (typeof part !== 'object' || part === null) return null;
  const { status, attributeStatus = status } = part as Record<string, unknown>;
  return typeof attributeStatus === 'string' ? attributeStatus : null;
}

/**
 * Returns a call with this request, which must be valid, and its effect. `details` reads more from the answer than its acceptance.
 * @throws {UnsendableCommand} when the standard does not allow it; `what` describes the purpose of the call.
 */
export function outgoingCall<Version extends OcppVersion, Action extends ActionOf<Version>>(
  version: Version,
  action: Action,
  request: RequestOf<Version, Action>,
  what: string,
  {
    effect = null,
    details = () => ({}),
  }: {
    effect?: CommandEffect | null;
    details?: (answer: ResponseOf<Version, Action>) => Partial<CommandResult>;
  } = {},
): OutgoingCall {
  const problem = validateRequest(version, action, request);
  if (problem !== null) throw new UnsendableCommand(`OCPP ${version} cannot ${what}: ${problem.message}`);
  return {
    action,
    request,
    effect,
    decode(response) {
      const answer = asResponse(version, action, response);
      return { ...outcomeOf(answer as object), payload: answer, transactionId: null, ...details(answer) };
    },
  };
}
