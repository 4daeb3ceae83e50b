import type { ShardContext } from '#gateway/handlers/context.ts';
import { CallFault } from '#gateway/frame/errors.ts';
import {
  type RequestOf,
  requestCheck,
  type ResponseOf,
  type ValidationProblem,
} from '#shared/ocpp/validators.ts';
import type { ActionOf } from '#shared/ocpp/actions.ts';
import type { OcppVersion } from '#shared/domain/fleet/charger.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import type { Commit } from '#gateway/wal/commit.ts';
import type { ServeAction, Served } from './protocol.ts';
import { dropInvalidFields, repair } from './repair.ts';

/** Steps of one action: wire → domain → handler → domain → wire. */
export interface ActionSteps<Request, Message, Answer, Response> {
  /**
   * Translates the valid request. Readings are corrected by the charger's meter overrides.
   * @param isPartial true when invalid fields were dropped (`substitutes`).
   */
  message(
    request: Request,
    receivedAt: Date,
    overrides: readonly MeterOverride[],
    isPartial: boolean,
  ): Message;
  /**
   * Returns values for required fields of an invalid payload that is accepted without its invalid fields; null refuses
   * it.
   */
  substitutes?: (payload: unknown) => Partial<Request> | null;
  handle(context: ShardContext, message: Message, request: Request): Answer | Promise<Answer>;
  /** Translates the handler's answer. */
  response(answer: Answer, receivedAt: Date): Response;
  /** Returns the commit that the answer waits for, of an action with readings. */
  commit?(answer: Answer): Commit | null;
}

/** Combines an action's schema, translators and handler. */
export function serve<Version extends OcppVersion, Action extends ActionOf<Version>, Message, Answer>(
  version: Version,
  action: Action,
  steps: ActionSteps<RequestOf<Version, Action>, Message, Answer, ResponseOf<Version, Action>>,
): [Action, ServeAction] {
  const problemOf = requestCheck(version, action);
  const served = (context: ShardContext, answer: Answer): Served => ({
    payload: steps.response(answer, context.receivedAt),
    commit: steps.commit?.(answer) ?? null,
  });
  return [
    action,
    (context, payload) => {
      const { receivedAt, meterOverrides } = context;
      const problem = problemOf(payload);
      // Only an invalid payload is examined again: valid ones cost no extra work.
      const { request, isPartial } =
        problem === null
          ? { request: payload as RequestOf<Version, Action>, isPartial: false }
          : repaired(payload, problemOf, steps.substitutes);
      const message = steps.message(request, receivedAt, meterOverrides, isPartial);
      const answer = steps.handle(context, message, request);
      return answer instanceof Promise
        ? answer.then((settled: Answer) => served(context, settled))
        : served(context, answer);
    },
  ];
}

/** Returns an invalid payload without its known deviations, or without its invalid fields. */
function repaired<Request>(
  payload: unknown,
  problemOf: (payload: unknown) => ValidationProblem | null,
  substitutesOf: (payload: unknown) => Partial<Request> | null = () => null,
): { request: Request; isPartial: boolean } {
  const whole = repair(payload, problemOf);
  const problem = problemOf(whole);
  if (problem === null) return { request: whole as Request, isPartial: false };
  const substitutes = substitutesOf(whole);
  const rest = substitutes === null ? null : dropInvalidFields(whole, substitutes, problemOf);
  if (rest === null) throw new CallFault(problem.kind, problem.message);
  return { request: rest as Request, isPartial: true };
}
