import type { ShardContext } from '#gateway/handlers/context.ts';
import { CallFault } from '#gateway/frame/errors.ts';
import { type RequestOf, type ResponseOf, validateRequest } from '#shared/ocpp/validators.ts';
import type { ActionOf } from '#shared/ocpp/actions.ts';
import type { OcppVersion } from '#shared/domain/fleet/charger.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import type { ServeAction } from './protocol.ts';
import { dropInvalidFields, repair } from './repair.ts';

/** The steps of one action: wire → domain → handler → domain → wire. */
export interface ActionSteps<Request, Message, Answer, Response> {
  /**
   * Translates the request; it has passed its schema. Readings are put right by the charger's meter overrides.
   * `isPartial`: it passed without fields that broke it (`standIns`).
   */
  message(
    request: Request,
    receivedAt: Date,
    overrides: readonly MeterOverride[],
    isPartial: boolean,
  ): Message;
  /**
   * For a payload that breaks its schema and is taken all the same, without the fields that do: what stands for those that
   * are required. Null: it is refused.
   */
  substitutes?: (payload: unknown) => Partial<Request> | null;
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
      const { request, isPartial } = checked(version, action, payload, steps.substitutes);
      const message = steps.message(request, context.receivedAt, context.meterOverrides, isPartial);
      const answer = await steps.handle(context, message, request);
      return steps.response(answer, context.receivedAt);
    },
  ];
}

function checked<Version extends OcppVersion, Action extends ActionOf<Version>>(
  version: Version,
  action: Action,
  payload: unknown,
  standInsOf: (payload: unknown) => Partial<RequestOf<Version, Action>> | null = () => null,
): { request: RequestOf<Version, Action>; isPartial: boolean } {
  type Request = RequestOf<Version, Action>;
  const problemOf = (said: unknown) => validateRequest(version, action, said);
  if (problemOf(payload) === null) return { request: payload as Request, isPartial: false };
  // Only what does not pass is looked at again: the good way stays as short as it is.
  const repaired = repair(payload, problemOf);
  const problem = problemOf(repaired);
  if (problem === null) return { request: repaired as Request, isPartial: false };
  const substitutes = standInsOf(repaired);
  const rest = substitutes === null ? null : dropInvalidFields(repaired, substitutes, problemOf);
  if (rest === null) throw new CallFault(problem.kind, problem.message);
  return { request: rest as Request, isPartial: true };
}
