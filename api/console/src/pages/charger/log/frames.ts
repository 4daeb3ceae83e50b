import type { Exchange, Message } from './exchange-log.ts';

/** Content of a frame; null when it is no JSON, as after a cut. */
export interface Frame {
  payload: unknown;
}

const frames = new WeakMap<Message, Frame | null>();

/** Returns the payload of a frame: of an error its code, description and details. */
export function frameOf(message: Message): Frame | null {
  const known = frames.get(message);
  if (known !== undefined) return known;
  const frame = parse(message);
  frames.set(message, frame);
  return frame;
}

function parse({ payload, kind }: Message): Frame | null {
  try {
    const parts: unknown = JSON.parse(payload);
    if (kind === 'broken' || !Array.isArray(parts)) return null;
    if (kind === 'error')
      return { payload: { errorCode: parts[2], errorDescription: parts[3], errorDetails: parts[4] } };
    return { payload: parts[kind === 'call' ? 3 : 2] };
  } catch {
    return null;
  }
}

/** Outcome of an exchange: the status in the answer, the code of an error, or the kind of what is missing. */
export interface Outcome {
  kind: 'answered' | 'refused' | 'error' | 'broken' | 'unanswered';
  /** Word of the charger or the gateway; null: the answer has no status. */
  word: string | null;
}

/** Statuses of answers that do not do what was requested. */
const refusals =
  /^(Rejected|Fail|Fault|Blocked|Expired|Invalid|Not|Unknown|Unlocked?Failed|Occupied|Unavailable|Version|No)/;

export function outcomeOf({ call, answer }: Exchange): Outcome {
  if (call?.kind === 'broken') return { kind: 'broken', word: null };
  if (answer === null) return { kind: 'unanswered', word: null };
  if (answer.kind === 'error') return { kind: 'error', word: answer.errorCode };
  const word = statusOf(frameOf(answer)?.payload);
  return { kind: word !== null && refusals.test(word) ? 'refused' : 'answered', word };
}

function statusOf(payload: unknown): string | null {
  for (const holder of [payload, field(payload, 'idTagInfo'), field(payload, 'idTokenInfo')]) {
    const status = field(holder, 'status');
    if (typeof status === 'string') return status;
  }
  return null;
}

/** Returns the OCPP transaction identifier that an exchange names. */
export function transactionOf({ call, answer }: Exchange): string | null {
  for (const message of [call, answer]) {
    const payload = message === null ? null : frameOf(message)?.payload;
    for (const holder of [payload, field(payload, 'transactionInfo')]) {
      const id = field(holder, 'transactionId');
      if ((typeof id === 'string' && id !== '') || (typeof id === 'number' && id > 0)) return String(id);
    }
  }
  return null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Maximum length of a payload in a row; more is not visible. */
const maxSummary = 300;

/** Returns the payload of the call, or of the frame by itself, in one line. */
export function summaryOf({ call, answer }: Exchange): string {
  const message = call ?? answer;
  if (message === null) return '';
  const frame = frameOf(message);
  return (frame === null ? message.payload : JSON.stringify(frame.payload)).slice(0, maxSummary);
}

/** Returns the direction of the call: `in` from the charger. */
export function directionOf({ call, answer }: Exchange): 'in' | 'out' {
  if (call !== null) return call.direction;
  return answer?.direction === 'in' ? 'out' : 'in';
}

/** Returns the OCPP message identifier, or for a broken frame that of the frame. */
export function messageIdOf({ call, answer, key }: Exchange): string {
  return call?.messageId ?? answer?.messageId ?? key;
}
