/** Object or list of a JSON value, by key. */
export type Holder = Record<string, unknown>;

export function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}

/** Returns the value at these keys, or undefined. */
export function valueAt(json: unknown, keys: readonly string[]): unknown {
  return keys.reduce((holder, key) => (isHolder(holder) ? holder[key] : undefined), json);
}

/** Splits a JSON pointer (RFC 6901, section 4). */
export function keysOf(pointer: string): string[] {
  const keys = pointer.split('/').slice(1);
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
