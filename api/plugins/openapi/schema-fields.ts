/** What is added to a field of a schema; what the field says itself stays. */
export type FieldAddition = (name: string, field: Readonly<Record<string, unknown>>) => object;

/** The same schema, with an addition to each field and parameter in it, however deep. */
export function withFields<Schema>(schema: Schema, addition: FieldAddition): Schema {
  return walked(schema, addition) as Schema;
}

function walked(value: unknown, addition: FieldAddition): unknown {
  if (Array.isArray(value)) return value.map((item) => walked(item, addition));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === 'properties' ? fields(part, addition) : walked(part, addition),
    ]),
  );
}

function fields(properties: object, addition: FieldAddition): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      { ...addition(name, schema), ...(walked(schema, addition) as object) },
    ]),
  );
}
