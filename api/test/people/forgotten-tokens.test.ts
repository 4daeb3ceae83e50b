import type { RPCClient } from 'ocpp-rpc';
import t from 'tap';
import { buildApp } from '#api/app.ts';
import { TokenChangeSender } from '#api/jobs/pending-token-changes.ts';
import { testDeps } from '#api/test/support/deps.ts';
import { startGateway } from '#gateway/supervisor/supervisor.ts';
import { answerCalls } from '#gateway/test/support/answering.ts';
import { launchKept } from '#gateway/test/support/kept-threads.ts';
import { startRig } from '#gateway/test/support/rig.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { createLogger } from '#shared/log/log.ts';
import { testConfig } from '#shared/testing/config.ts';
import { seedApiKey, type SeededCharger, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';

void t.test('blocked tokens', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const log = createLogger('test', 'silent');
  // The second gateway, on the same stores and Redis.
  const config = await testConfig(t, rig.stores, { SHARDS: '1' });
  const gateway = { config, urls: rig.stores, localBusName: 'second', log };
  const second = await startGateway({ ...gateway, launchShard: launchKept });
  t.teardown(() => second.stop());
  const deps = await testDeps(t, rig.stores, rig.bus);
  const app = await buildApp({ ...deps, log });
  t.teardown(() => app.close());
  const key = await seedApiKey(sql, 'cpms', { networkIds: [rig.network.id], scopes: grantableScopes });
  const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) => {
    const headers = { 'x-api-key': key };
    const response = await app.inject({
      method,
      url: `/cpms/v1${path}`,
      headers,
      ...(payload && { payload }),
    });
    if (response.statusCode >= 300) throw new Error(response.body);
    return response.json<{ data: Record<string, unknown> }>().data;
  };
  const tell = async () => {
    const sender = new TokenChangeSender({ ...deps, log });
    await sender.look();
    await sender.stop();
  };

  const here = await rig.connect('ocpp1.6');
  const there = await rig.connect('ocpp2.0.1');
  const connectionOf = async (id: number) => {
    const [row] = await sql<{ connection: string | null }[]>`
      select connection_id as connection from chargers where id = ${id} and disconnected_at is null`;
    return row?.connection;
  };
  /** Waits until both stores know a charger by its socket, which is another one than `left`. */
  const untilConnected = async ({ id, uid }: SeededCharger, left?: string) => {
    const connection = await until('the charger to be known as connected', async () => {
      const now = await connectionOf(id);
      return now !== left && now;
    });
    await until('its presence', async () => {
      const held = await rig.bus.presence.lookup(uid);
      return held?.connectionId === connection;
    });
    return connection;
  };
  await untilConnected(here.charger);
  // As a boot stores it.
  await sql`update chargers set ocpp_version = '1.6' where id = ${here.charger.id}`;
  const left = await untilConnected(there.charger);
  // The same charger, at the second gateway from now on.
  await there.client.close();
  const moved = rig.client(there.charger, 'ocpp2.0.1');
  const elsewhere = { endpoint: `ws://127.0.0.1:${config.ocppPort}/ocpp` };
  // The package's types ask for every option.
  moved.reconfigure(elsewhere as Parameters<typeof moved.reconfigure>[0]);
  await moved.connect();
  await untilConnected(there.charger, left);

  const heard: Record<'here' | 'there', [string, unknown][]> = { here: [], there: [] };
  let list: object = { status: 'Accepted' };
  const listen = (client: RPCClient, name: 'here' | 'there', settings: object) =>
    answerCalls(client, (action, payload) => {
      if (action === 'GetConfiguration' || action === 'GetVariables') return settings;
      heard[name].push([action, payload]);
      return action === 'SendLocalList' ? list : { status: 'Accepted' };
    });
  listen(here.client, 'here', {
    configurationKey: [{ key: 'SendLocalListMaxLength', readonly: true, value: '2' }],
  });
  listen(moved, 'there', {
    getVariableResult: [
      {
        component: { name: 'LocalAuthListCtrlr' },
        variable: { name: 'ItemsPerMessage' },
        attributeStatus: 'UnknownVariable',
      },
    ],
  });
  const actions = (name: 'here' | 'there') => heard[name].map(([action]) => action);
  const forget = () => {
    heard.here.length = 0;
    heard.there.length = 0;
  };

  const uid = await seedToken(sql, rig.network.id);
  const [row] = await sql<{ uuid: string }[]>`select uuid from id_tokens where uid = ${uid}`;
  const path = `/id-tokens/${row?.uuid}`;
  const authorize16 = async (idTag: string) =>
    ((await here.client.call('Authorize', { idTag })) as { idTagInfo: object }).idTagInfo;
  const authorize201 = async (idToken: string) =>
    (
      (await moved.call('Authorize', { idToken: { idToken, type: 'ISO14443' } })) as {
        idTokenInfo: object;
      }
    ).idTokenInfo;

  await t.test('are refused by both gateways and cleared from caches', async (t) => {
    await ask('PATCH', path, { groupId: 'FAMILY' });
    t.same(await authorize16(uid), { status: 'Accepted', parentIdTag: 'FAMILY' });
    t.same(await authorize201(uid), {
      status: 'Accepted',
      groupIdToken: { idToken: 'FAMILY', type: 'Central' },
    });
    await tell();
    t.same([actions('here'), actions('there')], [[], []], 'no stale token remains');

    t.match(await ask('PATCH', path, { blocked: true }), { pendingChargers: { chargers: 2, offline: 0 } });
    t.match(await authorize16(uid), { status: 'Blocked' });
    t.match(await authorize201(uid), { status: 'Blocked' });
    await Promise.all([tell(), tell()]);
    t.same([actions('here'), actions('there')], [['ClearCache'], ['ClearCache']], 'each once');
    t.match(
      await sql`select action, user_name, network_id, count(*)::integer as n from audit_log where category = 'command'
        group by action, user_name, network_id`,
      [{ action: 'clear-cache', user_name: 'token notices', network_id: rig.network.id, n: 2 }],
    );
    t.match(await ask('GET', path), { pendingChargers: { chargers: 0 } });
    await tell();
    t.same(actions('here'), ['ClearCache'], 'and not again');
  });

  await t.test('are cleared at an offline charger when it is back', async (t) => {
    forget();
    await ask('PATCH', path, { blocked: false });
    await authorize201(uid);
    await moved.close();
    await until('the end of the socket', async () => !(await connectionOf(there.charger.id)));
    t.match(await ask('PATCH', path, { blocked: true }), { pendingChargers: { chargers: 1, offline: 1 } });
    await tell();
    t.same(actions('there'), []);
    await moved.connect();
    await untilConnected(there.charger);
    await until('the update of the charger', async () => {
      await tell();
      return actions('there').length > 0;
    });
    t.same(actions('there'), ['ClearCache']);
    t.match(await ask('GET', path), { pendingChargers: { chargers: 0 } });
  });

  await t.test('are removed from local lists, sent in parts', async (t) => {
    forget();
    await ask('PATCH', path, { blocked: false });
    const others = [await seedToken(sql, rig.network.id), await seedToken(sql, rig.network.id)];
    await seedToken(sql, rig.network.id, { isValid: false });
    const push = (uuid: string, payload?: object) => ask('POST', `/chargers/${uuid}/local-list`, payload);
    t.match(await push(here.charger.uuid), { accepted: true, entryCount: 3, messages: 2, version: 2 });
    t.match(heard.here, [
      [
        'SendLocalList',
        {
          listVersion: 1,
          updateType: 'Full',
          localAuthorizationList: [
            { idTag: uid, idTagInfo: { status: 'Accepted', parentIdTag: 'FAMILY' } },
            { idTag: others[0], idTagInfo: { status: 'Accepted' } },
          ],
        },
      ],
      [
        'SendLocalList',
        { listVersion: 2, updateType: 'Differential', localAuthorizationList: [{ idTag: others[1] }] },
      ],
    ]);
    t.match(await push(there.charger.uuid, { idTokenIds: [row?.uuid] }), {
      entryCount: 1,
      messages: 1,
      version: 1,
    });
    await t.rejects(push(there.charger.uuid, { idTokenIds: [here.charger.uuid] }), /ID_TOKEN_NOT_FOUND/);
    forget();

    await ask('DELETE', path);
    await tell();
    t.match(heard.here, [
      [
        'SendLocalList',
        { listVersion: 3, updateType: 'Differential', localAuthorizationList: [{ idTag: uid }] },
      ],
    ]);
    t.notOk(JSON.stringify(heard.here).includes('idTagInfo'), 'an entry without info is taken out');
    t.match(heard.there, [
      [
        'SendLocalList',
        {
          versionNumber: 2,
          updateType: 'Differential',
          localAuthorizationList: [{ idToken: { idToken: uid, type: 'ISO14443' } }],
        },
      ],
    ]);
    const shown = await app.inject({
      url: `/cpms/v1/chargers/${here.charger.uuid}/local-list`,
      headers: { 'x-api-key': key },
    });
    t.match(shown.json(), { version: 3, entryCount: 2, data: [{ uid: others[0] }, { uid: others[1] }] });
    t.match(await authorize16(uid), { status: 'Invalid' });
  });

  await t.test('are removed by a full list at a charger with another version', async (t) => {
    forget();
    const answers = [{ status: 'VersionMismatch' }, { status: 'Accepted' }];
    answerCalls(here.client, (action, payload) => {
      if (action === 'GetConfiguration') return { unknownKey: ['SendLocalListMaxLength'] };
      heard.here.push([action, payload]);
      list = answers.shift() ?? { status: 'Failed' };
      return list;
    });
    const [gone] = await sql<{ uuid: string; uid: string }[]>`
      select uuid, uid from id_tokens t join local_list_entries e on e.id_token_id = t.id
      where charger_id = ${here.charger.id} order by t.id limit 1`;
    await ask('DELETE', `/id-tokens/${gone?.uuid}`);
    await tell();
    t.match(heard.here, [
      ['SendLocalList', { updateType: 'Differential', localAuthorizationList: [{ idTag: gone?.uid }] }],
      [
        'SendLocalList',
        { updateType: 'Full', localAuthorizationList: [{ idTagInfo: { status: 'Accepted' } }] },
      ],
    ]);
    t.match(
      await sql`select count(*)::integer as n from local_list_entries where charger_id = ${here.charger.id}`,
      [{ n: 1 }],
    );
  });
});
