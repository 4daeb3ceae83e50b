/** Domains that the routes of the operator API and of the public API have as tags. */
const domains = {
  charging: 'Sessions, starts, stops, limits, schedules and reservations.',
  fleet: 'Networks, locations, chargers, EVSEs, connectors, their models and alerts.',
  commands: 'Commands to chargers, their configuration, certificates and firmware.',
  money: 'Tariffs, wallets, transactions, receipts, invoices and payments.',
  people: 'Drivers, operators, their tokens and logins.',
  access: 'API keys, scopes and the audit log.',
  roaming: 'Roaming partners.',
  reporting: 'Analytics and reports.',
};

const operatorDomains = Object.keys(domains) as (keyof typeof domains)[];
const publicDomains = ['charging', 'fleet', 'commands', 'money', 'people', 'reporting'] as const;

const ocpi = `OCPI 2.2 and 2.2.1, as a charge point operator: /ocpi. Begin at \`/ocpi/versions\` with the token that the operator gave
you, and take all other addresses from there. \`/ocpi/cpo/2.2.1\` is the standard to the letter; \`/ocpi/2.2\` and \`/ocpi/cpo/2.2\`
have names of their own: locations in camelCase, sessions with more fields, totals in their lists. Whatever is answered is an
envelope with \`status_code\` (1000: success; 2xxx: the request is wrong; 3xxx: it could not be done) and carries your
\`X-Request-ID\` and \`X-Correlation-ID\`; of an error \`status_message\` begins with a code that does not change. Lists have
\`Link\`, \`X-Total-Count\` and \`X-Limit\`. What is null in a request is as good as left out.`;

const tagOf = (domain: string, family: 'operator' | 'public') => `${domain} (${family})`;

/** The tags of the document: a domain of a family, OCPI, and the service itself. */
export const apiTags = [
  ...operatorDomains.map((domain) => ({ name: tagOf(domain, 'operator'), description: domains[domain] })),
  ...publicDomains.map((domain) => ({ name: tagOf(domain, 'public'), description: domains[domain] })),
  { name: 'roaming', description: ocpi },
  { name: 'service', description: 'Health, metrics, firmware downloads and payment events. No key.' },
];

/** Groups of tags, for viewers that show them. */
export const tagGroups = [
  { name: 'Operator API', tags: operatorDomains.map((domain) => tagOf(domain, 'operator')) },
  { name: 'Public API', tags: publicDomains.map((domain) => tagOf(domain, 'public')) },
  { name: 'OCPI', tags: ['roaming'] },
  { name: 'Service', tags: ['service'] },
];

/** The schema of a route whose tag names its family, too. */
export function withTags<Schema extends { tags?: readonly string[] }>(schema: Schema, url: string): Schema {
  const family = /^\/(cpms|emsp)\/v1\//.exec(url)?.[1];
  if (family === undefined || schema?.tags === undefined) return schema;
  return { ...schema, tags: schema.tags.map((tag) => tagOf(tag, family === 'cpms' ? 'operator' : 'public')) };
}
