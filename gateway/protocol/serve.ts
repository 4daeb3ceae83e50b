import type { ShardContext } from '#gateway/handlers/context.ts';
import { CallFault } from '#gateway/frame/errors.ts';
import { type RequestOf, type ResponseOf, validateRequest } from '#shared/ocpp/validators.ts';
import type { ActionOf } from '#shared/ocpp/actions.ts';
import type { OcppVersion } from '#shared/domain/charger.ts';
import type { MeterOverride } from '#shared/domain/meter-override.ts';
import type { ServeAction } from './protocol.ts';
import { repair } from './repair.ts';

/** The steps of one action: wire → domain → handler → domain → wire. */
export interface ActionSteps<Request, Message, Answer, Response> {
  /** Translates the request; it has passed its schema. Readings are put right by the charger's meter overrides. */
  message(request: Request, receivedAt: Date, overrides: readonly MeterOverride[]): Message;
  handle(context: ShardContext, message: Message, request: Request): Promise<Answer>;
  /** Translates the handler's answer. */
  response(answer: Answer, receivedAt: Date): Response;
}

/** Joins an action's schema, its translators and its handler. */
export function serve<Version extends OcppVersion, Action extends ActionOf<Version>, Message, Answer>(
  version: Version,
  action: Action,
  steps: ActionSteps<RequestOf<Version, Action>, Message, Answer, ResponseOf<Version, Action>>,
): [Action, ServeAction] {
  return [
    action,
    async (context, payload) => {
      const request = checked(version, action, payload);
      const message = steps.message(request, context.receivedAt, context.meterOverrides);
      const answer = await steps.handle(context, message, request);
      return steps.response(answer, context.receivedAt);
    },
  ];
}

function checked<Version extends OcppVersion, Action extends ActionOf<Version>>(
  version: Version,
  action: Action,
  payload: unknown,
): RequestOf<Version, Action> {
  let problem = validateRequest(version, action, payload);
  if (problem === null) return payload as RequestOf<Version, Action>;
  // Only what does not pass is looked at again: the good way stays as short as it is.
  const repaired = repair(payload, (said) => validateRequest(version, action, said));
  problem = validateRequest(version, action, repaired);
  if (problem !== null) throw new CallFault(problem.kind, problem.message);
  return repaired as RequestOf<Version, Action>;
}
