import { OCPP16, OCPP20 } from 'typed-ocpp';
import { actionsOf, directionOf, type OcppVersion } from '#shared/ocpp/actions.ts';

type RawSchema = Record<string, unknown>;

/** Schemas as they are published: those of the actions that a central system sends, as in their source. */
interface PublishedSchemas {
  definitions: Record<string, unknown>;
  messages: Record<string, RawSchema>;
}

const sources: Record<OcppVersion, object> = { '1.6': OCPP16.schemas, '2.0.1': OCPP20.schemas };

/** Returns the text of the published schemas of a version. Definitions stand there once; the source repeats them in each message. */
export function publishedSchemas(version: OcppVersion): string {
  const source = sources[version] as Record<string, RawSchema>;
  const published: PublishedSchemas = { definitions: {}, messages: {} };
  for (const action of actionsOf(version)) {
    if (directionOf(version, action) === 'charger') continue;
    for (const name of [`${action}Request`, `${action}Response`]) {
      const { definitions = {}, ...schema } = source[name] ?? {};
      published.messages[name] = schema;
      addDefinitions(published.definitions, schema, definitions as Record<string, unknown>);
    }
  }
  return `${JSON.stringify(published, null, 1)}\n`;
}

/** Adds the definitions that a schema refers to, and those that they refer to. */
function addDefinitions(
  known: Record<string, unknown>,
  schema: unknown,
  definitions: Record<string, unknown>,
): void {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)) {
    if (Object.hasOwn(known, name)) continue;
    known[name] = definitions[name];
    addDefinitions(known, definitions[name], definitions);
  }
}
