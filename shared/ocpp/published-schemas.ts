import { readFile } from 'node:fs/promises';
import { actionsOf, directionOf, isKnownAction, type OcppVersion } from './actions.ts';
import { actionSummaries } from './summaries.ts';

/** JSON Schema. */
export type JsonSchema = Record<string, unknown>;

/** Schemas of the request and the response of an action, each complete with its definitions. */
export interface ActionSchemas {
  action: string;
  summary: string;
  request: JsonSchema;
  response: JsonSchema;
}

interface SchemaFile {
  definitions: JsonSchema;
  messages: Record<string, JsonSchema>;
}

export const ocppVersions = ['1.6', '2.0.1'] as const satisfies OcppVersion[];

const fileNames: Record<OcppVersion, string> = {
  '1.6': 'ocpp16-schemas.json',
  '2.0.1': 'ocpp201-schemas.json',
};

const files = new Map<OcppVersion, Promise<SchemaFile>>();

/** Returns the actions of a version that a central system sends, in alphabetical order. */
export function sendableActions(version: OcppVersion): { action: string; summary: string }[] {
  return actionsOf(version).flatMap((action) =>
    directionOf(version, action) === 'charger' ? [] : [{ action, summary: summaryOf(action) }],
  );
}

function summaryOf(action: string): string {
  return (actionSummaries as Readonly<Record<string, string>>)[action] ?? '';
}

/** Returns the schemas of an action; null when a central system does not send it in this version. */
export async function schemasOfAction(version: OcppVersion, action: string): Promise<ActionSchemas | null> {
  if (!isKnownAction(version, action) || directionOf(version, action) === 'charger') return null;
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
  const file = readFile(new URL(`generated/${fileNames[version]}`, import.meta.url), 'utf8').then(
    (text) => JSON.parse(text) as SchemaFile,
  );
  files.set(version, file);
  return file;
}

function withDefinitions(schema: JsonSchema, all: JsonSchema): JsonSchema {
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
