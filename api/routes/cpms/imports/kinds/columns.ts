import type { TSchema } from 'typebox';
import { valueCheck } from '#api/plugins/validation.ts';
import type { ImportColumn } from '#api/services/imports/kind.ts';

/** Parts of a schema that columns are made of. */
interface FieldSchema {
  type: string | string[];
  format?: string;
  enum?: (string | null)[];
  items?: { enum?: string[] };
  description?: string;
  examples?: (string | number | boolean)[];
}

type Use = Partial<Pick<ImportColumn, 'isKey' | 'isRequired' | 'isSecret' | 'isUnique'>>;

/** Returns a column with the type, the values, the texts and the check of a field of the API. */
function columnOf(schema: TSchema, use: Use = {}): ImportColumn {
  const field = schema as unknown as FieldSchema;
  const values = (field.enum ?? field.items?.enum)?.filter((value) => value !== null) ?? null;
  return {
    type: typeOf(field),
    description: field.description ?? '',
    example: exampleOf(field, values),
    values,
    isKey: false,
    isUnique: false,
    isRequired: false,
    isSecret: false,
    faultOf: valueCheck(schema),
    ...use,
  };
}

/** Column that identifies the record. */
export const key = (schema: TSchema) => columnOf(schema, { isKey: true, isRequired: true });
/** Column that a new record requires. */
export const required = (schema: TSchema) => columnOf(schema, { isRequired: true });
export const optional = (schema: TSchema) => columnOf(schema);
/** Column of which no two records have the same value. A kind has one at most. */
export const unique = (schema: TSchema) => columnOf(schema, { isUnique: true });
/** Column whose values are never shown. */
export const secret = (schema: TSchema) => columnOf(schema, { isSecret: true });

function typeOf({ type, format }: FieldSchema): ImportColumn['type'] {
  if (format === 'date-time') return 'date-time';
  const [name] = [type].flat();
  return name === 'array' ? 'list' : (name as ImportColumn['type']);
}

function exampleOf({ examples, type, items }: FieldSchema, values: readonly string[] | null): string {
  const [example] = examples ?? [];
  if (example !== undefined) return String(example);
  if (items !== undefined) return (values ?? []).slice(0, 2).join('|');
  return [type].flat()[0] === 'boolean' ? 'true' : (values?.[0] ?? '');
}
