import t from 'tap';
import { until } from '#shared/testing/until.ts';
import { items, type Json, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { evseStatus } from '#shared/domain/fleet/ocpi-evse.ts';
import { recordHeartbeats } from '#shared/postgres/fleet/charger-state.statements.ts';
import { endSession, startSession } from '#api/test/support/records.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { type Emsp, startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { addPlace, describeConnectors, report, uidOf } from './support/places.ts';

const documented = '/ocpi/cpo/2.2/locations';
const standard = '/ocpi/cpo/2.2.1/locations';

const text = (json: Json | undefined) => json as unknown as string;
const get = (api: TestApi, token: string | null, url: string) => ocpi(api, token, { url });
const dataOf = async (api: TestApi, token: string, url: string) => (await get(api, token, url)).json['data'];

async function start(
  t: Parameters<typeof startTestApi>[0],
): Promise<{ api: TestApi; emsp: Emsp; token: string }> {
  const api = await startTestApi(t);
  const emsp = await startEmsp(t);
  return { api, emsp, token: (await registerEmsp(api, emsp)).token };
}

/** A time that all that was changed until now lies before, and all that is changed from now on does not. */
async function nextMoment(): Promise<string> {
  const before = Date.now();
  await until('the next millisecond', async () => Promise.resolve(Date.now() > before));
  return new Date().toISOString();
}

void t.test('the status of an EVSE is that of its live charger', async (t) => {
  const { api, token } = await start(t);
  const { sql } = api.stores;
  const { location, charger } = await addPlace(api);
  const uid = await uidOf(sql, charger.id);
  const status = async () => (await dataOf(api, token, `${standard}/${location.uuid}/${uid}`))?.['status'];
  t.equal(await status(), 'UNKNOWN', 'it has said nothing yet');
  for (const [reported, expected] of [
    ['Available', 'AVAILABLE'],
    ['Preparing', 'CHARGING'],
    ['Charging', 'CHARGING'],
    ['SuspendedEV', 'CHARGING'],
    ['Finishing', 'CHARGING'],
    ['Reserved', 'RESERVED'],
    ['Unavailable', 'INOPERATIVE'],
    ['Faulted', 'OUTOFORDER'],
    ['Available', 'AVAILABLE'],
  ] as const) {
    await report(sql, charger.id, 1, reported);
    t.equal(await status(), expected, reported);
  }
  await sql`update chargers set station_status = 'Faulted' where id = ${charger.id}`;
  t.equal(await status(), 'OUTOFORDER', 'all of the station is');
  await sql`update chargers set disconnected_at = now() where id = ${charger.id}`;
  t.equal(await status(), 'UNKNOWN', 'offline');

  const state = {
    isRemoved: false,
    statedStatus: null,
    isConnected: true,
    wasConnected: true,
    stationStatus: null,
    hasSession: false,
    connectorStatuses: ['Available', 'Charging'],
  };
  t.equal(evseStatus(state), 'CHARGING', 'one of its connectors is used at a time');
  t.equal(evseStatus({ ...state, connectorStatuses: ['Faulted', 'Available'] }), 'AVAILABLE');
  t.equal(evseStatus({ ...state, statedStatus: 'BLOCKED' }), 'BLOCKED', 'people saw what it cannot');
  t.equal(evseStatus({ ...state, statedStatus: 'UNKNOWN' }), 'CHARGING', 'it knows better');
  t.equal(evseStatus({ ...state, wasConnected: false, statedStatus: 'PLANNED' }), 'PLANNED');
  t.equal(evseStatus({ ...state, isRemoved: true, statedStatus: 'BLOCKED' }), 'REMOVED');
});

void t.test('reports an EVSE as in use during a session, whatever its connectors report', async (t) => {
  const { api, token } = await start(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const { location, charger } = await addPlace(api, { evses: 2 });
  await report(sql, charger.id, 2, 'Available');
  const documentedUrl = `${documented}/evse/${await uidOf(sql, charger.id)}`;
  const published = async () => {
    const evses = items((await dataOf(api, token, `${standard}/${location.uuid}`))?.['evses']);
    const operators = await api.call(key, { url: `/cpms/v1/chargers/${charger.uuid}/evses` });
    t.strictSame(
      items(operators.json['data']).map(({ status }) => text(status)),
      evses.map(({ status }) => text(status)),
      'operators read the same',
    );
    const status = text(evses[0]?.['status']);
    t.match(await dataOf(api, token, documentedUrl), { status, connectors: [{ status }] });
    t.equal(text(evses[1]?.['status']), 'AVAILABLE', 'the other one is not');
    return status;
  };
  t.equal(await published(), 'UNKNOWN');
  const session = await startSession(sql, { chargerUuid: charger.uuid });
  t.equal(await published(), 'CHARGING', 'its connector reported nothing');
  for (const [reported, status] of [
    ['Available', 'CHARGING'],
    ['Reserved', 'CHARGING'],
    ['Faulted', 'OUTOFORDER'],
    ['Unavailable', 'INOPERATIVE'],
    ['Available', 'CHARGING'],
  ] as const) {
    await report(sql, charger.id, 1, reported);
    t.equal(await published(), status, reported);
  }
  await endSession(sql, session, 5000);
  t.equal(await published(), 'AVAILABLE');
});

void t.test(
  'a change of a connector moves its EVSE and its location, and what repeats itself moves nothing',
  async (t) => {
    const { api, token } = await start(t);
    const { sql } = api.stores;
    const { location, charger } = await addPlace(api);
    await addPlace(api, { name: 'Elsewhere' });
    await report(sql, charger.id, 1, 'Available');
    const url = `${standard}/${location.uuid}`;
    const times = async () => {
      const found = await dataOf(api, token, url);
      const [evse] = items(found?.['evses']);
      const [connector] = items(evse?.['connectors']);
      return [connector, evse, found].map((object) => text(object?.['last_updated']));
    };
    const rowOf = async () =>
      (await sql`select xmin::text from locations where id = ${location.id}`)[0]?.['xmin'];

    const before = await times();
    const row = await rowOf();
    await report(sql, charger.id, 1, 'Available');
    await recordHeartbeats(sql, new Map([[charger.id, Date.now()]]));
    t.strictSame(await times(), before, 'the same status again, and a heartbeat');
    await report(sql, charger.id, 1, 'Charging');
    const after = await times();
    t.ok(
      after.every((time, index) => time > (before[index] ?? '')),
      `${before.join()} to ${after.join()}`,
    );
    t.equal(new Set(after).size, 1);
    t.equal(
      await rowOf(),
      row,
      'the row of the location was not touched: chargers do not wait for each other',
    );

    const count = async (query: string) => {
      const answer = await get(api, token, `${standard}?${query}`);
      t.equal(Number(answer.headers['x-total-count']), items(answer.json['data']).length);
      return items(answer.json['data']).map(({ name }) => text(name));
    };
    const [time = ''] = after;
    t.strictSame(await count(`date_from=${time}`), ['Harbour'], 'from is inclusive');
    t.strictSame(await count(`date_to=${time}`), ['Elsewhere'], 'to is exclusive');

    await sql`update chargers set disconnected_at = now() where id = ${charger.id}`;
    const [connector, evse] = await times();
    t.equal(connector, time, 'offline: the connector is as it was');
    t.ok((evse ?? '') > time, 'and the EVSE is UNKNOWN now');

    const tariff = await seedTariff(sql, api.network.id);
    const [assigned] = await times();
    t.ok((assigned ?? '') > time, 'another tariff is another tariff_ids');
    for (const surface of [documented, standard]) {
      t.match(await dataOf(api, token, `${surface}/${location.uuid}`), {
        evses: [{ connectors: [{ tariff_ids: [tariff.uuid] }] }],
      });
    }
    const key = await mintKey(api);
    const [row2] = await sql<{ uuid: string }[]>`select uuid from tariff_assignments`;
    await api.call(key, { method: 'DELETE', url: `/cpms/v1/tariff-assignments/${row2?.uuid}` });
    const [ended] = await times();
    t.ok((ended ?? '') > (assigned ?? ''));
    const [evseNow] = items((await dataOf(api, token, url))?.['evses']);
    t.strictSame(items(evseNow?.['connectors'])[0]?.['tariff_ids'], [] as never);
  },
);

void t.test('creates the EVSE of every new connector', async (t) => {
  const { api, token } = await start(t);
  const { sql } = api.stores;
  const { location, charger } = await addPlace(api);
  await Promise.all([
    report(sql, charger.id, 2, 'Available', 1),
    report(sql, charger.id, 2, 'Charging', 2),
    sql`select ensure_connector(${charger.id}, 3, 1)`,
  ]);
  const { evses } = (await dataOf(api, token, `${documented}/${location.uuid}`)) ?? {};
  t.match(evses, [
    { connectors: [{ id: '1' }] },
    {
      status: 'CHARGING',
      connectors: [
        { id: '1', status: 'AVAILABLE' },
        { id: '2', status: 'CHARGING' },
      ],
    },
    { connectors: [{ id: '1' }] },
  ]);
  t.equal(items(evses).length, 3);
});

void t.test('an EVSE without stated capabilities has those of its OCPP charger and model', async (t) => {
  const { api, token } = await start(t);
  const { sql } = api.stores;
  const { location, charger } = await addPlace(api);
  await sql`
    with maker as (insert into manufacturers (name) values ('Maker') returning id),
      model as (
        insert into charger_models (manufacturer_id, model_name, ocpp_version, supported_features)
        select id, 'Model', '1.6', 'Smart Charging, RFID' from maker returning id)
    update chargers set model_id = (select id from model) where id = ${charger.id}`;
  const found = ['CHARGING_PROFILE_CAPABLE', 'REMOTE_START_STOP_CAPABLE', 'RFID_READER', 'UNLOCK_CAPABLE'];
  for (const surface of [documented, standard]) {
    const { json } = await get(api, token, `${surface}/${location.uuid}`);
    t.same(items(json['data']?.['evses'])[0]?.['capabilities'], found, surface);
  }
});

void t.test('an EVSE is set REMOVED and never gone', async (t) => {
  const { api, token } = await start(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const { location, charger } = await addPlace(api, { evses: 2 });
  const [first, second] = [await uidOf(sql, charger.id, 1), await uidOf(sql, charger.id, 2)];
  const began = await nextMoment();
  const [row] = await sql<{ uuid: string }[]>`
    select uuid from connectors where charger_id = ${charger.id} and evse_number = 2`;
  await api.call(key, { method: 'DELETE', url: `/cpms/v1/connectors/${row?.uuid}` });
  t.match(await dataOf(api, token, `${standard}/${location.uuid}`), {
    evses: [
      { uid: first, status: 'UNKNOWN' },
      { uid: second, status: 'REMOVED', connectors: [{ id: '1' }] },
    ],
  });
  await report(sql, charger.id, 2, 'Available');
  t.match(
    await dataOf(api, token, `${documented}/evse/${second}`),
    { status: 'AVAILABLE' },
    'it was there again',
  );
  await describeConnectors(sql, charger.id);

  t.equal((await api.call(key, { method: 'DELETE', url: `/cpms/v1/chargers/${charger.uuid}` })).status, 200);
  const removed = { evses: [{ uid: first, status: 'REMOVED', connectors: [{ id: '1' }] }, { uid: second }] };
  t.match(await dataOf(api, token, `${standard}?date_from=${began}`), [removed]);
  t.equal(
    (await api.call(key, { method: 'DELETE', url: `/cpms/v1/locations/${location.uuid}` })).status,
    200,
  );
  t.match(await dataOf(api, token, standard), [{ ...removed, publish: false }], 'nor does its location');
});

void t.test('moves the EVSEs of a charger and updates both locations', async (t) => {
  const { api, token } = await start(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const { charger } = await addPlace(api, { name: 'From' });
  const { location: to } = await addPlace(api, { name: 'To' });
  await addPlace(api, { name: 'Other' });
  const began = await nextMoment();
  const payload = { locationUuid: to.uuid };
  const moved = await api.call(key, { method: 'PATCH', url: `/cpms/v1/chargers/${charger.uuid}`, payload });
  t.equal(moved.status, 200, moved.text);
  const found = items(await dataOf(api, token, `${documented}?date_from=${began}`));
  t.strictSame(
    found.map(({ name, evses }) => [name, items(evses).map(({ status }) => text(status))]),
    [
      ['From', ['REMOVED']],
      ['To', ['UNKNOWN', 'UNKNOWN']],
    ] as never,
  );
  t.match(await dataOf(api, token, `${documented}/evse/${await uidOf(sql, charger.id)}`), {
    location_ocpi_id: to.uuid,
  });
});
