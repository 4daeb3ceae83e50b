/** Invalid values: of another type, beyond numbers, times and lengths, and text that PostgreSQL refuses. */
const wrong: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  '\u0000',
  '\ud800',
  'x'.repeat(5000),
  '0000-01-01T00:00:00Z',
  [],
  {},
];

/** A body in every way in which one of its values, however deep, is wrong or left out. */
export function* spoiled(body: object): Generator<object> {
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    const instead = typeof value === 'object' && value !== null ? [...wrong, ...spoiled(value)] : wrong;
    for (const other of instead) yield replaced(body, name, other);
    if (!Array.isArray(body)) yield replaced(body, name, undefined);
  }
}

function replaced(body: object, name: string, value: unknown): object {
  return Array.isArray(body) ? body.with(Number(name), value) : { ...body, [name]: value };
}
