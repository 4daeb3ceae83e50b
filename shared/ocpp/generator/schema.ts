import { readFileSync } from 'node:fs';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { type SchemaFile, schemaFiles } from '#shared/ocpp/published-schemas.ts';

/** The part of JSON Schema that the OCPP schemas use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: false;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  enum?: string[];
  maxLength?: number;
  format?: string;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
}

/** The schemas of one version: a request and a response for each action, and what they refer to by name. */
export interface SchemaSet {
  definitions: Record<string, Schema>;
  messages: Record<string, Schema>;
}

const kept = ['$ref', 'type', 'required', 'minItems', 'maxItems', 'enum', 'maxLength', 'format'];
const keptNumbers = ['minimum', 'maximum', 'multipleOf'];
const dropped = ['title', 'description', 'default', 'additionalItems'];

type RawSchema = Record<string, unknown>;

/**
 * Reads the schemas of a version, reduced to the keywords that constrain a value.
 * @throws {Error} when a schema uses a keyword that the generator does not know.
 */
export function readSchemas(version: OcppVersion): SchemaSet {
  const { definitions, messages } = JSON.parse(readFileSync(schemaFiles[version], 'utf8')) as SchemaFile;
  return {
    definitions: reduceAll(definitions, 'definitions'),
    messages: reduceAll(messages, 'messages'),
  };
}

function reduce(raw: RawSchema, path: string): Schema {
  const schema: RawSchema = {};
  for (const [keyword, value] of Object.entries(raw)) {
    if (kept.includes(keyword) || keptNumbers.includes(keyword)) schema[keyword] = value;
    else if (keyword === 'properties') schema[keyword] = reduceAll(value as Record<string, RawSchema>, path);
    else if (keyword === 'items') schema[keyword] = reduce(value as RawSchema, `${path}[]`);
    else if (keyword === 'additionalProperties') {
      // The sources write it on strings too, where it means nothing.
      if (raw['type'] === 'object' && value === false) schema[keyword] = false;
    } else if (!dropped.includes(keyword)) throw new Error(`${path}: unknown schema keyword ${keyword}`);
  }
  return schema;
}

function reduceAll(raw: Record<string, RawSchema>, path: string): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(raw).map(([name, schema]) => [name, reduce(schema, `${path}.${name}`)]),
  );
}
