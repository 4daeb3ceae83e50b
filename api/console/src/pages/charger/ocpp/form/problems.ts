import { type JsonSchema, resolved } from './json-schema.ts';

/** Violation of a schema: the text `ocpp:problem.<kind>` with its limit. */
export interface Problem {
  kind:
    | 'required'
    | 'integer'
    | 'number'
    | 'boolean'
    | 'text'
    | 'list'
    | 'object'
    | 'choice'
    | 'time'
    | Limit;
  limit?: number;
}

type Limit = 'maxLength' | 'minItems' | 'maxItems' | 'minimum';

/** Returns the path of a part of a value, as the server names it. */
export const pathOf = (parent: string, part: string | number) =>
  parent === '' ? String(part) : `${parent}.${part}`;

/** Returns what is wrong with a value, by path. */
export function problemsOf(value: unknown, schema: JsonSchema, root: JsonSchema): Map<string, Problem> {
  const found = new Map<string, Problem>();
  visit(value, resolved(schema, root), '');
  return found;

  function visit(each: unknown, { type, ...limits }: JsonSchema, path: string): void {
    if (type === 'object') visitObject(each, limits, path);
    else if (type === 'array') visitList(each, limits, path);
    else {
      const problem = problemOfScalar(each, { ...limits, ...(type !== undefined && { type }) });
      if (problem !== null) found.set(path, problem);
    }
  }

  function visitObject(each: unknown, { properties = {}, required = [] }: JsonSchema, path: string): void {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) {
      found.set(path, { kind: 'object' });
      return;
    }
    const fields = each as Record<string, unknown>;
    for (const name of required) {
      if (fields[name] === undefined) found.set(pathOf(path, name), { kind: 'required' });
    }
    for (const [name, property] of Object.entries(properties)) {
      if (fields[name] !== undefined) visit(fields[name], resolved(property, root), pathOf(path, name));
    }
  }

  function visitList(each: unknown, { items = {}, minItems = 0, maxItems }: JsonSchema, path: string): void {
    if (!Array.isArray(each)) {
      found.set(path, { kind: 'list' });
      return;
    }
    if (each.length < minItems) found.set(path, { kind: 'minItems', limit: minItems });
    if (maxItems !== undefined && each.length > maxItems)
      found.set(path, { kind: 'maxItems', limit: maxItems });
    for (const [index, item] of each.entries()) {
      if (item === undefined || item === null) found.set(pathOf(path, index), { kind: 'required' });
      else visit(item, resolved(items, root), pathOf(path, index));
    }
  }
}

function problemOfScalar(value: unknown, schema: JsonSchema): Problem | null {
  const { type, minimum } = schema;
  switch (type) {
    case 'integer':
    case 'number':
      if (type === 'integer' ? !Number.isInteger(value) : typeof value !== 'number') return { kind: type };
      return minimum !== undefined && Number(value) < minimum ? { kind: 'minimum', limit: minimum } : null;
    case 'boolean':
      return typeof value === 'boolean' ? null : { kind: 'boolean' };
    case 'string':
      return problemOfText(value, schema);
    default:
      return null;
  }
}

function problemOfText(value: unknown, schema: JsonSchema): Problem | null {
  if (typeof value !== 'string') return { kind: 'text' };
  if (schema.enum !== undefined) return schema.enum.includes(value) ? null : { kind: 'choice' };
  if (schema.format === 'date-time' && Number.isNaN(Date.parse(value))) return { kind: 'time' };
  return schema.maxLength !== undefined && value.length > schema.maxLength
    ? { kind: 'maxLength', limit: schema.maxLength }
    : null;
}
