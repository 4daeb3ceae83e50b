import { readNumber } from '#shared/domain/charging/meter-units.ts';
import { isHolder, keysOf, valueAt } from '#shared/ocpp/json-pointer.ts';
import type { ValidationProblem } from '#shared/ocpp/validators.ts';

/** Maximum number of rounds; each corrects one field, and no message has more fields. */
const maxRounds = 100;

/** Validator of a payload; returns null when it is valid. */
type Judge = (payload: unknown) => ValidationProblem | null;

/**
 * Returns a copy of an invalid payload with corrections that lose nothing: an absent optional field sent as `null`,
 * numbers sent as text, and the only item of a list sent without the list. A charger repeats a refused stop without end. Other faults remain.
 */
export function repair(payload: unknown, problemOf: Judge): unknown {
  const copy = structuredClone(payload);
  for (let round = 0; round < maxRounds; round += 1) {
    const problem = problemOf(copy);
    if (problem?.kind !== 'type') break;
    const keys = keysOf(problem.path);
    const isNull = valueAt(copy, keys) === null;
    if (!repairAt(copy, keys, isNull ? leaveOut : correctType)) break;
  }
  return copy;
}

/**
 * Returns a copy of a payload without its invalid fields, or null when it is useless without them, or one of them is of its
 * `essentials`; `substitutes` replace required fields. Outside lists a field is dropped as a whole, except for `transactionInfo`,
 * which names the transaction. In a list the item is dropped, since the other fields tell what its value means.
 */
export function dropInvalidFields(
  payload: unknown,
  substitutes: Record<string, unknown>,
  essentials: readonly string[],
  problemOf: Judge,
): unknown {
  let rest: unknown = payload;
  for (let round = 0; round < maxRounds; round += 1) {
    // Removing a field may reveal a fault that can be corrected.
    const repaired = repair(rest, problemOf);
    rest = isHolder(repaired) ? { ...substitutes, ...repaired } : repaired;
    const problem = problemOf(rest);
    if (problem === null) return rest;
    const keys = keysOf(problem.path);
    const list = keys.findLastIndex((_, length) => Array.isArray(valueAt(rest, keys.slice(0, length))));
    if (list === -1) {
      if (essentials.includes(keys[0] ?? '') || !dropField(rest, keys)) return null;
    } else {
      const isSame = sameFault(valueAt(rest, keys), problem);
      for (const items of everyAt(rest, keys.slice(0, list))) dropItems(items, keys.slice(list + 1), isSame);
    }
  }
  return null;
}

/** Drops a field outside lists; returns false when it is missing. */
function dropField(rest: unknown, [field, part]: readonly string[]): boolean {
  const isPart = field === 'transactionInfo' && part !== undefined;
  const [holder, key] = isPart ? [valueAt(rest, [field]), part] : [rest, field];
  return key !== undefined && isHolder(holder) && Object.hasOwn(holder, key) && delete holder[key];
}

/** Fields of an item that can be unreadable by themselves, with their substitutes. A reading without a time gets the time of its receipt. */
const separateFields = new Map<string, unknown>([
  ['timestamp', ''],
  ['signedMeterValue', undefined],
  ['customData', undefined],
]);

/** Drops all items of a list with the same fault at these keys, or only the field where it is separate. */
function dropItems(items: unknown, keys: readonly string[], isSame: (value: unknown) => boolean): void {
  if (!Array.isArray(items)) return;
  const [field = ''] = keys;
  const kept = items.filter((item: unknown) => {
    const hasField = keys.length === 0 || isHolder(valueAt(item, keys.slice(0, -1)));
    if (!hasField || !isSame(valueAt(item, keys))) return true;
    if (!isHolder(item) || !separateFields.has(field)) return false;
    item[field] = separateFields.get(field);
    return true;
  });
  items.length = 0;
  for (const item of kept) items.push(item);
}

/** Returns the values at these keys, in every item of each list on the way. */
function everyAt(json: unknown, keys: readonly string[]): unknown[] {
  return keys.reduce<unknown[]>(
    (holders, key) =>
      holders.flatMap((holder) => (Array.isArray(holder) ? holder : [valueAt(holder, [key])])),
    [json],
  );
}

/** Returns whether a value breaks the same rule as another: a charger makes the same error in each item of a list. */
function sameFault(invalid: unknown, { kind }: ValidationProblem): (value: unknown) => boolean {
  if (kind === 'property') return (value) => Object.is(value, invalid);
  return (value) => typeOf(value) === typeOf(invalid);
}

/** Returns the JSON type of a value. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
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

function correctType(holder: Record<string, unknown>, key: string): boolean {
  const value = holder[key];
  const isItem = isHolder(value) && !Array.isArray(value) && !Array.isArray(holder);
  const corrected = typeof value === 'string' ? readNumber(value) : isItem ? [value] : null;
  if (corrected === null) return false;
  holder[key] = corrected;
  return true;
}
