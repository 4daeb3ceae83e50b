import type { OperatorApi } from './chargers.ts';
import { type DemoApi, demoApi } from './demo-api.ts';

/** Drivers that get an invoice of their completed sessions. */
const invoicedDrivers = 6;

/** Connectors that are reserved. */
const reservedConnectors = 4;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Creates, through the APIs, what an operator of the network would have: operators, a key, a webhook, a roaming partner, a mute,
 * an export, a bulk job, invoices of the completed sessions, and reservations. Kinds of which the network has one already are left
 * as they are.
 */
export async function createRecords(operator: OperatorApi, emspKey: string): Promise<void> {
  const api = demoApi(operator.url, operator.key);
  const { networkUuid } = operator;
  if (await isEmpty(api, '/cpms/v1/operators')) await createOperators(api);
  if (await isEmpty(api, '/cpms/v1/webhooks')) await createWebhook(api, networkUuid);
  if (await isEmpty(api, '/cpms/v1/ocpi-partners')) await createPartner(api, operator);
  if (await isEmpty(api, '/cpms/v1/alert-mutes')) await muteKind(api, networkUuid);
  if (await isEmpty(api, '/cpms/v1/exports')) {
    await api.post('/cpms/v1/exports', { dataset: 'sessions', from: at(-7 * dayMs) });
  }
  if (await isEmpty(api, '/cpms/v1/bulk-jobs')) {
    const parameters = { requestedMessage: 'StatusNotification' };
    await api.post('/cpms/v1/bulk-jobs', {
      action: 'trigger-message',
      parameters,
      filter: { ocppVersion: '2.0.1' },
    });
  }
  if (await isEmpty(api, '/cpms/v1/invoices')) await issueInvoices(api, demoApi(operator.url, emspKey));
  if (await isEmpty(api, '/cpms/v1/reservations')) await reserveConnectors(api);
}

const isEmpty = async (api: DemoApi, path: string): Promise<boolean> =>
  (await api.get<unknown[]>(path)).length === 0;

const at = (fromNowMs: number): string => new Date(Date.now() + fromNowMs).toISOString();

async function createOperators(api: DemoApi): Promise<void> {
  await api.post('/cpms/v1/operators', { email: 'ines@demo.example', name: 'Ines', role: 'Manager' });
  await api.post('/cpms/v1/operators', { email: 'tomas@demo.example', name: 'Tomas', role: 'Viewer' });
}

/** A disabled webhook to a host that does not exist, with one failed attempt of delivery. */
async function createWebhook(api: DemoApi, networkUuid: string): Promise<void> {
  const webhook = await api.post<{ id: string }>('/cpms/v1/webhooks', {
    url: 'https://events.demo.example/chargeway',
    description: 'Billing system',
    types: ['session.started', 'session.priced'],
    isEnabled: false,
    networkUuid,
  });
  await api.post(`/cpms/v1/webhooks/${webhook.id}/test`);
}

/** An invited partner that has read our versions with its registration token, and not registered yet. */
async function createPartner(api: DemoApi, { url, networkUuid }: OperatorApi): Promise<void> {
  const { registrationToken } = await api.post<{ registrationToken: string }>('/cpms/v1/ocpi-partners', {
    name: 'Polder Mobility',
    countryCode: 'NL',
    partyId: 'PLD',
    networkUuid,
  });
  const authorization = `Token ${Buffer.from(registrationToken).toString('base64')}`;
  for (const path of ['versions', '2.2.1'])
    await fetch(`${url}/ocpi/${path}`, { headers: { authorization } });
}

async function muteKind(api: DemoApi, networkId: string): Promise<void> {
  await api.post('/cpms/v1/alert-mutes', {
    networkId,
    kind: 'session-without-energy',
    until: at(dayMs),
    reason: 'Cars wait for cheap hours this week',
  });
}

/** Reserves free connectors for some hours, and cancels one of the reservations. */
async function reserveConnectors(api: DemoApi): Promise<void> {
  const chargers = await api.get<{ id: string }[]>('/cpms/v1/chargers?pageSize=100');
  const tokens = await api.get<{ uid: string }[]>('/cpms/v1/id-tokens?pageSize=50');
  const made: string[] = [];
  for (const charger of chargers) {
    const token = tokens[made.length];
    if (made.length === reservedConnectors || token === undefined) break;
    const free = await findFreeConnector(api, charger.id);
    if (free === null) continue;
    const reserved = api.post<{ id: string }>('/cpms/v1/reservations', {
      chargerId: charger.id,
      connectorNumber: free,
      idTag: token.uid,
      expiresAt: at((made.length + 1) * 2 * hourMs),
    });
    // A car may have come meanwhile: the next charger is tried.
    const id = await reserved.then((reservation) => reservation.id).catch(() => null);
    if (id !== null) made.push(id);
  }
  const last = made.at(-1);
  if (last !== undefined) await api.remove(`/cpms/v1/reservations/${last}`);
}

/** Returns the number of a connector without a session, or null. */
async function findFreeConnector(api: DemoApi, chargerId: string): Promise<number | null> {
  const { connectors } = await api.get<{ connectors: { number: number; status: string }[] }>(
    `/cpms/v1/chargers/${chargerId}`,
  );
  return connectors.find(({ status }) => status === 'Available')?.number ?? null;
}

/** Issues one invoice each of the completed sessions of some drivers. */
async function issueInvoices(api: DemoApi, emsp: DemoApi): Promise<void> {
  const sessions = await api.get<{ id: string; userId: string | null; priceState: string }[]>(
    '/cpms/v1/sessions?status=COMPLETED&pageSize=100',
  );
  const settled = sessions.filter(({ userId, priceState }) => userId !== null && priceState === 'SETTLED');
  const byDriver = Map.groupBy(settled, ({ userId }) => userId);
  for (const ofDriver of [...byDriver.values()].slice(0, invoicedDrivers)) {
    await emsp.post('/emsp/v1/invoices', { transactionIds: ofDriver.map(({ id }) => id) });
  }
}
