import { readFile } from 'node:fs/promises';
import { actionsOf, isKnownAction, isSentByUs } from './actions.ts';
import { type OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { actionSummaries } from './summaries.ts';

/** JSON Schema. */
type JsonSchema = Record<string, unknown>;

/** Schemas of the request and the response of an action, each complete with its definitions. */
export interface ActionSchemas {
  action: string;
  summary: string;
  request: JsonSchema;
  response: JsonSchema;
}

/** Schemas of a version as they are published, with each definition once. */
export interface SchemaFile {
  definitions: Record<string, JsonSchema>;
  messages: Record<string, JsonSchema>;
}

/** Files in the form of `SchemaFile`. */
export const schemaFiles: Record<OcppVersion, URL> = {
  '1.6': new URL('schemas/ocpp16.json', import.meta.url),
  '2.0.1': new URL('schemas/ocpp201.json', import.meta.url),
  '2.1': new URL('schemas/ocpp21.json', import.meta.url),
};

const files = new Map<OcppVersion, Promise<SchemaFile>>();

/** Returns the actions of a version that a central system sends, in alphabetical order. */
export function sendableActions(version: OcppVersion): { action: string; summary: string }[] {
  return actionsOf(version).flatMap((action) =>
    isSentByUs(version, action) ? [{ action, summary: summaryOf(action) }] : [],
  );
}

function summaryOf(action: string): string {
  return (actionSummaries as Readonly<Record<string, string>>)[action] ?? '';
}

/** Returns the schemas of an action; null when a central system does not send it in this version. */
export async function schemasOfAction(version: OcppVersion, action: string): Promise<ActionSchemas | null> {
  if (!isKnownAction(version, action) || !isSentByUs(version, action)) return null;
  const file = await schemaFile(version);
  const schema = (name: string) => withDefinitions(file.messages[name] ?? {}, file.definitions);
  return {
    action,
    summary: summaryOf(action),
    request: schema(`${action}Request`),
    response: schema(`${action}Response`),
  };
}

function schemaFile(version: OcppVersion): Promise<SchemaFile> {
  const known = files.get(version);
  if (known !== undefined) return known;
  const file = readFile(schemaFiles[version], 'utf8').then((text) => JSON.parse(text) as SchemaFile);
  files.set(version, file);
  return file;
}

function withDefinitions(schema: JsonSchema, all: Record<string, JsonSchema>): JsonSchema {
  const definitions: JsonSchema = {};
  const add = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/definitions\/([^"]+)"/g)) {
      if (Object.hasOwn(definitions, name)) continue;
      definitions[name] = all[name];
      add(all[name]);
    }
  };
  add(schema);
  return Object.keys(definitions).length === 0 ? schema : { ...schema, definitions };
}
