import { isKnownAction } from '#shared/ocpp/actions.ts';
import { featuresOf, type OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { validateResponse } from '#shared/ocpp/validators.ts';

/** Codes of 2.0.1 and 2.1. */
const common = [
  'NotImplemented',
  'NotSupported',
  'FormatViolation',
  'PropertyConstraintViolation',
  'OccurrenceConstraintViolation',
  'TypeConstraintViolation',
  'RpcFrameworkError',
];

/** The codes that a CALLERROR may have (1.6J §4.2.3, 2.0.1 part 4 §4.3), ours for a fault of our own left out. */
const codes: Record<OcppVersion, ReadonlySet<unknown>> = {
  '1.6': new Set([
    'NotImplemented',
    'NotSupported',
    'FormationViolation',
    'PropertyConstraintViolation',
    'OccurenceConstraintViolation',
    'TypeConstraintViolation',
  ]),
  '2.0.1': new Set([...common, 'MessageTypeNotSupported']),
  '2.1': new Set(common),
};

/** Expected answer to a text: the message id, and the action where it is one of the version's. */
export interface Expected {
  id: string;
  action: string | null;
}

/**
 * The one answer that a text message gets, judged only by the standard; null for an answer, which gets none, and in a version
 * with SEND for a message of any other type than CALL.
 */
export function expectedAnswer(text: string, version: OcppVersion): Expected | null {
  const { hasSend } = featuresOf(version);
  let message: unknown;
  try {
    message = JSON.parse(text.replace(/\0+$/, ''));
  } catch {
    // A malformed answer fails its call, and is not answered.
    if ((hasSend ? /^\s*\[\s*(?!"?2"?\s*,)("?)-?\d+\1\s*,/ : /^\s*\[\s*("?)[34]\1\s*,/).test(text))
      return null;
    return { id: /^\s*\[\s*("?)2\1\s*,\s*"([^"\\]{1,255})"/.exec(text)?.[2] ?? '-1', action: null };
  }
  if (!Array.isArray(message)) return { id: '-1', action: null };
  const [type, id, action] = message as unknown[];
  if (type === 3 || type === 4 || (hasSend && Number.isInteger(type) && type !== 2)) return null;
  if (typeof id !== 'string' || id.length === 0 || id.length > 255) return { id: '-1', action: null };
  if (hasSend && type !== 2) return null;
  return { id: stored(id), action: type === 2 && typeof action === 'string' ? action : null };
}

/** Returns a text as PostgreSQL stores it: unstorable characters are replaced, also in the message id. */
function stored(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}

/** Returns the fault of an answer, or null. */
export function faultOf(version: OcppVersion, expected: Expected, answer: readonly unknown[]): string | null {
  const [type, , third, description, details] = answer;
  if (type === 4) {
    if (!codes[version].has(third)) return `the code ${String(third)}`;
    if (typeof description !== 'string' || description.length > 255) return 'its description';
    return answer.length === 5 && JSON.stringify(details) === '{}' ? null : 'the form of the CALLERROR';
  }
  if (type !== 3 || answer.length !== 3) return 'no answer at all';
  const { action } = expected;
  if (action === null || !isKnownAction(version, action)) return 'a result of what is no action';
  return validateResponse(version, action, third)?.message ?? null;
}
