/** Pages of the console by the name of their picture. `{charger}` and its like stand for identifiers, see `sources`. */
export const pages: Record<string, string> = {
  overview: '/',
  start: '/start',
  chargers: '/fleet/chargers',
  map: '/fleet/map?at=4.9,52.2,6.5',
  charger: '/fleet/chargers/{charger}',
  'charger-log': '/fleet/chargers/{charger}?tab=log',
  'charger-commands': '/fleet/chargers/{charger}?tab=commands',
  'charger-configuration': '/fleet/chargers/{charger}?tab=configuration',
  locations: '/fleet/locations',
  location: '/fleet/locations/{location}',
  models: '/fleet/models',
  model: '/fleet/models?model={model}',
  'load-sites': '/fleet/load',
  'load-site': '/fleet/load/{loadSite}',
  'load-history': '/fleet/load/{loadSite}?tab=history',
  'bulk-jobs': '/fleet/bulk-jobs',
  'bulk-job': '/fleet/bulk-jobs/{bulkJob}',
  sessions: '/charging/sessions',
  session: '/charging/sessions/{session}',
  reservations: '/charging/reservations',
  review: '/charging/review',
  tariffs: '/money/tariffs',
  tariff: '/money/tariffs/{tariff}',
  'tariff-editor': '/money/tariffs/{tariff}/edit',
  'new-tariff': '/money/tariffs/new',
  wallets: '/money/wallets',
  wallet: '/money/wallets/{wallet}',
  invoices: '/money/invoices',
  invoice: '/money/invoices/{invoice}',
  drivers: '/people/drivers',
  driver: '/people/drivers/{driver}',
  tokens: '/people/tokens',
  token: '/people/tokens?token={token}',
  operators: '/people/operators',
  roles: '/people/roles',
  partners: '/roaming/partners',
  'new-partner': '/roaming/partners/new',
  partner: '/roaming/partners/{partner}',
  exchanges: '/roaming/exchanges',
  analytics: '/reporting/analytics',
  exports: '/reporting/exports',
  alerts: '/alerts',
  alert: '/alerts?status=all&alert={alert}',
  'alert-rules': '/alerts?tab=rules',
  'alert-thresholds': '/alerts?tab=thresholds',
  'alert-channels': '/alerts?tab=channels',
  'alert-mutes': '/alerts?tab=mutes',
  installation: '/settings/installation',
  networks: '/settings/network',
  network: '/settings/network/{network}',
  'api-keys': '/settings/api-keys',
  webhooks: '/settings/webhooks',
  webhook: '/settings/webhooks/{webhook}',
  'audit-log': '/settings/audit-log',
  account: '/settings/account',
};

type Name = keyof typeof sources;

/** Lists of `/cpms/v1` whose first object a placeholder stands for, and its field. */
const sources = {
  loadSite: ['load-sites', 'id'],
  charger: ['sessions?status=ACTIVE&pageSize=1', 'chargerId'],
  session: ['sessions?status=ACTIVE&pageSize=1', 'id'],
  location: ['locations?pageSize=1', 'id'],
  model: ['charger-models?pageSize=1', 'id'],
  bulkJob: ['bulk-jobs', 'id'],
  tariff: ['tariffs?pageSize=1', 'id'],
  wallet: ['wallets?pageSize=1', 'id'],
  invoice: ['invoices?pageSize=1', 'id'],
  driver: ['users?pageSize=1', 'id'],
  token: ['id-tokens?pageSize=1', 'id'],
  partner: ['ocpi-partners?pageSize=1', 'id'],
  alert: ['alerts?pageSize=1', 'id'],
  network: ['networks?pageSize=1', 'id'],
  webhook: ['webhooks', 'id'],
} as const;

/** Returns the addresses of pages, with the identifiers of objects of the running product. */
export async function pageAddresses(
  names: readonly string[],
  { url, key }: { url: string; key: string },
): Promise<[name: string, address: string][]> {
  const found = new Map<string, string>();
  for (const name of new Set(names.flatMap((page) => placeholders(page)))) {
    const [path, field] = sources[name];
    const response = await fetch(`${url}/cpms/v1/${path}`, { headers: { 'x-api-key': key } });
    if (!response.ok) throw new Error(`GET /cpms/v1/${path} was answered ${response.status}`);
    const { data } = (await response.json()) as { data: Record<string, string>[] };
    const id = data[0]?.[field];
    if (id === undefined) throw new Error(`there is no ${name}: run \`npm run demo\` first`);
    found.set(name, id);
  }
  return names.map((page) => [
    page,
    (pages[page] ?? '').replaceAll(/\{(\w+)\}/g, (_, name: string) => found.get(name) ?? ''),
  ]);
}

function placeholders(page: string): Name[] {
  return [...(pages[page] ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name as Name);
}
