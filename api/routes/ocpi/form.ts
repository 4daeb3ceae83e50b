import type { Static, TSchema } from 'typebox';
import { serializerOf } from '#api/plugins/serialization.ts';

/** Conversion of an object for a surface. Null: not representable. */
export interface Form<Record> {
  schema: TSchema;
  view: (record: Record) => unknown;
  /** Returns the object as JSON, once for all requests that share the record. */
  json: (record: Record) => string | null;
}

/** Returns a form whose objects match its schema. */
export function form<Schema extends TSchema, Record extends object>(
  schema: Schema,
  view: (record: Record) => Static<Schema> | null,
): Form<Record> {
  const serialize = serializerOf(schema);
  const known = new WeakMap<Record, string | null>();
  const json = (record: Record): string | null => {
    const written = known.get(record);
    if (written !== undefined) return written;
    const object = view(record);
    const made = object === null ? null : serialize(object);
    known.set(record, made);
    return made;
  };
  return { schema, view, json };
}

/** Returns the records of a list that a form can represent. */
export function listOf<Record>({ view }: Form<Record>, records: readonly Record[]): unknown[] {
  return records.map(view).filter((object) => object !== null);
}

/** Body that partners of a version send, with its conversion to the form of 2.2.1 and what that takes of the path. */
export interface BodyForm<Body, Path = undefined> {
  schema: TSchema;
  read: (body: unknown, path: Path) => Body;
}

/** Returns the form of a body. Routes call `read` with bodies that match the schema. */
export function bodyForm<Schema extends TSchema, Body, Path = undefined>(
  schema: Schema,
  read: (body: Static<Schema>, path: Path) => Body,
): BodyForm<Body, Path> {
  return { schema, read: (body, path) => read(body as Static<Schema>, path) };
}
