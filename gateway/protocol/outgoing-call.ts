import type { OcppVersion } from '#shared/domain/fleet/charger.ts';
import type { CommandResult } from '#shared/domain/commands/commands.ts';
import type { ActionOf } from '#shared/ocpp/actions.ts';
import { asResponse, type RequestOf, type ResponseOf, validateRequest } from '#shared/ocpp/validators.ts';
import { UnsendableCommand } from './unsendable.ts';

/** A CALL to a charger, and what its answer means. */
export interface OutgoingCall {
  action: string;
  request: unknown;
  /** @throws {InvalidPayload} the answer breaks its schema. */
  decode(response: unknown): CommandResult;
}

/** The words with which a charger says yes, over all actions of both versions. */
const yes = new Set([
  'Accepted',
  'AcceptedCanceled',
  'RebootRequired',
  'Scheduled',
  'Unlocked',
  'Unpublished',
]);

/**
 * Whether an answer says yes, and its status word. Answers about several things (SetVariables) say yes when each
 * part of them does; those that only tell something (GetLocalListVersion) do so by being there.
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
 * The call with this request, which keeps to the standard; `details` reads more from the answer than whether it
 * says yes.
 * @throws {UnsendableCommand} the standard does not allow it; `what` says in words what it was to do.
 */
export function outgoingCall<Version extends OcppVersion, Action extends ActionOf<Version>>(
  version: Version,
  action: Action,
  request: RequestOf<Version, Action>,
  what: string,
  details: (answer: ResponseOf<Version, Action>) => Partial<CommandResult> = () => ({}),
): OutgoingCall {
  const problem = validateRequest(version, action, request);
  if (problem !== null) throw new UnsendableCommand(`OCPP ${version} cannot ${what}: ${problem.message}`);
  return {
    action,
    request,
    decode(response) {
      const answer = asResponse(version, action, response);
      return { ...outcomeOf(answer as object), payload: response, transactionId: null, ...details(answer) };
    },
  };
}
