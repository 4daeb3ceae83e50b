import { publicEventTypes } from '#shared/domain/events/event-types.ts';
import { type CatalogueEntry, eventCatalogue } from './catalogue.ts';

/** Fields that the data of every event has. */
const everywhere: ReadonlySet<string> = new Set(['chargerId', 'chargerUid', 'locationId', 'sessionId']);

/** Returns the tables of `docs/events.md`: the types of each kind of subject, in Markdown. */
export function catalogueTables(): string {
  const types = Object.keys(publicEventTypes) as (keyof typeof publicEventTypes)[];
  const rows = types.map((type) => rowOf(type, publicEventTypes[type], eventCatalogue[type]));
  return ['| type | version | written when | subject | data |', '|---|---|---|---|---|', ...rows].join('\n');
}

function rowOf(type: string, version: number, { writtenWhen, subject, data }: CatalogueEntry): string {
  const fields = Object.keys(data.properties).filter((field) => !everywhere.has(field));
  const listed = fields.map((field) => `\`${field}\``).join(', ');
  return `| \`${type}\` | ${version} | ${writtenWhen} | ${subject} | ${listed} |`;
}
