/** Returns a copy of a JSON value without the lists in it that have no items, at any depth. */
export function omitEmptyLists<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(omitEmptyLists) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, field]) => !Array.isArray(field) || field.length > 0);
  return Object.fromEntries(kept.map(([name, field]) => [name, omitEmptyLists(field)])) as Value;
}
