import { pino } from 'pino';
import t, { type Test } from 'tap';
import { buildApp } from '#api/app.ts';
import { type BillingScene, billingScene } from '#api/test/support/billing.ts';
import { callApp, mintKey } from '#api/test/support/fixtures.ts';
import { seedConnection } from '#shared/testing/seed.ts';

const cpms = '/cpms/v1';
const emsp = '/emsp/v1';

/** Single records of a network, with the keys of all its readers. */
interface Records {
  scene: BillingScene;
  operator: string;
  foreign: string;
  ids: Record<'connector' | 'tariff' | 'token' | 'ended' | 'running', string>;
  /** Reads through a second API process on the same stores. */
  elsewhere: (key: string | null, url: string) => ReturnType<typeof callApp>;
}

async function records(t: Test): Promise<Records> {
  const scene = await billingScene(t);
  const { api, driver } = scene;
  const { sql } = api.stores;
  const [ended, running] = [await scene.charge(), await scene.run()];
  await sql`update chargers set is_public = true`;
  const [connector] = await sql<{ uuid: string }[]>`select uuid from connectors order by number desc limit 1`;
  const [tariff] = await sql<{ uuid: string }[]>`select uuid from tariffs`;
  const [token] = await sql<{ uuid: string }[]>`
    insert into id_tokens (network_id, user_id, uid, type)
    values (${api.network.id}, ${driver.id}, '04A2B3C4', 'RFID') returning uuid`;
  const second = await buildApp({ ...api.deps, log: pino({ level: 'silent' }) });
  t.teardown(() => second.close());
  return {
    scene,
    operator: await mintKey(api),
    foreign: await mintKey(api, { networkIds: [api.otherNetwork.id] }),
    ids: {
      connector: connector?.uuid ?? '',
      tariff: tariff?.uuid ?? '',
      token: token?.uuid ?? '',
      ended,
      running,
    },
    elsewhere: (key, url) => callApp(second, key, { url }),
  };
}

void t.test('shows an answered change in every process', async (t) => {
  const { scene, operator, ids, elsewhere } = await records(t);
  const { api, chargerUuid, locationUuid, driver, keys } = scene;
  const charger = `${cpms}/chargers/${chargerUuid}`;
  const changes: { url: string; payload: object; reads: [key: string, url: string, shown: object][] }[] = [
    {
      url: charger,
      payload: { physicalReference: 'A-7' },
      reads: [[operator, charger, { data: { physicalReference: 'A-7' } }]],
    },
    {
      url: `${charger}/evses/1`,
      payload: { floorLevel: '-3' },
      reads: [[operator, `${charger}/evses/1`, { data: { floorLevel: '-3' } }]],
    },
    {
      url: `${cpms}/connectors/${ids.connector}`,
      payload: { maxAmperage: 63 },
      reads: [
        [operator, `${cpms}/connectors/${ids.connector}`, { data: { maxAmperage: 63 } }],
        [keys.operator, `${emsp}/connectors/${ids.connector}/status`, { maxAmperage: 63 }],
        [keys.driver, `${emsp}/chargers/${chargerUuid}`, { connectors: [{}, { maxAmperage: 63 }] }],
      ],
    },
    {
      url: `${cpms}/locations/${locationUuid}`,
      payload: { name: 'Pier 9' },
      reads: [
        [operator, `${cpms}/locations/${locationUuid}`, { data: { name: 'Pier 9' } }],
        [operator, charger, { data: { locationName: 'Pier 9' } }],
        [keys.operator, `${emsp}/chargers/${chargerUuid}`, { location: { name: 'Pier 9' } }],
        [keys.driver, `${emsp}/charging/sessions/${ids.running}`, { locationName: 'Pier 9' }],
        [keys.driver, `${emsp}/transactions/${ids.ended}`, { locationName: 'Pier 9' }],
      ],
    },
    {
      url: `${cpms}/tariffs/${ids.tariff}`,
      payload: { name: 'Evening' },
      reads: [[operator, `${cpms}/tariffs/${ids.tariff}`, { data: { name: 'Evening' } }]],
    },
    {
      url: `${cpms}/id-tokens/${ids.token}`,
      payload: { visualNumber: 'C-77' },
      reads: [
        [operator, `${cpms}/id-tokens/${ids.token}`, { data: { visualNumber: 'C-77' } }],
        [keys.driver, `${emsp}/auth/tokens/${ids.token}`, { visualNumber: 'C-77' }],
      ],
    },
    {
      url: `${cpms}/users/${driver.uuid}`,
      payload: { name: 'Another name' },
      reads: [
        [operator, `${cpms}/users/${driver.uuid}`, { data: { name: 'Another name' } }],
        [keys.driver, `${emsp}/users/${driver.uuid}`, { name: 'Another name' }],
      ],
    },
    {
      url: `${cpms}/sessions/${ids.running}/limits`,
      payload: { maxEnergyKwh: 9 },
      reads: [
        [operator, `${cpms}/sessions/${ids.running}`, { data: { limits: { maxEnergyKwh: 9 } } }],
        [keys.driver, `${emsp}/charging/sessions/${ids.running}`, { limits: { maxEnergyKwh: 9 } }],
      ],
    },
  ];
  for (const { url, payload, reads } of changes) {
    for (const [key, path] of reads) {
      const [first, again, other] = [
        await api.call(key, { url: path }),
        await api.call(key, { url: path }),
        await elsewhere(key, path),
      ];
      t.equal(first.status, 200, first.text);
      const shown = [again, other].map(({ json }) => ({ ...json, timestamp: 0 }));
      // The duration of a running session depends on the time of the read.
      if (!path.includes(ids.running)) t.same(shown[0], shown[1], `${path}: both processes show the same`);
      t.equal(again.headers['etag'], first.headers['etag']);
    }
    const changed = await api.call(operator, { method: 'PATCH', url, payload });
    t.equal(changed.status, 200, changed.text);
    for (const [key, path, shown] of reads) {
      t.match((await elsewhere(key, path)).json, shown, `${path} in the other process`);
      const here = await api.call(key, { url: path });
      t.match(here.json, shown, path);
      if (path === url)
        t.equal(here.headers['etag'], changed.headers['etag'], 'the ETag is that of the change');
    }
  }
});

void t.test('shows changes of related records at once', async (t) => {
  const { scene, operator, ids, elsewhere } = await records(t);
  const { api, chargerUuid, keys, driver } = scene;
  const { sql } = api.stores;
  const show = async (key: string, url: string) => {
    const { json } = await elsewhere(key, url);
    return json['data'] ?? json;
  };
  const charger = `${emsp}/chargers/${chargerUuid}`;
  const status = `${emsp}/connectors/${ids.connector}/status`;
  await sql`update connectors set status = 'Available'`;
  await sql`update chargers set status = 'Available'`;
  t.match(await show(keys.operator, charger), { isOnline: false });
  await seedConnection(sql, chargerUuid);
  t.match(await show(keys.operator, charger), { isOnline: true });
  t.match(await show(operator, `${cpms}/chargers/${chargerUuid}`), { isConnected: true });
  t.match(await show(operator, `${cpms}/chargers/${chargerUuid}/evses/1`), { status: 'AVAILABLE' });
  t.match(await show(keys.operator, status), { isOnline: true });
  await sql`update gateway_shards set seen_at = now() - interval '1 minute'`;
  t.match(await show(keys.operator, charger), { isOnline: false }, 'the gateway is silent');
  t.match(await show(operator, `${cpms}/chargers/${chargerUuid}`), { isConnected: false });
  t.match(await show(keys.operator, status), { isOnline: false });

  const [profile] = [`${cpms}/users/${driver.uuid}`];
  t.match(await show(operator, profile), { statistics: { sessionCount: 2, activeSessionCount: 1 } });
  await scene.charge();
  t.match(await show(operator, profile), { statistics: { sessionCount: 3, activeSessionCount: 1 } });

  const transaction = `${emsp}/transactions/${ids.ended}`;
  t.match(await show(keys.driver, transaction), { receiptNumber: null });
  const receipt = await api.call(keys.driver, { url: `${emsp}/charging/sessions/${ids.ended}/receipt` });
  t.equal(receipt.status, 200);
  t.match(await show(keys.driver, transaction), { receiptNumber: /^R-/ });

  const token = `${cpms}/id-tokens/${ids.token}`;
  t.match(await show(operator, token), { pendingChargers: { chargers: 0 } });
  await sql`
    insert into id_token_caches (id_token_id, charger_id, told_at)
    select t.id, c.id, now() from id_tokens t, chargers c`;
  const blocked = await api.call(operator, { method: 'PATCH', url: token, payload: { blocked: true } });
  t.equal(blocked.status, 200, blocked.text);
  t.match(await show(operator, token), { valid: false, pendingChargers: { chargers: 1 } });
  await sql`delete from id_token_caches`;
  t.match(await show(operator, token), { pendingChargers: { chargers: 0 } });
});

void t.test('keeps records from callers who do not see them', async (t) => {
  const { scene, operator, foreign, ids } = await records(t);
  const { api, chargerUuid, locationUuid, driver, keys } = scene;
  const { sql } = api.stores;
  const seen: [own: string, others: string[], url: string][] = [
    ...[
      `chargers/${chargerUuid}`,
      `chargers/${chargerUuid}/evses/1`,
      `connectors/${ids.connector}`,
      `locations/${locationUuid}`,
      `tariffs/${ids.tariff}`,
      `id-tokens/${ids.token}`,
      `users/${driver.uuid}`,
      `sessions/${ids.ended}`,
      `sessions/${ids.running}`,
    ].map((path): [string, string[], string] => [operator, [foreign], `${cpms}/${path}`]),
    ...[
      `transactions/${ids.ended}`,
      `charging/sessions/${ids.ended}`,
      `charging/sessions/${ids.running}`,
      `auth/tokens/${ids.token}`,
      `users/${driver.uuid}`,
    ].map((path): [string, string[], string] => [
      keys.driver,
      [keys.otherDriver, keys.elsewhere],
      `${emsp}/${path}`,
    ]),
    [keys.driver, [keys.elsewhere], `${emsp}/chargers/${chargerUuid}`],
    [keys.driver, [keys.elsewhere], `${emsp}/connectors/${ids.connector}/status`],
  ];
  for (const [own, others, url] of seen) {
    for (let n = 0; n < 2; n++) {
      // At once: those who see it and those who do not share no statement, or are distinguished in it.
      const answers = await Promise.all([own, ...others, null, own].map((key) => api.call(key, { url })));
      const statuses = answers.map(({ status }) => status);
      t.same(statuses, [200, ...others.map(() => 404), 401, 200], url);
    }
  }

  await sql`update chargers set is_public = false`;
  for (const path of [`chargers/${chargerUuid}`, `connectors/${ids.connector}/status`]) {
    const statuses = [keys.operator, keys.driver].map(
      async (key) => (await api.call(key, { url: `${emsp}/${path}` })).status,
    );
    t.same(await Promise.all(statuses), [200, 404], 'drivers no longer see a private charger');
  }
  const unknown = await api.call(operator, { url: `${cpms}/chargers/${chargerUuid}/evses/9` });
  t.match(unknown.json, { error: { code: 'EVSE_NOT_FOUND' } });
});

void t.test('shows the session at a connector to its driver and to operators only', async (t) => {
  const { scene, ids } = await records(t);
  const { api, keys } = scene;
  const url = `${emsp}/connectors/${ids.connector}/status`;
  const shown = async (key: string) => (await api.call(key, { url })).json['activeSessionId'];
  for (let n = 0; n < 2; n++) {
    t.equal(await shown(keys.otherDriver), null);
    t.equal(await shown(keys.operator), ids.running);
    t.equal(await shown(keys.driver), ids.running);
  }
});

void t.test('answers concurrent reads with the record of each', async (t) => {
  const { scene, operator, ids } = await records(t);
  const { api, keys } = scene;
  const made = await api.stores.sql<{ uuid: string }[]>`
    insert into id_tokens (network_id, uid, type)
    select ${api.network.id}, 'CARD-' || n, 'RFID' from generate_series(1, 70) n returning uuid`;
  const uuids = [...made.map(({ uuid }) => uuid), ids.token];
  for (let n = 0; n < 2; n++) {
    const answers = await Promise.all(
      uuids.map((uuid) => api.call(operator, { url: `${cpms}/id-tokens/${uuid}` })),
    );
    t.same(
      answers.map(({ json }) => json['data']?.['id']),
      uuids,
    );
    const own = await Promise.all(
      uuids.map((uuid) => api.call(keys.driver, { url: `${emsp}/auth/tokens/${uuid}` })),
    );
    t.same(
      own.map(({ status }) => status),
      uuids.map((uuid) => (uuid === ids.token ? 200 : 404)),
    );
  }
});
