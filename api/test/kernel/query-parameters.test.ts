import t from 'tap';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';

const api = await startTestApi(t);
const { paths } = (await api.call(null, { url: '/openapi.json' })).json;
const uuid = '123e4567-e89b-42d3-a456-426614174000';
const inPath: Record<string, string> = {
  number: '1',
  invoiceNumber: '2026-000001',
  kind: 'charger-offline',
  name: 'locations',
  action: 'Reset',
};

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}

/** The reads and removals of a family that need nothing in their query: without a body, nothing else is looked at first. */
const bodiless = (family: string) =>
  Object.entries(paths ?? {})
    .filter(([path]) => path.startsWith(`/${family}/v1/`))
    .flatMap(([path, { get, delete: remove }]) =>
      [
        { method: 'GET' as const, operation: get },
        { method: 'DELETE' as const, operation: remove },
      ].flatMap(({ method, operation }) => {
        if (operation === undefined) return [];
        const parameters = (operation['parameters'] ?? []) as unknown as Parameter[];
        const known = parameters.filter((parameter) => parameter.in === 'query');
        if (known.some(({ required }) => required === true)) return [];
        const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inPath[name] ?? uuid);
        return [{ method, url, known: known.map(({ name }) => name) }];
      }),
    );

for (const family of ['cpms', 'emsp'] as const) {
  void t.test(`every route of /${family}/v1 refuses a parameter that it does not have`, async (t) => {
    const key = await mintKey(api, { apiFamily: family });
    const routes = bodiless(family);
    t.ok(routes.length > 25);
    for (const { method, url, known } of routes) {
      const { status, json } = await api.call(key, { method, url: `${url}?colour=red` });
      const error = family === 'cpms' ? json['error'] : json;
      t.match({ status, error }, { status: 400, error: { code: 'VALIDATION_FAILED' } }, `${method} ${url}`);
      t.strictSame(items(error?.['details']?.['errors']), [
        {
          field: 'colour',
          message: `is not a parameter of this request, which takes ${known.join(', ') || 'none'}`,
        },
      ]);
    }
  });
}

void t.test('accepts both identifiers of a network wherever a call is scoped to one', (t) => {
  for (const { method, url, known } of bodiless('cpms')) {
    t.equal(known.includes('networkId'), known.includes('networkUuid'), `${method} ${url}`);
  }
  t.end();
});

void t.test('names the unknown parameter and the known ones', async (t) => {
  const key = await mintKey(api);
  const emsp = await mintKey(api, { apiFamily: 'emsp' });
  t.match((await api.call(key, { url: '/cpms/v1/manufacturers?serach=abc' })).json, {
    error: {
      code: 'VALIDATION_FAILED',
      message:
        'Invalid query: serach is not a parameter of this request, which takes cursor, pageSize, search.',
    },
  });
  t.match((await api.call(emsp, { url: '/emsp/v1/wallet?limit=3' })).json, {
    code: 'VALIDATION_FAILED',
    detail: 'Invalid query: limit is not a parameter of this request, which takes none.',
  });
});

void t.test('a request with a body does nothing when its query is wrong', async (t) => {
  const key = await mintKey(api);
  const request = { method: 'POST', payload: { serial: 'CP-1' } } as const;
  const refused = await api.call(key, { ...request, url: '/cpms/v1/chargers?network=north' });
  t.match(refused, { status: 400, json: { error: { message: /^Invalid query: network is not / } } });
  const login = await api.call(null, {
    method: 'POST',
    url: '/emsp/v1/auth/driver/resend-verification?lang=nl',
    payload: { email: 'ada@example.org', networkId: api.network.uuid },
  });
  t.match(login, { status: 400, json: { code: 'VALIDATION_FAILED' } }, 'nor one without credentials');
  t.strictSame([...(await api.stores.sql`select uid from chargers`)], []);
});

void t.test('ignores unknown parameters of probes and pages', async (t) => {
  for (const url of ['/health/live?probe=1', '/metrics?x=1', '/openapi.json?x=1', '/docs/?x=1']) {
    t.equal((await api.call(null, { url })).status, 200, url);
  }
});
