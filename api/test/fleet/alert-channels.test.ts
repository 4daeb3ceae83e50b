import t from 'tap';
import {
  addChannel,
  bodies,
  channelsPath,
  channelScene,
  fault,
  routingKey,
} from '#api/test/support/alert-channels.ts';
import { connectedCharger } from '#api/test/support/alert-scene.ts';
import { type Json, items, mintKey } from '#api/test/support/fixtures.ts';
import { deliverToChannels } from '#api/services/fleet/alert-channel-sender.ts';
import { sealAllAgain } from '#shared/postgres/access/sealed-secrets.ts';

const text = (json: Json | undefined) => json as unknown as string;

void t.test('sends a test and returns its outcome', async (t) => {
  const { scene, receiver } = await channelScene(t);
  const test = async (id: string) =>
    (await scene.api.call(scene.key, { method: 'POST', url: `${channelsPath}/${id}/test` })).json['data'];
  const slack = await addChannel(scene, receiver, { format: 'slack', isEnabled: false });
  t.same(await test(slack), { outcome: 'delivered', httpStatus: 204, error: null });
  t.match(bodies(receiver.received), [{ text: 'Test alert' }]);
  const pager = await addChannel(scene, receiver, { format: 'pagerduty', routingKey });
  t.match(await test(pager), { outcome: 'delivered' });
  t.match(bodies(receiver.received).slice(1), [
    { event_action: 'trigger', payload: { summary: 'Test alert', severity: 'info' } },
    { event_action: 'resolve' },
  ]);
  receiver.react = () => ({ status: 403 });
  t.same(await test(slack), { outcome: 'refused', httpStatus: 403, error: 'HTTP 403' });
  await receiver.close();
  t.same(await test(slack), { outcome: 'unavailable', httpStatus: null, error: 'unreachable' });
});

void t.test('never returns, audits or shows an address or a key', async (t) => {
  const { scene, receiver } = await channelScene(t);
  const { api, key } = scene;
  const secret = `${receiver.url}/T000/very-secret`;
  const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const texts: string[] = [];
  const call = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const answer = await api.call(key, { method, url, ...(payload !== undefined && { payload }) });
    texts.push(answer.text);
    return answer;
  };
  const made = await call('POST', channelsPath, {
    name: 'Hook',
    format: 'webhook',
    url: secret,
    signingSecret,
  });
  t.match(made, { status: 201, headers: { etag: '"1"' } });
  const id = text(made.json['data']?.['id']);
  const pager = await call('POST', channelsPath, {
    name: 'Pager',
    format: 'pagerduty',
    url: secret,
    routingKey,
  });
  receiver.react = () => ({ status: 500 });
  await call('POST', `${channelsPath}/${id}/test`);
  await call('PATCH', `${channelsPath}/${id}`, { name: 'Other', url: `${secret}-2` });
  await call('GET', channelsPath);
  await call('GET', `${channelsPath}/${id}`);
  await call('GET', '/cpms/v1/audit-log');
  await call('PATCH', `${channelsPath}/${text(pager.json['data']?.['id'])}`, {
    url: `${receiver.url}/other`,
  });
  t.match(texts.at(-1), /routingKey/, 'a stored key is not sent to another address');
  await call('DELETE', `${channelsPath}/${id}`);
  await call('GET', '/cpms/v1/audit-log');
  t.notMatch(texts.join('\n'), 'very-secret');
  t.notMatch(texts.join('\n'), signingSecret);
  t.notMatch(texts.join('\n'), routingKey);
  const { sql } = api.stores;
  const stored = await sql`select row_to_json(c)::text as row from alert_channels c`;
  t.notMatch(JSON.stringify(stored), 'very-secret');
  const [row] = await sql`select target from alert_channels where uuid = ${id}`;
  t.same(row, { target: null }, 'a deleted channel has no secret');
});

void t.test('refuses fields of another format and addresses that are not public', async (t) => {
  const { scene, receiver } = await channelScene(t);
  const { url } = receiver;
  const wrong: [object, RegExp][] = [
    [{ format: 'slack' }, /url/],
    [{ format: 'pagerduty' }, /routingKey/],
    [{ format: 'slack', url, routingKey }, /routingKey/],
    [{ format: 'teams', url, signingSecret: `whsec_${'A'.repeat(40)}` }, /signingSecret/],
    [{ format: 'slack', url: 'https://10.0.0.1/x' }, /url/],
    [{ format: 'slack', url: 'http://192.0.43.8/x' }, /url/],
    [{ format: 'email', url }, /format/],
    [{ format: 'slack', url, kinds: ['no-kind'] }, /kinds/],
  ];
  for (const [payload, field] of wrong) {
    const answer = await scene.api.call(scene.key, {
      method: 'POST',
      url: channelsPath,
      payload: { name: 'A', ...payload },
    });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, JSON.stringify(payload));
    t.match(answer.text, field);
  }
  t.same(await scene.api.stores.sql`select from alert_channels`, []);
});

void t.test('serves no other network, no missing scope and no anonymous caller', async (t) => {
  const { scene, receiver } = await channelScene(t);
  const { api } = scene;
  const id = await addChannel(scene, receiver, { format: 'webhook' });
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const reader = await mintKey(api, { scopes: ['cpms:read:alerts'] });
  const other = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  const requests = [
    { method: 'GET', url: `${channelsPath}/${id}` },
    { method: 'PATCH', url: `${channelsPath}/${id}`, payload: { name: 'Mine' } },
    { method: 'POST', url: `${channelsPath}/${id}/test` },
    { method: 'DELETE', url: `${channelsPath}/${id}` },
  ] as const;
  for (const request of requests) {
    t.match(await api.call(foreign, request), {
      status: 404,
      json: { error: { code: 'ALERT_CHANNEL_NOT_FOUND' } },
    });
    t.match(await api.call(null, request), { status: 401 });
    t.match(await api.call(other, request), { status: 403 });
    if (request.method !== 'GET') t.match(await api.call(reader, request), { status: 403 });
  }
  t.same(items((await api.call(foreign, { url: channelsPath })).json['data']), []);
  t.match(await api.call(null, { url: channelsPath }), { status: 401 });
  const inForeign = {
    method: 'POST',
    url: channelsPath,
    payload: { name: 'A', format: 'slack', url: receiver.url, networkUuid: api.network.uuid },
  } as const;
  t.match(await api.call(foreign, inForeign), { status: 404 });
  // An alert of the other network reaches no channel of this one.
  const mine = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  await fault({ ...scene, key: mine }, await connectedCharger({ api, key: mine }, 'CP-9'));
  t.equal(receiver.received.length, 0);
});

void t.test('seals the secrets of channels again with a new key', async (t) => {
  const { scene, receiver } = await channelScene(t);
  await addChannel(scene, receiver, { format: 'webhook' });
  const { sql } = scene.api.stores;
  const [before] = await sql<{ sealing_key: string }[]>`select sealing_key from alert_channels`;
  const changed = await sealAllAgain(sql, {
    presentKey: 'next',
    knownKeys: ['next', before!.sealing_key],
    sealAgain: (stored) => stored,
  });
  t.equal(changed, 1);
  t.same(await deliverToChannels(scene.api.deps), 0, 'nothing is sent with a key that is not known');
});
