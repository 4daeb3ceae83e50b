import type { ShardContext } from '#gateway/handlers/context.ts';
import { learnLocalTime } from '#gateway/handlers/local-time.ts';
import { handleReport } from '#gateway/handlers/report.ts';
import { noFields } from '#gateway/frame/encode.ts';
import { CallFault } from '#gateway/frame/errors.ts';
import {
  type RequestOf,
  requestCheck,
  type ResponseOf,
  type ValidationProblem,
} from '#shared/ocpp/validators.ts';
import type { ActionOf } from '#shared/ocpp/actions.ts';
import type { TimedMessage } from '#shared/domain/fleet/local-time.ts';
import type { Receipt } from '#shared/domain/kernel/clock.ts';
import type { ChargerReport } from '#shared/domain/commands/charger-reports.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { MeterOverride } from '#shared/domain/fleet/meter-override.ts';
import type { Commit } from '#gateway/wal/commit.ts';
import type { ServeAction, Served } from './protocol.ts';
import { dropInvalidFields, repair } from './repair.ts';

/** Steps of one action: wire → domain → handler → domain → wire. */
interface ActionSteps<Request, Message, Answer, Response> {
  /**
   * Translates the valid request. Readings are corrected by the charger's meter overrides.
   * @param isPartial true when invalid fields were dropped (`substitutes`).
   */
  message(
    request: Request,
    receipt: Receipt,
    overrides: readonly MeterOverride[],
    isPartial: boolean,
  ): Message;
  /** Time of the request that shows whether the charger writes local time; undefined: it has none. */
  timed?(request: Request): TimedMessage | undefined;
  /** Values for required fields of an invalid payload, which is accepted without its invalid fields; absent: refuses it. */
  substitutes?: Partial<Request>;
  /** Returns the optional fields without which an invalid payload is refused. */
  essentials?(payload: unknown): readonly string[];
  handle(context: ShardContext, message: Message, request: Request): Answer | Promise<Answer>;
  /** Translates the handler's answer; absent: the response is empty. */
  response?(answer: Answer): Response;
  /** Returns the commit that the answer waits for, of an action with readings. */
  commit?(answer: Answer): Commit | null;
}

/** Returns an entry of a version's table: an action with its schema, translators and handler. */
export function serve<Version extends OcppVersion, Action extends ActionOf<Version>, Message, Answer>(
  version: Version,
  action: Action,
  steps: ActionSteps<RequestOf<Version, Action>, Message, Answer, ResponseOf<Version, Action>>,
): [Action, ServeAction] {
  const problemOf = requestCheck(version, action);
  const served = (answer: Answer): Served => ({
    payload: steps.response?.(answer) ?? noFields,
    commit: steps.commit?.(answer) ?? null,
  });
  const handled = (
    context: ShardContext,
    request: RequestOf<Version, Action>,
    isPartial: boolean,
  ): Served | Promise<Served> => {
    const { receivedAt: at, localTime, meterOverrides } = context;
    const message = steps.message(
      request,
      { at, localOffsetMs: localTime.offsetMs },
      meterOverrides,
      isPartial,
    );
    const answer = steps.handle(context, message, request);
    return answer instanceof Promise ? answer.then(served) : served(answer);
  };
  return [
    action,
    (context, payload) => {
      const problem = problemOf(payload);
      // Only an invalid payload is examined again: valid ones cost no extra work.
      const { request, isPartial } =
        problem === null
          ? { request: payload as RequestOf<Version, Action>, isPartial: false }
          : repaired(payload, problemOf, steps);
      const timed = steps.timed?.(request);
      const learning = timed === undefined ? null : learnLocalTime(context, timed);
      return learning === null
        ? handled(context, request, isPartial)
        : learning.then(() => handled(context, request, isPartial));
    },
  ];
}

/** Serves an action that only reports: it is stored, and the response is empty unless there is another. */
export function report<Version extends OcppVersion, Action extends ActionOf<Version>>(
  version: Version,
  action: Action,
  message: (request: RequestOf<Version, Action>, receipt: Receipt) => ChargerReport,
  response?: () => ResponseOf<Version, Action>,
): [Action, ServeAction] {
  return serve(version, action, { message, handle: handleReport, ...(response && { response }) });
}

/** Returns an invalid payload without its known deviations, or without its invalid fields. */
function repaired<Request>(
  payload: unknown,
  problemOf: (payload: unknown) => ValidationProblem | null,
  {
    substitutes,
    essentials = () => [],
  }: Pick<ActionSteps<Request, unknown, unknown, unknown>, 'substitutes' | 'essentials'>,
): { request: Request; isPartial: boolean } {
  const whole = repair(payload, problemOf);
  const problem = problemOf(whole);
  if (problem === null) return { request: whole as Request, isPartial: false };
  const rest =
    substitutes === undefined ? null : dropInvalidFields(whole, substitutes, essentials(whole), problemOf);
  if (rest === null) throw new CallFault(problem.kind, problem.message);
  return { request: rest as Request, isPartial: true };
}
