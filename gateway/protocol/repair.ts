import type { ValidationProblem } from '#shared/ocpp/validators.ts';

/** No message has more fields; each round puts one of them right. */
const maxRounds = 100;

/** What is wrong with a payload; null: nothing. */
type Judge = (payload: unknown) => ValidationProblem | null;

/**
 * A copy of a payload that breaks its schema, with what can be put right without loss put right: `null` for a
 * field that was left out, and numbers that were sent as text. A charger that is refused a stop for such a thing
 * repeats it for ever. What is wrong otherwise stays wrong.
 */
export function repair(payload: unknown, problemOf: Judge): unknown {
  const copy = structuredClone(payload);
  for (let round = 0; round < maxRounds; round += 1) {
    const problem = problemOf(copy);
    if (problem?.kind !== 'type') break;
    const keys = keysOf(problem.path);
    const isNull = valueAt(copy, keys) === null;
    if (!repairAt(copy, keys, isNull ? leaveOut : readNumber)) break;
  }
  return copy;
}

/**
 * A copy of a payload without the fields that break its schema; `standIns` stand for those that are required. Null: it is
 * nothing without them. A field goes as a whole, but for `transactionInfo`, which names the transaction.
 */
export function dropInvalidFields(
  payload: unknown,
  substitutes: Record<string, unknown>,
  problemOf: Judge,
): unknown {
  let rest: unknown = payload;
  for (let round = 0; round < maxRounds; round += 1) {
    // What another field hid may be put right.
    const repaired = repair(rest, problemOf);
    rest = isHolder(repaired) ? { ...substitutes, ...repaired } : repaired;
    const problem = problemOf(rest);
    if (problem === null) return rest;
    const [field, part] = keysOf(problem.path);
    const isPart = field === 'transactionInfo' && part !== undefined;
    const [holder, key] = isPart ? [valueAt(rest, [field]), part] : [rest, field];
    if (key === undefined || !isHolder(holder) || !Object.hasOwn(holder, key)) return null;
    delete holder[key];
  }
  return null;
}

/**
 * Puts right what a JSON pointer's keys lead to; tells whether it could. Of a list all items are put right at once: what a
 * charger says wrong in one it says wrong in each, and each round judges the whole payload anew.
 */
function repairAt(holder: unknown, [key, ...deeper]: string[], repairField: FieldRepair): boolean {
  if (key === undefined || !isHolder(holder)) return false;
  const places = Array.isArray(holder) ? Object.keys(holder) : [key];
  let isRepaired = false;
  for (const place of places) {
    const repaired =
      deeper.length > 0 ? repairAt(holder[place], deeper, repairField) : repairField(holder, place);
    isRepaired ||= repaired;
  }
  return isRepaired;
}

/** Puts one kind of fault right in a field; tells whether it was there: text that looks like a number may be text. */
type FieldRepair = (holder: Record<string, unknown>, key: string) => boolean;

function leaveOut(holder: Record<string, unknown>, key: string): boolean {
  return holder[key] === null && !Array.isArray(holder) && delete holder[key];
}

function readNumber(holder: Record<string, unknown>, key: string): boolean {
  const value = holder[key];
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?$/.test(value.trim())) return false;
  holder[key] = Number(value);
  return true;
}

function valueAt(payload: unknown, keys: readonly string[]): unknown {
  return keys.reduce((holder, key) => (isHolder(holder) ? holder[key] : undefined), payload);
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** RFC 6901, section 4. */
function keysOf(pointer: string): string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
