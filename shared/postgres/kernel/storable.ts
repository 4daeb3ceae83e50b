/**
 * A value that goes into a jsonb column. PostgreSQL refuses NUL characters and halves of surrogate pairs: the former
 * are left out, the latter become U+FFFD. What chargers send has been through the same in `gateway/frame`.
 */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '');
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [storable(key) as string, storable(inner)]),
  );
}
