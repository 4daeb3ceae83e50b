import { type OutgoingCall, outcomeOf } from '#gateway/protocol/outgoing-call.ts';
import type { Protocol } from '#gateway/protocol/protocol.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type ActionOf, actionsOf, isKnownAction, isSentByUs } from '#shared/ocpp/actions.ts';
import { asResponse, validateRequest } from '#shared/ocpp/validators.ts';

/** Returns the actions of a version that may be sent to a charger. */
function sendableActions(version: OcppVersion): string[] {
  return actionsOf(version).filter((action) => isSendable(version, action));
}

function isSendable<Version extends OcppVersion>(
  version: Version,
  action: string,
): action is ActionOf<Version> {
  return isKnownAction(version, action) && isSentByUs(version, action);
}

/**
 * Returns a call of any action of a version; its payload must conform to the standard. The effect is decoded from the payload.
 * @throws {DomainError} ACTION_UNKNOWN with the list of actions, VALIDATION_FAILED with the field.
 */
export function anyCall(
  { version, effectOf }: Pick<Protocol, 'version' | 'effectOf'>,
  { action, payload }: { action: string; payload: unknown },
): OutgoingCall {
  if (!isSendable(version, action)) {
    const actions = sendableActions(version);
    const listed = actions.join(', ');
    throw new DomainError(
      'ACTION_UNKNOWN',
      `OCPP ${version}, which this charger speaks, has no action ${action} that a charger takes; it has ${listed}.`,
      { ocppVersion: version, actions },
    );
  }
  const problem = validateRequest(version, action, payload);
  if (problem !== null) {
    const field = problem.path.slice(1).replaceAll('/', '.');
    const message = `The payload breaks the schema of ${action} in OCPP ${version}: ${problem.message}.`;
    throw new DomainError('VALIDATION_FAILED', message, { errors: [{ field, message: problem.message }] });
  }
  return {
    action,
    request: payload,
    effect: effectOf(action, payload),
    decode(response) {
      const answer: object = asResponse(version, action, response);
      const { transactionId = null } = answer as { transactionId?: string };
      return { ...outcomeOf(answer), payload: answer, transactionId };
    },
  };
}
