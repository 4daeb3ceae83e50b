type Said<T> = { [Name in keyof T]?: Exclude<T[Name], null | undefined> };

/** Without the fields of which nothing is known: OCPI leaves out what is optional and absent. */
export function said<T extends object>(fields: T): Said<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Said<T>;
}
