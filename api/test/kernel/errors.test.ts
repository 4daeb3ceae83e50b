import { randomUUID } from 'node:crypto';
import t from 'tap';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { until } from '#shared/testing/until.ts';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';

const url = '/cpms/v1/chargers';
const json = { 'content-type': 'application/json' };

const coded = (status: number, code: string) => ({ status, json: { success: false, error: { code } } });

void t.test('names a body that is not JSON, too large, or of another type', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const post = (payload: string, headers: Record<string, string> = json) =>
    api.call(key, { method: 'POST', url, payload, headers });
  t.match(await post('{"serial":'), coded(400, 'MALFORMED_JSON'));
  t.match(await post('{"serial":"A","__proto__":{}}'), coded(400, 'MALFORMED_JSON'));
  t.match(await post(JSON.stringify({ serial: 'x'.repeat(1024 * 1024) })), coded(413, 'BODY_TOO_LARGE'));
  t.match(await post('serial=A', { 'content-type': 'text/plain' }), coded(415, 'UNSUPPORTED_MEDIA_TYPE'));
  t.match(await post(''), { status: 400, json: { error: { message: /must be object/ } } });
  t.match(await post('[]'), coded(400, 'VALIDATION_FAILED'));
});

void t.test('names the accepted values of an invalid field', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const post = { method: 'POST', url };
  const faultOf = async (request: object) => {
    const { json } = await api.call(key, request);
    return items(json['error']?.['details']?.['errors'])[0];
  };
  for (const [request, field, message] of [
    [
      { url: '/cpms/v1/audit-log?from=today' },
      'from',
      /^must be a date and time with its zone, such as [^;]+Z$/,
    ],
    [
      { url: '/cpms/v1/audit-log?from=2026-02-30T12:00:00Z' },
      'from',
      /^must be a date and time with its zone/,
    ],
    [
      { url: '/cpms/v1/audit-log?from=2026-02-28T24:00:00Z' },
      'from',
      /^must be a date and time with its zone/,
    ],
    [
      { url: '/cpms/v1/audit-log?from=2026-01-31T12:00:00+01:00' },
      'from',
      /Z; in a URL, \+ is written as %2B$/,
    ],
    [{ url: '/cpms/v1/chargers/12' }, 'uuid', /^must be a UUID, such as /],
    [{ method: 'PATCH', url: `${url}/${randomUUID()}`, payload: {} }, '', /^must have at least 1 field$/],
    [{ ...post, payload: { serial: '' } }, 'serial', /^must have at least 1 character$/],
    [{ ...post, payload: { serial: 'x'.repeat(49) } }, 'serial', /^must have at most 48 characters$/],
    [{ ...post, payload: { serial: 'x', securityProfile: 4 } }, 'securityProfile', /^must be <= 3$/],
    [{ ...post, payload: { serial: 'x', colour: 'red' } }, 'colour', /^is not a field of this request$/],
  ] as const) {
    t.match(await faultOf(request), { field, message });
  }
});

void t.test(
  'an unknown path is 404 and a known one with the wrong method 405, each in its family’s form',
  async (t) => {
    const api = await startTestApi(t);
    const key = await mintKey(api);
    const driverKey = await mintKey(api, { apiFamily: 'emsp' });
    t.match(await api.call(key, { url: '/cpms/v1/nothing' }), {
      status: 404,
      json: { success: false, error: { code: 'ROUTE_NOT_FOUND' }, timestamp: String },
    });
    t.match(await api.call(key, { method: 'PUT', url }), {
      status: 405,
      headers: { allow: 'GET, HEAD, POST' },
      json: { error: { code: 'METHOD_NOT_ALLOWED' } },
    });
    t.match(await api.call(driverKey, { url: '/emsp/v1/nothing' }), {
      status: 404,
      json: { code: 'ROUTE_NOT_FOUND' },
    });
    t.match(await api.call(driverKey, { method: 'POST', url: '/emsp/v1/chargers/1' }), {
      status: 405,
      json: { code: 'METHOD_NOT_ALLOWED' },
    });
    t.match(await api.call(null, { url: '/nothing' }), {
      status: 404,
      headers: { 'content-type': /problem\+json/ },
      json: { code: 'ROUTE_NOT_FOUND' },
    });
    t.match(await api.call(null, { method: 'POST', url: '/metrics' }), {
      status: 405,
      json: { status: 405 },
    });
    t.match(await api.call(null, { url: '/%zz' }), { status: 400, json: { code: 'BAD_REQUEST' } });
  },
);

void t.test('every answer carries a request id: the caller’s when it is sane, else a new one', async (t) => {
  const api = await startTestApi(t);
  const idFor = async (sent: string) => {
    const { headers, json } = await api.call(null, { url: '/nothing', headers: { 'x-request-id': sent } });
    t.equal(json['instance'], headers['x-request-id']);
    return headers['x-request-id'];
  };
  t.equal(await idFor('order-7:retry.2'), 'order-7:retry.2');
  for (const odd of ['', 'a b', '<script>', 'x'.repeat(129)]) t.match(await idFor(odd), /^[0-9a-f-]{36}$/);
});

void t.test('answers 503 for an unreachable database, which readiness names', async (t) => {
  const sql = openPostgres('postgres://nobody@127.0.0.1:1/none', { name: 'test', connections: 1 });
  t.teardown(() => sql.end());
  const api = await startTestApi(t, { sql });
  const key = await mintKey(api);
  t.match(await api.call(key, { url }), {
    status: 503,
    json: { success: false, error: { code: 'STORE_UNAVAILABLE' } },
  });
  // A part that answers late, as on a machine that stands still for a moment, counts as down too.
  const ready = await until('the other parts answer in time', async () => {
    const answer = await api.call(null, { url: '/health/ready' });
    const { clickhouse, bus } = answer.json['parts'] as unknown as Record<string, string>;
    return clickhouse === 'up' && bus === 'up' && answer;
  });
  t.match(ready, {
    status: 503,
    json: { status: 'unavailable', parts: { postgresql: 'down', clickhouse: 'up', bus: 'up' } },
  });
  t.equal((await api.call(null, { url: '/health/live' })).status, 200, 'the process itself lives');
});

void t.test('answers an unexpected error with the logged request id only', async (t) => {
  const api = await startTestApi(t, {}, { fresh: true });
  const key = await mintKey(api);
  await api.stores.sql`alter table chargers rename to gone`;
  const { status, json, headers } = await api.call(key, { url });
  t.equal(status, 500);
  t.match(json, { success: false, error: { code: 'INTERNAL_ERROR' } });
  t.notMatch(JSON.stringify(json), /chargers|relation|select/);
  const line = api
    .log()
    .split('\n')
    .find((text) => text.includes('request failed'));
  t.match(line, String(headers['x-request-id']));
  t.match(line, /relation/);
});
