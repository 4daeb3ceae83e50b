import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { seedToken } from '#shared/testing/seed.ts';
import { bearer, signUp } from '#api/test/support/drivers.ts';
import { completeSeller } from '#api/test/support/billing.ts';
import { mintKey, register, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { readWholeDocument } from '#api/test/support/openapi-document.ts';
import { addLocation, addTariff, endSession, startSession } from '#api/test/support/records.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Operation {
  method: Method;
  path: string;
  isOpen: boolean;
  /** The codes that it says it may answer, by status. */
  errors: Record<string, string>;
}

/** The operations of the public API, as its own document lists them: what is added is tested by being there. */
async function operationsOf(api: TestApi): Promise<Operation[]> {
  const document = await readWholeDocument(api);
  return Object.entries(document['paths'] ?? {})
    .filter(([path]) => path.startsWith('/emsp/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const security = operation['security'] as unknown as object[];
        // Open, or with a token that is looked at by the route itself.
        const isOpen = !security.some((scheme) => 'ApiKey' in scheme);
        const errors = Object.fromEntries(
          Object.entries(operation['responses'] ?? {}).map(([status, { description }]) => [
            status,
            description as unknown as string,
          ]),
        );
        return { method: method.toUpperCase() as Method, path, isOpen, errors };
      }),
    );
}

const api = await startTestApi(t);
const operations = await operationsOf(api);
const behindTheWall = operations.filter(({ isOpen }) => !isOpen);

/**
 * A driver with a wallet, a token, a session that ran and is invoiced, one that runs, and one that is scheduled, and all that
 * may name them in an answer.
 */
async function livingDriver(email: string, connector: number) {
  const { sql } = api.stores;
  const driver = await signUp(api, email);
  const [row] = await sql<{ id: number }[]>`select id from users where uuid = ${driver.id}`;
  const userId = row?.id ?? 0;
  const opened = await ensureWallet(sql, allNetworks, { id: userId });
  const wallet = opened?.wallet;
  if (wallet === undefined) throw new Error('no wallet');
  const reason = `for ${email}`;
  await sql.begin((transaction) =>
    moveMoney(transaction, wallet.id, {
      cause: 'CREDIT',
      causeId: randomUUID(),
      counter: 'adjustments',
      amountMinor: 5000n,
      mayOwe: false,
      reason,
    }),
  );
  const tag = await seedToken(sql, api.network.id, { userId });
  const [card] = await sql<{ uuid: string }[]>`select uuid from id_tokens where uid = ${tag}`;
  const place = { chargerUuid: charger.id, connector, userId };
  const ended = await startSession(sql, place);
  await endSession(sql, ended, 12_345);
  const running = await startSession(sql, { ...place, startedAt: new Date() });
  const make = async (url: string, payload: object, name: string) => {
    const made = await api.call(null, { method: 'POST', url, payload, headers: bearer(driver.access) });
    if (made.status !== 201) throw new Error(made.text);
    return made.json[name] as unknown as string;
  };
  const startTime = new Date(Date.now() + 3_600_000).toISOString();
  const planned = { chargerId: charger.id, connectorNumber: connector, startTime };
  const schedule = await make('/emsp/v1/charging/schedule', planned, 'id');
  const invoice = await make('/emsp/v1/invoices', { transactionIds: [ended.uuid] }, 'invoiceNumber');
  const sessions = [ended.uuid, running.uuid];
  const ids = [driver.id, card?.uuid ?? '', wallet.uuid, schedule, invoice, ...sessions];
  return { ...driver, userId, tag, schedule, invoice, ids, named: [...ids, email, tag, reason] };
}

const operatorKey = await mintKey(api);
await completeSeller(api.stores.sql, api.network.id);
const charger = await register(api, operatorKey, { serial: 'CP-WALL' });
const hidden = await register(api, operatorKey, { serial: 'CP-HIDDEN' });
for (const { id } of [charger, hidden]) {
  for (const connectorNumber of [1, 2]) {
    await api.call(operatorKey, {
      method: 'POST',
      url: `/cpms/v1/chargers/${id}/connectors`,
      payload: { connectorNumber },
    });
  }
}
const location = await addLocation(api.stores.sql, api.network.id);
await api.stores.sql`update chargers set location_id = ${location.id}, is_public = (uuid <> ${hidden.id})`;
await addTariff(api.stores.sql, api.network.id);
const ada = await livingDriver('ada@example.org', 1);
const eve = await livingDriver('eve@example.org', 2);
const emsp = { apiFamily: 'emsp' } as const;
const driverKey = await mintKey(api, { ...emsp, userId: eve.userId });
const networkKey = await mintKey(api, emsp);
const otherNetworkKey = await mintKey(api, { ...emsp, networkIds: [api.otherNetwork.id] });

/** Requests of an operation that name what is Ada's wherever something can be named. */
function requestsAt({ method, path }: Operation) {
  const parameters = path.match(/\{\w+\}/g) ?? [];
  const ids = parameters.length === 0 ? [''] : [...ada.ids, hidden.id];
  return ids.map((id) => ({
    method,
    url:
      path.replaceAll(/\{\w+\}/g, id) +
      (parameters.length === 0 && method === 'GET' ? `?userId=${ada.id}` : ''),
    ...(method !== 'GET' && method !== 'DELETE' && { payload: bodyOf(path) }),
  }));
}

/** Bodies that reach for what is Ada's. */
function bodyOf(path: string): object {
  return bodies[path.replace('/emsp/v1', '')] ?? {};
}

const bodies: Record<string, object> = {
  '/users/{id}': { name: 'Taken over' },
  '/users': { email: 'new@example.org', name: 'New' },
  '/auth/tokens': { uid: 'STOLEN', tokenType: 'RFID', userId: ada.id },
  '/pricing/calculate': { chargerId: hidden.id, energyKwh: 1, chargingMinutes: 1 },
  '/charging/stop': { sessionId: ada.ids.at(-1) },
  '/charging/start': { chargerId: charger.id, connectorNumber: 1, idTag: ada.tag },
  '/invoices': { transactionIds: ada.ids.slice(-2) },
};

async function walls(
  t: Test,
  credentials: { key: string | null; headers?: Record<string, string> },
): Promise<void> {
  for (const operation of behindTheWall) {
    for (const request of requestsAt(operation)) {
      const answer = await api.call(credentials.key, { ...request, headers: credentials.headers ?? {} });
      const what = `${request.method} ${request.url}`;
      t.ok(answer.status < 500, `${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
      const { code } = answer.json as unknown as { code?: string };
      const isListed = code === undefined || operation.errors[answer.status]?.split(', ').includes(code);
      if (isListed !== true) t.fail(`${what}: ${answer.status} ${code} is not in its description`);
      const reachesFor = JSON.stringify(request);
      // What a refusal repeats of the request tells nothing.
      const body = answer.status < 400 ? answer.text : '';
      for (const name of ada.named)
        if (body.includes(name)) t.fail(`${what} reveals ${name}: ${body.slice(0, 300)}`);
      const isWrite = operation.method !== 'GET';
      if (isWrite && ada.named.some((name) => reachesFor.includes(name))) t.ok(answer.status >= 400, what);
    }
  }
}

void t.test("hides drivers' data of other networks and drivers at every route", async (t) => {
  const { sql } = api.stores;
  const rowsOf = (table: string) => sql`
    (select jsonb_agg(r order by r.id) from ${sql(table)} r where r.user_id = u.id) as ${sql(table)}`;
  const state = async () =>
    JSON.stringify(
      await sql`
        select u.*, ${rowsOf('wallets')}, ${rowsOf('sessions')}, ${rowsOf('id_tokens')}, ${rowsOf('invoices')},
          ${rowsOf('scheduled_charges')}
        from users u where u.id = ${ada.userId}`,
      (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    );
  const before = await state();
  await t.test('a driver with an access token', (t) => walls(t, { key: null, headers: bearer(eve.access) }));
  await t.test('a driver with a key', (t) => walls(t, { key: driverKey }));
  await t.test('an operator of another network', (t) => walls(t, { key: otherNetworkKey }));
  t.equal(await state(), before, 'nor is anything of it changed');
});

void t.test('refuses drivers at operator routes, and operators at driver routes', async (t) => {
  const [asDriver, asDriverKey, asOperator] = [
    { key: null, headers: bearer(eve.access) },
    { key: driverKey },
    { key: networkKey },
  ];
  const startTime = new Date(Date.now() + 3_600_000).toISOString();
  const operatorOnly = [
    ['GET', '/users'],
    ['POST', '/users', { email: 'new@example.org', name: 'New' }],
    ['PUT', `/users/${eve.id}`, { name: 'Eve' }],
    ['POST', '/auth/tokens', { uid: 'MINE', tokenType: 'RFID', userId: eve.id }],
    ['POST', `/chargers/${charger.id}/reboot`],
    ['POST', `/invoices/${eve.invoice}/credit`, { reason: 'Too dear' }],
    ['GET', '/reports/export?type=by-user'],
    ['GET', `/reports/export?type=daily-sales&userId=${eve.id}`],
  ] as const;
  const driverOnly = [
    ['POST', '/wallet/top-up', { amount: 10 }],
    ['POST', '/charging/schedule', { chargerId: charger.id, connectorNumber: 1, startTime }],
    ['GET', '/charging/schedules'],
    ['DELETE', `/charging/schedule/${eve.schedule}`],
    ['GET', '/auth/driver/me'],
    ['PATCH', '/auth/driver/me', { name: 'Eve' }],
  ] as const;
  for (const [callers, rows, code] of [
    [[asDriver, asDriverKey], operatorOnly, 'OPERATOR_KEY_REQUIRED'],
    [[asOperator], driverOnly, 'DRIVER_KEY_REQUIRED'],
  ] as const) {
    for (const { key, ...headers } of callers) {
      for (const [method, path, payload] of rows) {
        const request = { method, url: `/emsp/v1${path}`, ...(payload !== undefined && { payload }) };
        t.match(await api.call(key, { ...request, ...headers }), { status: 403, json: { code } }, path);
      }
    }
  }
});

void t.test('returns drivers their own data at the same routes', async (t) => {
  const seen = [];
  for (const { method, path } of behindTheWall) {
    if (method !== 'GET') continue;
    const ids = path.includes('{') ? ada.ids : [''];
    for (const id of ids) {
      const url = path.replaceAll(/\{\w+\}/g, id);
      const { status, text } = await api.call(null, { url, headers: bearer(ada.access) });
      if (status === 200) seen.push(...ada.named.filter((name) => text.includes(name)));
    }
  }
  t.strictSame(new Set(seen), new Set(ada.named));
});

void t.test('no route answers without credentials, or with those of the other family', async (t) => {
  const email = 'op@example.org';
  const password = 'correct horse battery';
  const owner = await mintKey(api, { unrestricted: true, networkIds: [] });
  const operator = { email, password, name: 'Op', role: 'Owner' };
  await api.call(owner, { method: 'POST', url: '/cpms/v1/operators', payload: operator });
  const login = await api.call(null, {
    method: 'POST',
    url: '/cpms/v1/auth/login',
    payload: { email, password },
  });
  const operatorToken = login.json['data']?.['accessToken'] as unknown as string;
  const registration = { email: 'mallory@example.org', password, name: 'M', networkId: api.network.uuid };
  const registered = await api.call(null, {
    method: 'POST',
    url: '/emsp/v1/auth/driver/register',
    payload: registration,
  });
  const unverified = registered.json['accessToken'] as unknown as string;
  for (const { method, path } of behindTheWall) {
    // Broken, which shows that the caller comes first.
    const hasBody = method !== 'GET' && method !== 'DELETE';
    const url = path.replaceAll(/\{\w+\}/g, 'x');
    const broken = { method, url, ...(hasBody && { payload: '{' }) };
    const type = hasBody ? { 'content-type': 'application/json' } : {};
    const send = (headers: object) => api.call(null, { ...broken, headers: { ...type, ...headers } });
    t.match(await send({}), { status: 401, json: { code: 'KEY_MISSING' } }, `${method} ${path}`);
    t.match(
      await send(bearer(operatorToken)),
      { status: 401, json: { code: 'TOKEN_INVALID' } },
      `${method} ${path}`,
    );
    t.match(
      await send(bearer(unverified)),
      { status: 403, json: { code: 'EMAIL_NOT_VERIFIED' } },
      `${method} ${path}`,
    );
  }
  t.strictSame(
    operations
      .filter(({ isOpen }) => isOpen)
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
    [
      'POST /emsp/v1/auth/driver/forgot-password',
      'POST /emsp/v1/auth/driver/login',
      'POST /emsp/v1/auth/driver/logout',
      'POST /emsp/v1/auth/driver/refresh',
      'POST /emsp/v1/auth/driver/register',
      'POST /emsp/v1/auth/driver/resend-verification',
      'POST /emsp/v1/auth/driver/reset-password',
      'POST /emsp/v1/auth/driver/verify-email',
    ],
    'public requests',
  );
});
