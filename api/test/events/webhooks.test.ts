import t from 'tap';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { startReceiver } from './support/receiver.ts';
import {
  addWebhook,
  inNetwork,
  startDeliverer,
  subjects,
  textOf,
  untilHealth,
  webhookOf,
  writeEvents,
} from './support/webhooks.ts';

const shared = await startTestApi(t);
const url = 'https://127.0.0.1:1/events';
const base = '/cpms/v1/webhooks';

void t.test('creates, reads, changes and deletes a webhook with its version', async (t) => {
  const api = await inNetwork(shared);
  const charger = await seedCharger(api.stores.sql, api.network.id);
  const created = await api.call(api.key, {
    method: 'POST',
    url: base,
    payload: { url, description: 'Fleet', types: ['session.*'], chargerId: charger.uuid, order: 'endpoint' },
  });
  t.match(created, { status: 201, headers: { etag: '"1"', 'cache-control': 'no-store' } });
  t.match(created.json['data'], {
    url,
    networkUuid: api.network.uuid,
    description: 'Fleet',
    types: ['session.*'],
    chargerId: charger.uuid,
    locationId: null,
    order: 'endpoint',
    isEnabled: true,
    disabledReason: null,
    previousSecretExpiresAt: null,
    health: { state: 'HEALTHY', backlog: 0, waiting: 0, deadLetters: 0, delivered: 0, lastError: null },
    secret: /^whsec_/,
  });
  const id = textOf(created.json['data']?.['id']);
  const read = await api.call(api.key, { url: `${base}/${id}` });
  t.match(read, { status: 200, headers: { etag: '"1"' } });
  t.notOk('secret' in (read.json['data'] ?? {}), 'the secret is shown once');
  const list = await api.call(api.key, { url: base });
  t.strictSame(
    items(list.json['data']).map((webhook) => textOf(webhook['id'])),
    [id],
  );

  const change = (payload: object, headers = {}) =>
    api.call(api.key, { method: 'PATCH', url: `${base}/${id}`, payload, headers });
  t.match(await change({ chargerId: null, isEnabled: false }), {
    status: 200,
    headers: { etag: '"2"' },
    json: {
      data: { chargerId: null, isEnabled: false, disabledReason: 'operator', health: { state: 'DISABLED' } },
    },
  });
  t.match(await change({ types: [] }, { 'if-match': '"1"' }), {
    status: 412,
    json: { error: { code: 'PRECONDITION_FAILED' } },
  });
  t.match(
    await api.call(api.key, { method: 'DELETE', url: `${base}/${id}`, headers: { 'if-match': '"1"' } }),
    {
      status: 412,
    },
  );
  t.match(await api.call(api.key, { method: 'DELETE', url: `${base}/${id}` }), { status: 200 });
  t.match(await api.call(api.key, { url: `${base}/${id}` }), {
    status: 404,
    json: { error: { code: 'WEBHOOK_NOT_FOUND' } },
  });
});

void t.test('refuses URLs that lead elsewhere than to a public server over TLS', async (t) => {
  const api = await inNetwork(shared);
  const refused = [
    'http://192.0.43.8/events',
    'http://hooks.example.com:1/events#part',
    'https://10.0.0.1/events',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00::1]/events',
    'https://[::ffff:10.0.0.1]/events',
    'https://user@127.0.0.1/events',
    'https://user:secret@127.0.0.1/events',
    'https://127.0.0.1/events#part',
    'ftp://127.0.0.1/events',
    'https://',
  ];
  for (const wrong of refused) {
    const answer = await api.call(api.key, { method: 'POST', url: base, payload: { url: wrong } });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, wrong);
    t.match(answer.text, /url/);
    t.notMatch(answer.text, /secret/);
  }
  const { id } = await addWebhook(api, { url: 'http://127.0.0.1:1/events' });
  const changed = await api.call(api.key, {
    method: 'PATCH',
    url: `${base}/${id}`,
    payload: { url: 'https://10.0.0.1/' },
  });
  t.equal(
    changed.status,
    400,
    'the addresses that the installation allows are accepted, and no others later',
  );
});

void t.test(
  'refuses filters of another network, unknown types and more webhooks than the limit',
  async (t) => {
    const api = await inNetwork(shared);
    const { sql } = api.stores;
    const foreign = await seedCharger(sql, api.otherNetwork.id);
    const post = (payload: object) =>
      api.call(api.key, { method: 'POST', url: base, payload: { url, ...payload } });
    t.match(await post({ chargerId: foreign.uuid }), {
      status: 404,
      json: { error: { code: 'CHARGER_NOT_FOUND' } },
    });
    t.match(await post({ locationId: foreign.uuid }), {
      status: 404,
      json: { error: { code: 'LOCATION_NOT_FOUND' } },
    });
    t.match(await post({ types: ['nothing.*'] }), { status: 400 });
    t.match(await post({ networkUuid: api.otherNetwork.uuid }), {
      status: 404,
      json: { error: { code: 'NETWORK_NOT_FOUND' } },
    });
    await sql`
    insert into webhook_endpoints (network_id, url) select ${api.network.id}, 'https://x.example' from generate_series(1, 100)`;
    t.match(await post({}), { status: 409, json: { error: { code: 'WEBHOOK_LIMIT_REACHED' } } });
  },
);

void t.test('requires the scopes, and shows no webhook of another network', async (t) => {
  const api = await inNetwork(shared);
  const { id } = await addWebhook(api, { url });
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const withScopes = (...scopes: string[]) => mintKey(api, { scopes });
  const [reader, writer, both] = [
    await withScopes('cpms:read:webhooks', 'cpms:read:events'),
    await withScopes('cpms:write:webhooks'),
    await withScopes('cpms:write:webhooks', 'cpms:read:events'),
  ];
  const routes = [
    ['GET', ''],
    ['GET', '/deliveries'],
    ['GET', '/dead-letters'],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
    ['POST', '/replay'],
    ['POST', `/dead-letters/${id}/replay`],
  ] as const;
  for (const [method, path] of routes) {
    const body = { PATCH: { description: 'x' }, '/replay': { afterSequence: '0' } };
    const payload = method === 'PATCH' ? body.PATCH : path === '/replay' ? body['/replay'] : undefined;
    const request = { method, url: `${base}/${id}${path}`, ...(payload !== undefined && { payload }) };
    const name = `${method} ${path}`;
    t.match(await api.call(null, request), { status: 401 }, name);
    t.match(
      await api.call(foreign, request),
      { status: 404, json: { error: { code: 'WEBHOOK_NOT_FOUND' } } },
      name,
    );
    const lacking = method === 'GET' ? writer : reader;
    t.match(
      await api.call(lacking, request),
      { status: 403, json: { error: { code: 'SCOPE_MISSING' } } },
      name,
    );
  }
  t.strictSame(items((await api.call(foreign, { url: base })).json['data']), []);
  t.match(await api.call(null, { url: base }), { status: 401 });
  t.match(await api.call(writer, { url: base }), { status: 403 });

  const create = (key: string) => api.call(key, { method: 'POST', url: base, payload: { url } });
  t.match(await create(reader), {
    status: 403,
    json: { error: { details: { scope: 'cpms:write:webhooks' } } },
  });
  t.match(await create(writer), { status: 403, json: { error: { details: { scope: 'cpms:read:events' } } } });
  t.match(await create(both), { status: 201 });
  const change = (key: string, payload: object) =>
    api.call(key, { method: 'PATCH', url: `${base}/${id}`, payload });
  for (const more of [{ url: 'https://127.0.0.1:2/' }, { types: ['driver.*'] }, { isEnabled: true }]) {
    t.match(await change(writer, more), {
      status: 403,
      json: { error: { details: { scope: 'cpms:read:events' } } },
    });
  }
  t.match(await change(writer, { description: 'Ours' }), { status: 200 });
});

void t.test(
  'delivers nothing once the key that created the webhook is revoked, until another one takes over',
  async (t) => {
    const api = await inNetwork(shared);
    const { sql } = api.stores;
    const creator = await mintKey(api, { name: `creator ${api.network.id}` });
    const receiver = await startReceiver(t);
    const ofDrivers = { url: receiver.url, types: ['driver.*'] };
    const { id } = await addWebhook({ ...api, key: creator }, ofDrivers);
    startDeliverer(t, api);
    await writeEvents(sql, api.network.id, subjects(1));
    await receiver.got(1);

    const keys = items((await api.call(api.key, { url: '/cpms/v1/api-keys' })).json['data']);
    const key = keys.find(({ name }) => textOf(name) === `creator ${api.network.id}`);
    const revoked = await api.call(api.key, {
      method: 'DELETE',
      url: `/cpms/v1/api-keys/${textOf(key?.['id'])}`,
    });
    t.equal(revoked.status, 200);
    t.match(await webhookOf(api, id), {
      isEnabled: true,
      disabledReason: 'owner-revoked',
      health: { state: 'DISABLED' },
    });
    await until('the process gave the lease up', async () => {
      const rows = await sql`
      select from webhook_lanes l join webhook_endpoints e on e.id = l.endpoint_id
      where e.uuid = ${id} and leased_by is not null`;
      return rows.length === 0;
    });
    await writeEvents(sql, api.network.id, subjects(2));
    const other = await startReceiver(t);
    await addWebhook(api, { url: other.url });
    await writeEvents(sql, api.network.id, subjects(1));
    await other.got(1);
    t.equal(receiver.received.length, 1, 'what the other webhook got came later');

    const taken = await api.call(api.key, {
      method: 'PATCH',
      url: `${base}/${id}`,
      payload: { isEnabled: true },
    });
    t.match(taken.json['data'], { disabledReason: null });
    await receiver.got(4);
    await untilHealth(api, id, 'all that waited is delivered', ({ backlog }) => backlog === 0);
  },
);

void t.test('delivers nothing of a key that expired, and of an operator who lost the network', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const creator = await mintKey(api, { expiresAt: new Date(Date.now() + 3_600_000) });
  const { id } = await addWebhook({ ...api, key: creator }, { url });
  t.match(await webhookOf(api, id), { disabledReason: null });
  await sql`update api_keys set expires_at = now() where id = (select owner_key_id from webhook_endpoints where uuid = ${id})`;
  t.match(await webhookOf(api, id), { disabledReason: 'owner-revoked' });

  const [operator] = await sql<{ id: number }[]>`
    insert into operators (email, name, password_hash, role) values (${`${id}@b.example`}, 'A', 'x', 'Viewer') returning id`;
  await sql`insert into operator_networks (operator_id, network_id) values (${operator?.id ?? 0}, ${api.network.id})`;
  await sql`
    update webhook_endpoints set owner_key_id = null, owner_operator_id = ${operator?.id ?? 0} where uuid = ${id}`;
  t.match(await webhookOf(api, id), { disabledReason: null });
  await sql`delete from operator_networks where operator_id = ${operator?.id ?? 0}`;
  t.match(await webhookOf(api, id), { disabledReason: 'owner-revoked' });
});

void t.test('delivers no event of another network', async (t) => {
  const api = await inNetwork(shared);
  const other = await inNetwork(shared);
  const [mine, theirs] = [await startReceiver(t), await startReceiver(t)];
  await addWebhook(api, { url: mine.url });
  await addWebhook(other, { url: theirs.url });
  startDeliverer(t, api);
  await writeEvents(api.stores.sql, other.network.id, subjects(3), { type: 'driver.created' });
  await writeEvents(api.stores.sql, api.network.id, subjects(2), { type: 'driver.removed' });
  await mine.got(2);
  await theirs.got(3);
  t.ok(mine.received.every(({ event }) => event.type === 'driver.removed'));
  t.ok(theirs.received.every(({ event }) => event.type === 'driver.created'));
});

void t.test('reports a webhook whose secret another sealing key sealed', async (t) => {
  const api = await inNetwork(shared);
  const { id } = await addWebhook(api, { url });
  await api.stores.sql`
    update webhook_secrets set sealing_key = 'another'
    where endpoint_id = (select id from webhook_endpoints where uuid = ${id})`;
  t.match(await webhookOf(api, id), { disabledReason: 'secret-unreadable', health: { state: 'DISABLED' } });
  await api.call(api.key, { method: 'POST', url: `${base}/${id}/rotate-secret` });
  t.match(await webhookOf(api, id), { disabledReason: null });
});
