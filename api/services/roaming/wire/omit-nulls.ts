type WithoutNulls<T> = { [Name in keyof T]?: Exclude<T[Name], null | undefined> };

/** Returns an object without its null and undefined fields: OCPI leaves out optional fields without a value. */
export function omitNulls<T extends object>(fields: T): WithoutNulls<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutNulls<T>;
}
