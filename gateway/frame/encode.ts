/** Encodes a CALL: [2, id, action, payload]. */
export function encodeCall(id: string, action: string, payload: unknown): string {
  return `[2,${JSON.stringify(id)},${JSON.stringify(action)},${JSON.stringify(payload)}]`;
}

/** Payload without fields. */
export const noFields = Object.freeze({});

/** Encodes a CALLRESULT: [3, id, payload]. */
export function encodeResult(id: string, payload: unknown): string {
  return `[3,${JSON.stringify(id)},${payload === noFields ? '{}' : JSON.stringify(payload)}]`;
}

/** Maximum length of a CALLERROR description (1.6J §4.2.3, 2.0.1 part 4 §4.2.3). */
const longestDescription = 255;

/** Encodes a CALLERROR: [4, id, code, description, {}]. */
export function encodeError(id: string, code: string, description: string): string {
  return encodeErrorOf(4, id, code, description);
}

/** Encodes a CALLRESULTERROR: [5, id, code, description, {}]. */
export function encodeResultError(id: string, code: string, description: string): string {
  return encodeErrorOf(5, id, code, description);
}

function encodeErrorOf(type: number, id: string, code: string, description: string): string {
  return `[${type},${JSON.stringify(id)},${JSON.stringify(code)},${JSON.stringify(description.slice(0, longestDescription))},{}]`;
}
