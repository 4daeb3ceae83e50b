import { type Holder, isHolder, keysOf, valueAt } from './json-pointer.ts';
import type { ValidationProblem } from './validator.ts';

/** Maximum number of rounds; each corrects one field, and no response has more fields. */
const maxRounds = 2000;

/** Values of required fields that chargers leave out, and that change nothing. */
const defaults: Readonly<Record<string, unknown>> = { readonly: false };

/** Validator of a response; null when it is valid. */
type Judge = (payload: unknown) => ValidationProblem | null;

/**
 * Returns a copy of an invalid response with its readable fields: scalars of another type and statuses in another case are
 * converted, what is not readable is left out, with the item of a list that cannot be without it. A result of a
 * list without a readable status is Rejected; outside a list such a status, and any other required field, stays a fault.
 */
export function repairResponse(payload: unknown, problemOf: Judge): unknown {
  // Some chargers send null, or nothing, for a response without fields.
  const holder = { payload: payload === null || payload === undefined ? {} : structuredClone(payload) };
  for (let round = 0; round < maxRounds; round += 1) {
    const problem = problemOf(holder.payload);
    if (problem === null || !repairAt(holder, ['payload', ...keysOf(problem.path)], problem, problemOf))
      break;
  }
  return holder.payload;
}

/** Repairs the field at a path, or leaves it out; returns false when it cannot. */
function repairAt(
  root: Holder & { payload: unknown },
  path: readonly string[],
  problem: ValidationProblem,
  problemOf: Judge,
): boolean {
  const key = path.at(-1) ?? '';
  const holder = valueAt(root, path.slice(0, -1));
  if (!isHolder(holder)) return false;
  const isStatus = /status$/i.test(key);
  if (!Object.hasOwn(holder, key) && !isStatus) {
    if (Object.hasOwn(defaults, key)) {
      holder[key] = defaults[key];
      return true;
    }
    return removeItem(root, path.slice(0, -1));
  }
  const value = holder[key];
  // Without its status a result would count as accepted.
  const isResult = isStatus && path.some((name) => /^\d+$/.test(name));
  for (const candidate of [...convert(value), ...(isResult ? ['Rejected'] : [])]) {
    holder[key] = candidate;
    if (problemOf(root.payload)?.path !== problem.path) return true;
  }
  if (isStatus) return false;
  if (Array.isArray(holder)) {
    holder.splice(Number(key), 1);
    return true;
  }
  if (path.length === 1) return false;
  delete holder[key];
  return true;
}

/** Removes the innermost item of a list on a path. False: no such item. */
function removeItem(root: Holder, path: readonly string[]): boolean {
  for (let length = path.length; length > 0; length -= 1) {
    const list = valueAt(root, path.slice(0, length - 1));
    if (!Array.isArray(list)) continue;
    list.splice(Number(path[length - 1]), 1);
    return true;
  }
  return false;
}

/** Values of several words; those of one word are written with a capital. */
const words = [
  'AcceptedCanceled',
  'ConcurrentTx',
  'DuplicateProfile',
  'EmptyResultSet',
  'InvalidCertificate',
  'InvalidSchedule',
  'NoProfile',
  'NoSignature',
  'NoTransaction',
  'NotFound',
  'NotImplemented',
  'NotSupported',
  'NotSupportedAttributeType',
  'OngoingAuthorizedTransaction',
  'RebootRequired',
  'RevokedCertificate',
  'TxNotFound',
  'UnknownComponent',
  'UnknownConnector',
  'UnknownMessageId',
  'UnknownVariable',
  'UnknownVendorId',
  'UnlockFailed',
  'VersionMismatch',
];

/** Returns the values that an invalid one may stand for. */
function convert(value: unknown): unknown[] {
  if (typeof value === 'string') {
    const text = value.trim();
    if (/^-?\d+(\.\d+)?$/.test(text)) return [Number(text)];
    if (/^(true|false)$/i.test(text)) return [text.toLowerCase() === 'true'];
    const capital = text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
    return [text, capital, ...words.filter((word) => plain(word) === plain(text))];
  }
  if (typeof value === 'number') return [String(value), ...(value === 0 || value === 1 ? [value === 1] : [])];
  return typeof value === 'boolean' ? [String(value)] : [];
}

/** A word without case and separators. */
const plain = (value: unknown) =>
  String(value)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '');
