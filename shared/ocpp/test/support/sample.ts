import type { Schema, SchemaSet } from '#shared/ocpp/generator/schema.ts';

export type Payload = Record<string, unknown>;

/** A required field and the object that holds it, by their JSON pointers. */
export interface RequiredField {
  holder: string;
  name: string;
}

/** Builds payloads from the standard's schemas, independent of the generated validators. */
export class Sampler {
  readonly #set: SchemaSet;

  constructor(set: SchemaSet) {
    this.#set = set;
  }

  /** A payload with the required fields only. */
  minimal(message: string): Payload {
    return this.#build(this.#message(message), false) as Payload;
  }

  /** A payload with every field, strings at their greatest length and lists at their least. */
  full(message: string): Payload {
    return this.#build(this.#message(message), true) as Payload;
  }

  /** Every field that is required somewhere in the full payload. */
  requiredFields(message: string): RequiredField[] {
    return this.#required(this.#message(message), '');
  }

  #message(name: string): Schema {
    const schema = this.#set.messages[name];
    if (schema === undefined) throw new Error(`no schema for ${name}`);
    return schema;
  }

  #resolve(schema: Schema): Schema {
    if (schema.$ref === undefined) return schema;
    return this.#set.definitions[schema.$ref.replace('#/definitions/', '')] as Schema;
  }

  #build(reference: Schema, all: boolean): unknown {
    const schema = this.#resolve(reference);
    if (schema.enum !== undefined) return schema.enum.at(-1);
    if (schema.type === 'object') {
      const fields = Object.entries(schema.properties ?? {});
      const chosen = fields.filter(([name]) => all || schema.required?.includes(name));
      return Object.fromEntries(chosen.map(([name, field]) => [name, this.#build(field, all)]));
    }
    if (schema.type === 'array') {
      const length = all ? Math.max(1, schema.minItems ?? 0) : (schema.minItems ?? 0);
      return Array.from({ length }, () => this.#build(schema.items ?? {}, all));
    }
    return scalar(schema, all);
  }

  #required(reference: Schema, holder: string): RequiredField[] {
    const schema = this.#resolve(reference);
    if (schema.type === 'array') return this.#required(schema.items ?? {}, `${holder}/0`);
    const own = (schema.required ?? []).map((name) => ({ holder, name }));
    const nested = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      this.#required(field, `${holder}/${name}`),
    );
    return [...own, ...nested];
  }
}

function scalar(schema: Schema, all: boolean): unknown {
  if (schema.format === 'date-time') return '2026-05-04T03:02:01.000Z';
  if (schema.format === 'uri') return 'ftp://files.example/firmware.bin';
  if (schema.type === 'string') return 'x'.repeat(all ? (schema.maxLength ?? 20) : 1);
  if (schema.type === 'boolean') return true;
  return schema.maximum ?? schema.minimum ?? 16.1 - (schema.type === 'integer' ? 0.1 : 0);
}

/** The value that a JSON pointer names. */
export function at(payload: unknown, pointer: string): Payload {
  const steps = pointer.split('/').slice(1);
  return steps.reduce((node, step) => (node as Payload)[step], payload) as Payload;
}

/** Freezes a payload to its depth, so that a validator that changes anything throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
