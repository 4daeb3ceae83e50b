import { type Static, type TSchema, Type } from 'typebox';

/** Makes the value of a body or a response nullable. */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as T & { type: string; enum?: unknown[] };
  // JSON Schema requires null in `enum` as well.
  const listed = values === undefined ? {} : { enum: [...values, null] };
  return Type.Unsafe<Static<T> | null>({ ...(schema as object), ...listed, type: [type, 'null'] });
}
