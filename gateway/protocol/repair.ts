import type { ValidationProblem } from '#shared/ocpp/validators.ts';

/** A message has few fields; one that needs more than this is not worth it. */
const mostRepairs = 200;

/**
 * A copy of a payload that breaks its schema, with what can be put right without loss put right: `null` for a
 * field that was left out, and numbers that were sent as text. A charger that is refused a stop for such a thing
 * repeats it for ever. What is wrong otherwise stays wrong.
 */
export function repair(payload: unknown, problemOf: (payload: unknown) => ValidationProblem | null): unknown {
  const copy = structuredClone(payload);
  for (let n = 0; n < mostRepairs; n += 1) {
    const problem = problemOf(copy);
    if (problem?.kind !== 'type' || !repairAt(copy, problem.path)) break;
  }
  return copy;
}

/** Puts the value at a JSON pointer right; tells whether it could. */
function repairAt(payload: unknown, pointer: string): boolean {
  const keys = pointer.split('/').slice(1).map(unescapeKey);
  const last = keys.pop();
  let holder = payload;
  for (const key of keys) holder = isHolder(holder) ? holder[key] : undefined;
  if (last === undefined || !isHolder(holder)) return false;
  const value = holder[last];
  if (value === null && !Array.isArray(holder)) return delete holder[last];
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim())) {
    holder[last] = Number(value);
    return true;
  }
  return false;
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** RFC 6901, section 4. */
function unescapeKey(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}
