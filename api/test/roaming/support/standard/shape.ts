/** Once, at most once, any number of times, at least once (OCPI 2.2.1 §2.8). */
type Cardinality = '1' | '?' | '*' | '+';
/** A text by its longest length or its pattern, a number, an enumeration, or an object. */
type Kind = number | RegExp | 'number' | 'integer' | 'boolean' | 'DateTime' | readonly string[] | Shape;
/** The fields of an object of the standard: there are no others. */
export interface Shape {
  [field: string]: readonly [Cardinality, Kind];
}

/** In what a value differs from a shape of the standard: one line for each field. */
export function misfits(value: unknown, shape: Shape, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${at}: no object`];
  const fields = value as Record<string, unknown>;
  const unknown = Object.keys(fields).filter((name) => !(name in shape));
  return [
    ...unknown.map((name) => `${at}.${name}: not in the standard`),
    ...Object.entries(shape).flatMap(([name, [cardinality, kind]]) => {
      const path = `${at}.${name}`;
      const field = fields[name];
      if (field === undefined) return '1+'.includes(cardinality) ? [`${path}: missing`] : [];
      if (cardinality === '1' || cardinality === '?') return misfitsOf(field, kind, path);
      if (!Array.isArray(field)) return [`${path}: no list`];
      if (cardinality === '+' && field.length === 0) return [`${path}: empty`];
      return field.flatMap((item: unknown, index) => misfitsOf(item, kind, `${path}.${index}`));
    }),
  ];
}

function misfitsOf(value: unknown, kind: Kind, path: string): string[] {
  if (isShape(kind)) return misfits(value, kind, path);
  return fits(value, kind) ? [] : [`${path}: ${JSON.stringify(value)}`];
}

function isShape(kind: Kind): kind is Shape {
  return typeof kind === 'object' && !Array.isArray(kind) && !(kind instanceof RegExp);
}

function fits(value: unknown, kind: Exclude<Kind, Shape>): boolean {
  if (typeof kind === 'number') return typeof value === 'string' && value.length <= kind;
  if (kind instanceof RegExp) return typeof value === 'string' && kind.test(value);
  if (typeof kind === 'object') return typeof value === 'string' && kind.includes(value);
  if (kind === 'integer') return Number.isInteger(value);
  if (kind === 'DateTime') return typeof value === 'string' && isDateTime(value);
  return typeof value === kind;
}

/** §17.1, in UTC and a time of the calendar. */
function isDateTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text));
}
