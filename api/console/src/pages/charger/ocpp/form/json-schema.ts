/** The part of JSON Schema that the schemas of OCPP use. */
export interface JsonSchema {
  $ref?: string;
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  enum?: readonly string[];
  format?: string;
  maxLength?: number;
  minimum?: number;
  multipleOf?: number;
  definitions?: Record<string, JsonSchema>;
}

/** Properties that every object of OCPP 2.0.1 may have. They are edited as JSON. */
const hidden = new Set(['customData']);

/** Returns the schema that a reference names, with a description of its own place first. */
export function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const target = root.definitions?.[schema.$ref.replace('#/definitions/', '')] ?? {};
  return { ...target, ...(schema.description !== undefined && { description: schema.description }) };
}

/** Property of an object in a form. */
export interface Property {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
}

/** Returns the properties of an object, the required ones first. */
export function propertiesOf(schema: JsonSchema, root: JsonSchema): Property[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !hidden.has(name) || required.has(name))
    .map(([name, property]) => ({
      name,
      schema: resolved(property, root),
      isRequired: required.has(name),
    }))
    .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

/** Returns the value that a form begins with: objects and lists that are required, and single choices. */
export function initialValue(schema: JsonSchema, root: JsonSchema): unknown {
  if (schema.type === 'object') {
    const required = propertiesOf(schema, root).filter(({ isRequired }) => isRequired);
    const entries = required.map((each) => [each.name, initialValue(each.schema, root)] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  if (schema.type === 'array') {
    const item = resolved(schema.items ?? {}, root);
    return Array.from({ length: schema.minItems ?? 0 }, () => initialValue(item, root));
  }
  return schema.enum?.length === 1 ? schema.enum[0] : undefined;
}

/** Returns the description of the standard without its identifiers and markup. */
export function descriptionOf({ description }: JsonSchema): string | undefined {
  const text = (description ?? '')
    .replace(/^[\s\S]*urn:x-[^\s]+\s*/, '')
    .replaceAll(/&lt;&lt;[^,]*,([^&]*)&gt;&gt;/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text === '' ? undefined : text;
}
