/** JSON Schema in the document. */
interface DocumentSchema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  properties?: Record<string, DocumentSchema>;
  items?: DocumentSchema;
  [keyword: string]: unknown;
}

interface NamedContent {
  schema?: DocumentSchema;
}

export interface NamedOperation {
  operationId?: string;
  requestBody?: { required?: boolean; content: Record<string, NamedContent> };
  responses: Record<string, { content?: Record<string, NamedContent> }>;
}

const prefix = '#/components/schemas/';

/**
 * Moves schemas to `components.schemas`, where generated clients take their type names from, and leaves references. A
 * schema is named by its `title`. Request bodies and returned records without a title are named after their operation.
 * The schemas of the routes stay whole: the validator and the serializer follow no references.
 * @throws {Error} when two different schemas have one name.
 */
export class SchemaNames {
  readonly schemas: Record<string, DocumentSchema> = {};

  nameSchemasOf(operation: NamedOperation): void {
    const { operationId = '', requestBody, responses } = operation;
    const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
    for (const content of Object.values(requestBody?.content ?? {})) {
      content.schema &&= this.#referred(titled(withoutNull(content.schema), `${name}Request`));
    }
    for (const [status, { content = {} }] of Object.entries(responses)) {
      if (!status.startsWith('2')) continue;
      for (const media of Object.values(content)) {
        media.schema &&= this.#referred(withNamedData(media.schema, `${name}Result`));
      }
    }
  }

  /** Returns the schema with a reference for each named schema in it. */
  #referred(schema: DocumentSchema): DocumentSchema {
    const { title, ...walked } = Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [keyword, this.#walked(keyword, value)]),
    ) as DocumentSchema;
    if (title === undefined) return walked;
    const isNullable = [walked.type].flat().includes('null');
    const reference = this.#reference(title, withoutNull(walked));
    if (!isNullable) return reference;
    const { description, ...bare } = reference;
    return { anyOf: [bare, { type: 'null' }], ...(description !== undefined && { description }) };
  }

  #walked(keyword: string, value: unknown): unknown {
    if (keyword === 'properties') {
      const fields = Object.entries(value as Record<string, DocumentSchema>);
      return Object.fromEntries(fields.map(([name, field]) => [name, this.#referred(field)]));
    }
    if (keyword === 'items') return this.#referred(value as DocumentSchema);
    if (keyword === 'anyOf') return (value as DocumentSchema[]).map((part) => this.#referred(part));
    return value;
  }

  /** Stores a schema under its name. A description that differs from the named schema's stays alongside the reference. */
  #reference(title: string, schema: DocumentSchema): DocumentSchema {
    const known = this.schemas[title];
    if (known !== undefined && shapeOf(known) !== shapeOf(schema)) {
      throw new Error(`two schemas are named ${title}: ${shapeOf(known)} and ${shapeOf(schema)}`);
    }
    // The same schema can have texts of different length: keep the longest.
    if (known === undefined || JSON.stringify(schema).length > JSON.stringify(known).length) {
      this.schemas[title] = schema;
    }
    const isOwn = schema.description === undefined || schema.description === known?.description;
    const description = known === undefined || isOwn ? {} : { description: schema.description };
    return { $ref: `${prefix}${title}`, ...description };
  }
}

/** Names the schema of a returned record, by itself or in `data`. */
function withNamedData(schema: DocumentSchema, name: string): DocumentSchema {
  const { data, success, status_code: ocpiStatus } = schema.properties ?? {};
  const isEnvelope = success !== undefined || ocpiStatus !== undefined || data?.items !== undefined;
  if (data === undefined || !isEnvelope || schema.title !== undefined) return titled(schema, name);
  const named = data.items === undefined ? titled(data, name) : { ...data, items: titled(data.items, name) };
  return { ...schema, properties: { ...schema.properties, data: named } };
}

function titled(schema: DocumentSchema, title: string): DocumentSchema {
  return schema.properties === undefined ? schema : { title, ...schema };
}

/** Removes null from the types of a schema. The place of use declares whether it is nullable or optional. */
function withoutNull(schema: DocumentSchema): DocumentSchema {
  if (!Array.isArray(schema.type)) return schema;
  const [type, ...more] = schema.type.filter((one) => one !== 'null');
  return { ...schema, type: type !== undefined && more.length === 0 ? type : schema.type };
}

/** Returns a schema without its texts, which depend on the place of use. */
function shapeOf(schema: DocumentSchema): string {
  return JSON.stringify(schema, (key, value: unknown) =>
    (key === 'description' && typeof value === 'string') || key === 'examples' ? undefined : value,
  );
}
