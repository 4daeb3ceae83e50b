import type { BrokenFrame, CallFrame, ErrorFrame, Frame } from './frame.ts';

const CALL = 2;
const CALLRESULT = 3;
const CALLERROR = 4;
const CALLRESULTERROR = 5;
const SEND = 6;

/** Maximum length of a message id. The standard allows 36 characters; some firmware sends more. */
const longestId = 255;

/**
 * Parses a text message. Never throws: a malformed message is returned as a broken frame.
 * @param hasSend whether the version has SEND and CALLRESULTERROR.
 */
export function parseFrame(text: string, hasSend: boolean): Frame | BrokenFrame {
  let message: unknown;
  try {
    message = JSON.parse(storable(withoutPadding(text)));
  } catch {
    return classifyUnparsed(text, hasSend);
  }
  if (!Array.isArray(message)) return { kind: 'broken', id: null, fault: 'not-a-frame' };
  const [sentType, id] = message as unknown[];
  // Some chargers write the type as text. An answer is never answered, however it is written.
  const type = sentType === '3' || sentType === '4' ? Number(sentType) : sentType;
  const isUnanswerable =
    type === CALLRESULT || type === CALLERROR || (hasSend && Number.isInteger(type) && type !== CALL);
  if (!isId(id)) return { kind: 'broken', id: null, fault: isUnanswerable ? 'unanswerable' : 'not-a-frame' };
  switch (type) {
    case CALL:
      return isTooDeep(text) ? { kind: 'broken', id, fault: 'too-deep' } : parseCall('call', id, message);
    case CALLRESULT:
      return isTooDeep(text)
        ? unreadable(id, 'nested too deep')
        : { kind: 'result', id, payload: message[2] };
    case CALLERROR:
      return isTooDeep(text) ? unreadable(id, 'nested too deep') : parseError('error', id, message);
    default:
      return hasSend
        ? parseAdded(text, type, id, message)
        : { kind: 'broken', id, fault: 'unknown-message-type' };
  }
}

/** Returns whether a message type is one that 2.1 added. */
function isAdded(type: unknown): boolean {
  return type === CALLRESULTERROR || type === SEND;
}

/** Parses a message of a type that 2.1 added, or of an unknown one; neither is answered. */
function parseAdded(text: string, type: unknown, id: string, message: unknown[]): Frame | BrokenFrame {
  const unanswerable: BrokenFrame = { kind: 'broken', id, fault: 'unanswerable' };
  if (!isAdded(type) || isTooDeep(text)) return unanswerable;
  if (type === CALLRESULTERROR) return parseError('result-error', id, message);
  const frame = parseCall('send', id, message);
  return frame.kind === 'broken' ? unanswerable : frame;
}

function parseCall(
  kind: CallFrame['kind'],
  id: string,
  [, , action, payload]: unknown[],
): Frame | BrokenFrame {
  if (typeof action !== 'string') return { kind: 'broken', id, fault: 'not-a-frame' };
  return { kind, id, action, payload };
}

function parseError(
  kind: ErrorFrame['kind'],
  id: string,
  [, , code, description, details]: unknown[],
): Frame {
  return {
    kind,
    id,
    code: typeof code === 'string' ? code : 'GenericError',
    description: typeof description === 'string' ? description : '',
    details,
  };
}

/** Returns an unreadable answer as a refusal, so that its call fails at once. */
function unreadable(id: string, description: string): Frame {
  return { kind: 'error', id, code: 'GenericError', description, details: {} };
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id.length > 0 && id.length <= longestId;
}

/**
 * Maximum nesting. OCPP's own messages have ten levels, and chargers add a few; deeper ones cost stack in every step.
 */
const maxLevels = 64;

const quote = 0x22;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Returns true when JSON text is nested beyond the maximum. */
function isTooDeep(text: string): boolean {
  // Nearly every message has fewer brackets in all.
  if (!hasMore(text, '[', maxLevels / 2) && !hasMore(text, '{', maxLevels / 2)) return false;
  let levels = 0;
  for (let index = 0; index < text.length; index += 1) {
    const sign = text.charCodeAt(index);
    if (sign === quote) index = endOfString(text, index);
    else if (sign === openList || sign === openObject) levels += 1;
    else if (sign === closeList || sign === closeObject) levels -= 1;
    if (levels > maxLevels) return true;
  }
  return false;
}

/** Returns true when a text has a sign more than `most` times. */
function hasMore(text: string, sign: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

/** Returns the index of the quote that ends the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = start; ;) {
    end = text.indexOf('"', end + 1);
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

/** Matches every escape, so that `\\\\ud800` is read as a backslash and letters; a surrogate pair is one match. */
const escapes = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|.)/g;

/** Matches the escapes of NUL and of lone surrogates. */
const unstorable = /^\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})$/;

/**
 * Replaces characters that PostgreSQL does not store, so that they do not make the message, or others in its batch,
 * fail.
 */
function storable(text: string): string {
  if (!text.includes('\\u')) return text;
  return text.replace(escapes, (escape) => (unstorable.test(escape) ? '\\ufffd' : escape));
}

const byteOrderMark = 0xfeff;

/** Removes the NULs and the byte order mark that some firmware puts around its texts. */
function withoutPadding(text: string): string {
  let start = 0;
  let end = text.length;
  while (text.charCodeAt(start) === 0 || text.charCodeAt(start) === byteOrderMark) start += 1;
  while (end > start && text.charCodeAt(end - 1) === 0) end -= 1;
  return end - start === text.length ? text : text.slice(start, end);
}

/** Returns a text that is no JSON by its type and id, such as `[2,"id","Action",{"transactionId":,}]`. */
function classifyUnparsed(text: string, hasSend: boolean): Frame | BrokenFrame {
  const [, , type, id = null] =
    /^[\s\0]*\[\s*("?)(-?\d+)\1\s*(?:,\s*(?:"([^"\\]{1,255})")?|$)/.exec(text) ?? [];
  const isAnswer = type === '3' || type === '4';
  if (isAnswer && id !== null) return unreadable(id, 'no valid JSON');
  const isCall = Number(type) === CALL;
  const isUnanswerable = isAnswer || (hasSend && type !== undefined && !isCall);
  return { kind: 'broken', id: isCall ? id : null, fault: isUnanswerable ? 'unanswerable' : 'not-json' };
}
