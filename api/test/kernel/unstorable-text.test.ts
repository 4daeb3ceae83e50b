import t from 'tap';
import { startEmsp } from '#api/test/roaming/support/emsp.ts';
import { ocpi, registerEmsp } from '#api/test/roaming/support/partner.ts';
import { type Answer, type Json, mintKey, startTestApi } from '#api/test/support/fixtures.ts';

const api = await startTestApi(t);
const { paths } = (await api.call(null, { url: '/openapi.json' })).json;
const uuid = '123e4567-e89b-42d3-a456-426614174000';

/** Percent-encoded text that is no text, or that PostgreSQL cannot store. */
const encoded = ['%00', 'a%00b', '%', '%zz', '%ff', '%c0%80', '%ed%a0%80'];

/** Path parameters that lead as far into a handler as a stranger's ids do. */
const usual: Record<string, string> = {
  version: '2.2.1',
  country_code: 'DE',
  party_id: 'EMS',
  token_uid: 'T1',
  number: '1',
  invoiceNumber: '2026-000001',
};

const rfid = {
  country_code: 'DE',
  party_id: 'EMS',
  uid: 'T1',
  type: 'RFID',
  contract_id: 'C1',
  issuer: 'EMS',
  valid: true,
  whitelist: 'NEVER',
  last_updated: '2026-01-01T00:00:00Z',
};

interface Parameter {
  name: string;
  in: string;
}

interface Operation {
  method: 'GET';
  path: string;
  parameters: Parameter[];
}

/** All operations below these prefixes. */
function operationsOf(...prefixes: string[]): Operation[] {
  return Object.entries(paths as Json)
    .filter(([path]) => prefixes.some((prefix) => path.startsWith(prefix)))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase() as 'GET',
        path,
        parameters: (operation['parameters'] ?? []) as unknown as Parameter[],
      })),
    );
}

/** The URLs of an operation in which one parameter, of the path or the query, is not storable. */
function* urlsOf({ path, parameters }: Operation): Generator<string> {
  const fill = (bad?: string, text?: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === bad ? (text ?? '') : (usual[name] ?? uuid)));
  for (const { name, in: place } of parameters) {
    if (place !== 'path' && place !== 'query') continue;
    for (const text of encoded) yield place === 'path' ? fill(name, text) : `${fill()}?${name}=${text}`;
  }
}

/** Sends every such URL; lists the answers that are a fault of ours, or not in the form of the family. */
async function faultsOf(
  operations: Operation[],
  send: (method: 'GET', url: string) => Promise<Answer>,
  isOfFamily: (json: Json) => boolean,
): Promise<{ faults: string[]; refused: number }> {
  const faults: string[] = [];
  let refused = 0;
  for (const operation of operations) {
    for (const url of urlsOf(operation)) {
      const { status, json, text } = await send(operation.method, url);
      if (status >= 400) refused += 1;
      if (status >= 500 || (status >= 400 && !isOfFamily(json))) {
        faults.push(`${operation.method} ${url}: ${status} ${text}`);
      }
    }
  }
  return { faults, refused };
}

void t.test('no path or query of a partner makes a request fail', async (t) => {
  const { token } = await registerEmsp(api, await startEmsp(t), { partner: { writeScopes: ['locations'] } });
  const { faults, refused } = await faultsOf(
    operationsOf('/ocpi/'),
    (method, url) => ocpi(api, token, { method, url, ...(method !== 'GET' && { payload: {} }) }),
    (json) => typeof json['status_code'] === 'number',
  );
  t.same(faults, []);
  t.ok(refused > 300, `${refused} refused`);
  const put = { method: 'PUT', url: '/ocpi/cpo/2.2/tokens/DE/EMS/a%00b', payload: rfid } as const;
  t.match(await ocpi(api, token, put), { status: 400, json: { status_code: 2001 } });
  t.match(await ocpi(api, token, { url: '/ocpi/cpo/2.2/tokens/a%00b' }), {
    status: 400,
    json: { status_code: 2001, status_message: /token_uid must not contain/ },
  });
});

for (const family of ['cpms', 'emsp'] as const) {
  void t.test(`no path or query of /${family}/v1 makes a request fail`, async (t) => {
    const key = await mintKey(api, { apiFamily: family });
    const { faults, refused } = await faultsOf(
      operationsOf(`/${family}/v1/`),
      (method, url) => api.call(key, { method, url, ...(method !== 'GET' && { payload: {} }) }),
      (json) => typeof (family === 'cpms' ? json['error'] : json)?.['code'] === 'string',
    );
    t.same(faults, []);
    t.ok(refused > 300, `${refused} refused`);
  });
}

void t.test('no path or query outside of the families makes a request fail', async (t) => {
  const { faults } = await faultsOf(
    operationsOf('/firmware', '/payments', '/account'),
    (method, url) => api.call(null, { method, url }),
    () => true,
  );
  t.same(faults, []);
});

const refused = (message: RegExp) => ({
  status: 400,
  json: { error: { code: 'VALIDATION_FAILED', message } },
});

void t.test('a body with text that cannot be stored is refused by the name of its field', async (t) => {
  const key = await mintKey(api);
  const create = (payload: object) => api.call(key, { method: 'POST', url: '/cpms/v1/api-keys', payload });
  t.match(await create({ name: '\ud800' }), refused(/name must not contain a NUL character or half/));
  t.match(await create({ name: 'a\u0000b' }), refused(/name/));
  t.equal((await create({ name: '\u{1f50c}' })).status, 201, 'a whole surrogate pair is text');
});

void t.test(
  'a body that nests deeper than the stack is refused for text that cannot be stored',
  async (t) => {
    const key = await mintKey(api);
    const depth = 100_000;
    const payload = `{"data": ${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}}`;
    const url = `/cpms/v1/chargers/${uuid}/ocpp/DataTransfer`;
    const headers = { 'content-type': 'application/json' };
    const answer = await api.call(key, { method: 'POST', url, payload, headers });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  },
);
