/** Domains of the routes of the operator API and the public API, used as tags. */
const domains = {
  charging: 'Sessions, starts, stops, limits, schedules and reservations.',
  fleet: 'Networks, locations, chargers, EVSEs, connectors, their models and alerts.',
  commands: 'Commands to chargers, their configuration, certificates and firmware.',
  money: 'Tariffs, wallets, transactions, receipts, invoices and payments.',
  people: 'Drivers, operators, their tokens and logins.',
  access: 'API keys, scopes and the audit log.',
  roaming: 'Roaming partners.',
  reporting: 'Analytics and reports.',
  events: 'Events, their stream and webhooks.',
  imports: 'Imports of records from CSV files.',
  load: 'Load management: sites, their circuits, limits and plans.',
  'open-data': 'Feeds of locations, states and prices for the public.',
};

const operatorDomains = Object.keys(domains) as (keyof typeof domains)[];
const publicDomains = ['charging', 'fleet', 'commands', 'money', 'people', 'reporting', 'open-data'] as const;

const ocpi = `OCPI 2.1.1, 2.2, 2.2.1 and 2.3.0 as a charge point operator, below \`/ocpi\`. Begin at \`/ocpi/versions\` with the
registration token from the operator; its response links to all other endpoints. \`/ocpi/cpo/2.1.1\`, \`/ocpi/cpo/2.2.1\` and
\`/ocpi/cpo/2.3.0\` follow their standard exactly. \`/ocpi/2.2\` and \`/ocpi/cpo/2.2\` deviate: locations in camelCase, sessions with
more fields, lists with totals. Every response is an envelope with \`status_code\` (1000: success; 2xxx: error of the request; 3xxx:
error of the server) and repeats the \`X-Request-ID\` and \`X-Correlation-ID\` of the request. The \`status_message\` of an error
begins with a stable code. On the surfaces of the standard an invalid request gets HTTP 200 with \`status_code\` 2001, except for
partners with the quirk \`httpStatus\` \`rest\`. Lists have \`Link\`, \`X-Total-Count\` and \`X-Limit\`. A null field in a request counts as omitted.`;

const tagOf = (domain: string, family: 'operator' | 'public') => `${domain} (${family})`;

/** Tags of the document: a domain of a family, OCPI, and the service itself. */
export const apiTags = [
  ...operatorDomains.map((domain) => ({ name: tagOf(domain, 'operator'), description: domains[domain] })),
  ...publicDomains.map((domain) => ({ name: tagOf(domain, 'public'), description: domains[domain] })),
  { name: 'roaming', description: ocpi },
  { name: 'service', description: 'Health, metrics, firmware downloads and payment webhooks. No key.' },
];

/** Groups of tags, for viewers that support them. */
export const tagGroups = [
  { name: 'Operator API', tags: operatorDomains.map((domain) => tagOf(domain, 'operator')) },
  { name: 'Public API', tags: publicDomains.map((domain) => tagOf(domain, 'public')) },
  { name: 'OCPI', tags: ['roaming'] },
  { name: 'Service', tags: ['service'] },
];

/** Returns the schema of a route with a tag that names its family. */
export function withTags<Schema extends { tags?: readonly string[] }>(schema: Schema, url: string): Schema {
  const family = /^\/(cpms|emsp)\/v1\//.exec(url)?.[1];
  if (family === undefined || schema?.tags === undefined) return schema;
  return { ...schema, tags: schema.tags.map((tag) => tagOf(tag, family === 'cpms' ? 'operator' : 'public')) };
}
