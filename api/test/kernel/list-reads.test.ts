import { pino } from 'pino';
import t, { type Test } from 'tap';
import { buildApp } from '#api/app.ts';
import { type BillingScene, billingScene } from '#api/test/support/billing.ts';
import { callApp, items, type Json, mintKey } from '#api/test/support/fixtures.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { seedConnection } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';

const lists = {
  chargers: '/cpms/v1/chargers',
  connectors: '/cpms/v1/connectors',
  tokens: '/cpms/v1/id-tokens',
  drivers: '/cpms/v1/users',
  public: '/emsp/v1/chargers',
};

type List = keyof typeof lists;

const otherMaker = '00000000-0000-4000-8000-000000000002';

/** Lists of a network, with the keys of all its readers. */
interface Lists {
  scene: BillingScene;
  sql: Sql;
  keys: { operator: string; foreign: string; emsp: string; driver: string; elsewhere: string };
  /** Returns the items of a list, of the process that has cached it and of another one, which must be the same. */
  show: (list: List, key?: string) => Promise<Json[]>;
}

async function openLists(t: Test): Promise<Lists> {
  const scene = await billingScene(t);
  const { api, driver } = scene;
  const { sql } = api.stores;
  // Two connectors.
  await scene.charge();
  await scene.charge();
  await sql`
    with f as (insert into manufacturers (name) values ('Maker') returning id)
    insert into charger_models (manufacturer_id, model_name, max_power_w, ocpp_version) select id, 'M-1', 22000, '1.6' from f`;
  await sql`insert into manufacturers (uuid, name) values (${otherMaker}, 'Other')`;
  await sql`update chargers set is_public = true, model_id = (select max(id) from charger_models)`;
  await sql`update locations set is_published = true`;
  await sql`
    insert into id_tokens (network_id, user_id, uid, type) values (${api.network.id}, ${driver.id}, '04A2B3C4', 'RFID')`;
  const second = await buildApp({ ...api.deps, log: pino({ level: 'silent' }) });
  t.teardown(() => second.close());
  const keys = {
    operator: await mintKey(api),
    foreign: await mintKey(api, { networkIds: [api.otherNetwork.id] }),
    emsp: scene.keys.operator,
    driver: scene.keys.driver,
    elsewhere: scene.keys.elsewhere,
  };
  const show: Lists['show'] = async (list, key = list === 'public' ? keys.emsp : keys.operator) => {
    const url = lists[list];
    const here = await api.call(key, { url });
    const elsewhere = await callApp(second, key, { url });
    t.equal(here.status, 200, here.text);
    t.same(here.json['data'], elsewhere.json['data'], `${url}: both processes show the same`);
    return items(here.json['data']);
  };
  return { scene, sql, keys, show };
}

/** Change of a stored value, and the list that shows it: `at` is the path of the field in the first item. */
const changes: [list: List, table: string, set: string, at: string, shown: unknown][] = [
  ['chargers', 'chargers', `uid = 'RENAMED'`, 'uid', 'RENAMED'],
  ['chargers', 'chargers', `status = 'Faulted'`, 'status', 'Faulted'],
  ['chargers', 'chargers', `serial_number = 'S-9'`, 'serialNumber', 'S-9'],
  ['chargers', 'chargers', `firmware_version = '9.9'`, 'firmwareVersion', '9.9'],
  ['chargers', 'chargers', `ocpp_version = '2.0.1'`, 'ocppVersion', '2.0.1'],
  ['chargers', 'locations', `name = 'Pier 9'`, 'locationName', 'Pier 9'],
  ['chargers', 'chargers', `location_id = null`, 'locationUuid', null],
  [
    'chargers',
    'charger_models',
    `manufacturer_id = (select max(id) from manufacturers)`,
    'manufacturerUuid',
    otherMaker,
  ],
  ['chargers', 'chargers', `model_id = null`, 'modelUuid', null],
  ['connectors', 'connectors', `standard = 'CHADEMO'`, 'standard', 'CHADEMO'],
  ['connectors', 'connectors', `format = 'CABLE'`, 'format', 'CABLE'],
  ['connectors', 'connectors', `power_type = 'DC'`, 'powerType', 'DC'],
  ['connectors', 'connectors', `max_voltage = 801`, 'maxVoltage', 801],
  ['connectors', 'connectors', `max_amperage = 63`, 'maxAmperage', 63],
  ['connectors', 'connectors', `max_power_w = 7000`, 'maxPowerKw', 7],
  ['connectors', 'connectors', `status = 'Finishing'`, 'status', 'Finishing'],
  ['connectors', 'connectors', `error_code = 'HighTemperature'`, 'errorCode', 'HighTemperature'],
  ['connectors', 'connectors', `vendor_error_code = 'E-17'`, 'vendorErrorCode', 'E-17'],
  ['connectors', 'connectors', `status_info = 'Door open'`, 'info', 'Door open'],
  ['connectors', 'connectors', `status_at = '2026-01-02T03:04:05Z'`, 'statusAt', '2026-01-02T03:04:05.000Z'],
  [
    'connectors',
    'connectors',
    `terms_and_conditions = 'https://a.example'`,
    'termsAndConditions',
    'https://a.example',
  ],
  ['connectors', 'connectors', `version = 77`, 'version', 77],
  ['tokens', 'id_tokens', `is_valid = false`, 'blocked', true],
  ['tokens', 'id_tokens', `expires_at = '2020-01-01T00:00:00Z'`, 'expiresAt', '2020-01-01T00:00:00.000Z'],
  ['tokens', 'id_tokens', `is_valid = true`, 'status', 'Expired'],
  ['tokens', 'id_tokens', `visual_number = 'C-77'`, 'visualNumber', 'C-77'],
  ['tokens', 'id_tokens', `issuer = 'Another'`, 'issuer', 'Another'],
  ['tokens', 'id_tokens', `contract_id = 'NL-1'`, 'contractId', 'NL-1'],
  ['tokens', 'id_tokens', `group_id = 'G-1'`, 'groupId', 'G-1'],
  ['tokens', 'id_tokens', `whitelist = 'NEVER'`, 'whitelist', 'NEVER'],
  ['tokens', 'id_tokens', `version = 77`, 'version', 77],
  ['tokens', 'id_tokens', `user_id = null`, 'userId', null],
  ['drivers', 'users', `email = 'new@example.org'`, 'email', 'new@example.org'],
  ['drivers', 'users', `name = 'Another name'`, 'name', 'Another name'],
  ['drivers', 'users', `phone = '+31 1'`, 'phone', '+31 1'],
  ['drivers', 'users', `language = 'nl'`, 'language', 'nl'],
  ['drivers', 'users', `external_id = 'X-1'`, 'externalId', 'X-1'],
  ['drivers', 'users', `version = 77`, 'version', 77],
  ['public', 'chargers', `uid = 'RENAMED'`, 'uid', 'RENAMED'],
  ['public', 'chargers', `evse_id = 'NL*HRB*E9'`, 'evseId', 'NL*HRB*E9'],
  [
    'public',
    'chargers',
    `last_heartbeat_at = '2026-01-02T03:04:05Z'`,
    'lastHeartbeat',
    '2026-01-02T03:04:05.000Z',
  ],
  ['public', 'chargers', `is_public = false`, 'isPublic', false],
  ['public', 'chargers', `max_power_w = 11000`, 'maxPowerKw', 11],
  ['public', 'chargers', `max_power_w = null`, 'maxPowerKw', 22],
  ['public', 'charger_models', `max_power_w = 43000`, 'maxPowerKw', 43],
  ['public', 'charger_models', `model_name = 'M-2'`, 'model', 'M-2'],
  ['public', 'manufacturers', `name = 'Another maker'`, 'manufacturer', 'Another maker'],
  [
    'public',
    'charger_models',
    `manufacturer_id = (select max(id) from manufacturers)`,
    'manufacturer',
    'Other',
  ],
  ['public', 'locations', `name = 'Pier 9'`, 'location.name', 'Pier 9'],
  ['public', 'locations', `address = 'Pier 9'`, 'location.address', 'Pier 9'],
  ['public', 'locations', `city = 'Delft'`, 'location.city', 'Delft'],
  ['public', 'locations', `postal_code = '1234'`, 'location.postalCode', '1234'],
  ['public', 'locations', `country = 'BEL'`, 'location.country', 'BEL'],
  ['public', 'locations', `latitude = 51.25`, 'location.latitude', 51.25],
  ['public', 'locations', `longitude = 4.25`, 'location.longitude', 4.25],
  ['public', 'connectors', `standard = 'CHADEMO'`, 'connectors.0.standard', 'CHADEMO'],
  ['public', 'connectors', `format = 'CABLE'`, 'connectors.0.format', 'CABLE'],
  ['public', 'connectors', `power_type = 'DC'`, 'connectors.0.powerType', 'DC'],
  ['public', 'connectors', `max_voltage = 801`, 'connectors.0.maxVoltage', 801],
  ['public', 'connectors', `max_amperage = 63`, 'connectors.0.maxAmperage', 63],
  ['public', 'connectors', `max_power_w = 7000`, 'connectors.0.maxPowerKw', 7],
  ['public', 'chargers', `location_id = null`, 'location', null],
  ['public', 'chargers', `model_id = null`, 'model', null],
  ['public', 'connectors', `deleted_at = now()`, 'connectors.1', undefined],
];

/** Returns a value by its path. */
function valueAt(item: unknown, path: string): unknown {
  let value = item;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name];
  return value;
}

for (const name of Object.keys(lists)) {
  void t.test(`shows a change of each stored value in the list of ${name} in every process`, async (t) => {
    const { sql, show } = await openLists(t);
    for (const [list, table, set, path, shown] of changes.filter(([list]) => list === name)) {
      const [before] = await show(list);
      t.notSame(valueAt(before, path), shown, `another value before ${set}`);
      await sql`update ${sql(table)} set ${sql.unsafe(set)} where id = (select min(id) from ${sql(table)})`;
      const [after] = await show(list);
      t.same(valueAt(after, path), shown, `${table} set ${set}`);
    }
  });
}

void t.test('shows presence and running sessions in lists at once', async (t) => {
  const { scene, sql, show } = await openLists(t);
  await sql`update connectors set status = 'Available'`;
  await sql`update chargers set status = 'Available'`;
  const isOnline = async () => [
    (await show('chargers'))[0]?.['isOnline'],
    (await show('public'))[0]?.['isOnline'],
  ];
  t.same(await isOnline(), [false, false]);
  t.match(await show('public'), [{ status: 'Unavailable', connectors: [{ isAvailable: false }, Object] }]);
  await seedConnection(sql, scene.chargerUuid);
  t.same(await isOnline(), [true, true]);
  t.match(await show('public'), [
    { status: 'Available', connectors: [{ isAvailable: true }, { isAvailable: true }] },
  ]);
  await sql`update gateway_shards set seen_at = now() - interval '1 minute'`;
  t.same(await isOnline(), [false, false], 'the gateway is silent');
  await sql`update gateway_shards set seen_at = now()`;
  t.same(await isOnline(), [true, true], 'the version from before comes back with its content');
  const running = await scene.run();
  await sql`update connectors set status = 'Available'`;
  const busy = items((await show('public'))[0]?.['connectors']).filter(({ isAvailable }) => !isAvailable);
  t.equal(busy.length, 1, 'a session runs at one connector');
  await sql`update sessions set status = 'COMPLETED', ended_at = now() where uuid = ${running}`;
  t.match(await show('public'), [
    { connectors: [{ isAvailable: true }, { isAvailable: true }, { isAvailable: true }] },
  ]);
});

void t.test('shows the expiry of a token in a list without a change of its row', async (t) => {
  const { scene, sql, keys } = await openLists(t);
  const read = async () => (await scene.api.call(keys.operator, { url: lists.tokens })).text;
  await sql`update id_tokens set expires_at = now() + interval '8 seconds'`;
  t.match(await read(), '"valid":true,"status":"Accepted"');
  const isExpired = async () => (await read()).includes('"valid":false,"status":"Expired"');
  t.ok(await until('the token has expired', isExpired));
});

void t.test('keeps items from callers who do not see them', async (t) => {
  const { sql, keys, show } = await openLists(t);
  for (let n = 0; n < 2; n++) {
    for (const list of ['chargers', 'connectors', 'tokens', 'drivers'] as const) {
      t.ok((await show(list)).length > 0, list);
      const foreign = await show(list, keys.foreign);
      t.same(foreign, [], `${list} of another network`);
    }
    // At once: those who see them and those who do not share no page.
    const pages = await Promise.all(
      [keys.emsp, keys.elsewhere, keys.driver].map((key) => show('public', key)),
    );
    t.same(
      pages.map((page) => page.length),
      [1, 0, 1],
    );
  }
  await sql`update chargers set is_public = false`;
  t.same(await show('public', keys.driver), [], 'drivers no longer see a private charger');
  t.equal((await show('public')).length, 1);
});
