import type { Contract, Schema } from './contract.ts';

/** A request must accept what it accepted; a response must hold no more than clients know. */
type Direction = 'request' | 'response';

/** Keywords that are compared, or that restrict nothing. */
const known = new Set(
  (
    'type enum const format pattern properties required additionalProperties items anyOf default x-accepts ' +
    'minLength minimum exclusiveMinimum minItems minProperties maxLength maximum maxItems uniqueItems'
  ).split(' '),
);
const lowerLimits = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];
const upperLimits = ['maxLength', 'maximum', 'maxItems'];

/** Comparison of the schemas of two contracts. */
export class SchemaChanges {
  readonly #before: Contract;
  readonly #after: Contract;
  /** Pairs under comparison: a schema may contain itself. */
  readonly #open: [Schema, Schema][] = [];

  constructor(before: Contract, after: Contract) {
    this.#before = before;
    this.#after = after;
  }

  /** Returns the changes from a schema to its successor that break clients, each with its position. */
  find(direction: Direction, before: Schema, after: Schema, at: string): string[] {
    const [old, now] = [resolved(this.#before, before), resolved(this.#after, after)];
    if (this.#open.some(([one, other]) => one === old && other === now)) return [];
    this.#open.push([old, now]);
    const changes = this.#ofBranches(direction, old, now, at);
    this.#open.pop();
    return changes;
  }

  /** Each alternative that senders use must be one that receivers know. */
  #ofBranches(direction: Direction, before: Schema, after: Schema, at: string): string[] {
    const old = branchesOf(this.#before, before);
    const now = branchesOf(this.#after, after);
    const [sent, understood] = direction === 'request' ? [old, now] : [now, old];
    return sent.flatMap((branch, index) => {
      const changes = understood.map((other) =>
        direction === 'request'
          ? this.#ofSchema(direction, branch, other, at)
          : this.#ofSchema(direction, other, branch, at),
      );
      return changes.find(({ length }) => length === 0) ?? changes[index] ?? changes[0] ?? [];
    });
  }

  #ofSchema(direction: Direction, before: Schema, after: Schema, at: string): string[] {
    const [sent, understood] = direction === 'request' ? [before, after] : [after, before];
    const changes: string[] = [];
    const types = typesOf(understood);
    const isUnderstood = (type: string) =>
      types?.includes(type) === true || (type === 'integer' && types?.includes('number') === true);
    const others = types && (typesOf(sent) ?? ['any type']).filter((type) => !isUnderstood(type));
    if (others && others.length > 0) return [`${at}: ${others.join(', ')} is not among ${types.join(', ')}`];
    if (understood.format !== undefined && sent.format !== understood.format)
      changes.push(`${at}: format ${before.format ?? 'none'} became ${after.format ?? 'none'}`);
    for (const name of understood.required ?? []) {
      if (sent.required?.includes(name)) continue;
      const isNew = before.properties?.[name] === undefined;
      if (direction === 'request')
        changes.push(`${at}.${name}: ${isNew ? 'new and required' : 'became required'}`);
      else if (after.properties?.[name] !== undefined) changes.push(`${at}.${name}: became optional`);
    }
    for (const [name, property] of Object.entries(before.properties ?? {})) {
      const successor = after.properties?.[name];
      if (successor) changes.push(...this.find(direction, property, successor, `${at}.${name}`));
      else changes.push(`${at}.${name}: removed`);
    }
    if (before.items && after.items)
      changes.push(...this.find(direction, before.items, after.items, `${at}[]`));
    const [rest, otherRest] = [before.additionalProperties, after.additionalProperties];
    if (typeof rest === 'object' && typeof otherRest === 'object')
      changes.push(...this.find(direction, rest, otherRest, `${at}{}`));
    return direction === 'request' ? [...changes, ...narrowed(before, after, at)] : changes;
  }
}

/** Returns the values of a request that were accepted and are no longer. */
function narrowed(before: Schema, after: Schema, at: string): string[] {
  const changes: string[] = [];
  const values = valuesOf(after);
  const lost = values && (valuesOf(before) ?? ['other values']).filter((value) => !values.includes(value));
  if (lost && lost.length > 0) changes.push(`${at}: no longer accepts ${lost.join(', ')}`);
  if (after.pattern !== undefined && after.pattern !== before.pattern) changes.push(`${at}: new pattern`);
  if (after['uniqueItems'] === true && before['uniqueItems'] !== true)
    changes.push(`${at}: items must be unique`);
  if (after.additionalProperties === false && before.additionalProperties !== false)
    changes.push(`${at}: unknown fields are refused`);
  for (const name of lowerLimits)
    if (limitOf(after, name, -Infinity) > limitOf(before, name, -Infinity))
      changes.push(`${at}: higher ${name}`);
  for (const name of upperLimits)
    if (limitOf(after, name, Infinity) < limitOf(before, name, Infinity))
      changes.push(`${at}: lower ${name}`);
  return changes;
}

function limitOf(schema: Schema, name: string, otherwise: number): number {
  return (schema[name] as number | undefined) ?? otherwise;
}

function resolved(contract: Contract, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  const named = contract.components.schemas[name];
  if (named === undefined) throw new Error(`${schema.$ref} leads nowhere`);
  return named;
}

/** Returns the alternatives of a schema, each with what holds for all. */
function branchesOf(contract: Contract, schema: Schema): Schema[] {
  const unknown = Object.keys(schema).find((keyword) => !known.has(keyword));
  if (unknown !== undefined) throw new Error(`the comparison does not know the keyword ${unknown}`);
  const { anyOf, ...common } = schema;
  if (anyOf === undefined) return [schema];
  return anyOf
    .flatMap((branch) => branchesOf(contract, resolved(contract, branch)))
    .map((branch) => ({
      ...common,
      ...branch,
      properties: { ...common.properties, ...branch.properties },
      required: [...(common.required ?? []), ...(branch.required ?? [])],
    }));
}

/** Returns the accepted types; undefined for all. */
function typesOf({ type, ...schema }: Schema): string[] | undefined {
  const values = valuesOf(schema);
  if (type === undefined && values === undefined) return undefined;
  const types = type === undefined ? values?.map(typeOfValue) : [type].flat();
  return [...new Set(types)].map(String);
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function valuesOf(schema: Schema): unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum;
}
