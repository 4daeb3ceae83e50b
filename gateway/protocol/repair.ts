import { isHolder, keysOf, valueAt } from '#shared/ocpp/json-pointer.ts';
import type { ValidationProblem } from '#shared/ocpp/validators.ts';

/** Maximum number of rounds; each corrects one field, and no message has more fields. */
const maxRounds = 100;

/** Validator of a payload; returns null when it is valid. */
type Judge = (payload: unknown) => ValidationProblem | null;

/**
 * Returns a copy of an invalid payload with corrections that lose nothing: an absent optional field sent as `null`,
 * and numbers sent as text. A charger repeats a refused stop without end. Other faults remain.
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
 * Returns a copy of a payload without its invalid fields, or null when it is useless without them; `substitutes`
 * replace required fields. A field is dropped as a whole, except for `transactionInfo`, which names the transaction.
 */
export function dropInvalidFields(
  payload: unknown,
  substitutes: Record<string, unknown>,
  problemOf: Judge,
): unknown {
  let rest: unknown = payload;
  for (let round = 0; round < maxRounds; round += 1) {
    // Removing a field may reveal a fault that can be corrected.
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
 * Corrects the field of a JSON pointer; returns false when it cannot. All items of a list are corrected at once: a
 * charger makes the same error in each, and each round validates the whole payload again.
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

/**
 * Corrects one kind of fault in a field; returns true when the fault was present. Text that looks like a number may be
 * text.
 */
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
