import t from 'tap';
import { chargerStateOf, chargerStates } from '#shared/domain/fleet/charger-state.ts';
import { seedLargeFleet } from '#shared/testing/large-fleet.ts';
import {
  items,
  type Json,
  mintKey,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';

const url = '/cpms/v1/chargers';

/** Charger of the list. */
interface Row {
  id: string;
  uid: string;
  status: string;
  state: string;
  isOnline: boolean;
  locationUuid: string | null;
  locationName: string | null;
  modelUuid: string | null;
  modelName: string;
  manufacturerName: string;
  firmwareVersion: string | null;
  ocppVersion: string | null;
  lastSeenAt: string | null;
  runningSessions: number;
  powerKw: number | null;
  openAlerts: number;
}

async function startFleet(t: Parameters<typeof startTestApi>[0], chargers = 300) {
  const api = await startTestApi(t);
  await seedLargeFleet(api.stores.sql, api.network.id, { chargers, locations: 20 });
  const key = await mintKey(api);
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  return { api, key, other };
}

async function list(api: TestApi, key: string, query: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await api.call(key, { url: `${url}?pageSize=100&page=${page}${query}` });
    if (answer.status !== 200) throw new Error(answer.text);
    const found = answer.json['data'] as unknown as Row[];
    rows.push(...found);
    if (found.length < 100) return rows;
  }
}

const ids = (rows: Row[]) => rows.map((row) => row.id);

const sum = (features: Json[], name: string) =>
  features.reduce((total, feature) => total + Number(feature['properties']?.[name]), 0);

const sortKeys: Record<string, (row: Row) => unknown> = {
  name: (row) => row.uid.toLowerCase(),
  status: (row) => chargerStates.findIndex((state) => state === row.state),
  location: (row) => row.locationName?.toLowerCase() ?? null,
  model: (row) => `${row.manufacturerName} ${row.modelName}`.toLowerCase(),
  firmware: (row) => row.firmwareVersion,
  lastSeenAt: (row) => row.lastSeenAt,
};

void t.test('sorts chargers by each column in both directions, each charger once', async (t) => {
  const { api, key } = await startFleet(t);
  for (const [sort, keyOf] of Object.entries(sortKeys)) {
    const up = await list(api, key, `&sort=${sort}`);
    const down = await list(api, key, `&sort=-${sort}`);
    t.equal(new Set(up.map((row) => row.id)).size, 300, sort);
    t.same(new Set(down.map((row) => row.id)), new Set(up.map((row) => row.id)), sort);
    const values = (rows: Row[]) => rows.map(keyOf).filter((value) => value !== null);
    const sorted = await api.stores.sql<{ value: string }[]>`
      select value from unnest(${values(up).map(String)}::text[]) value
      order by case when ${sort === 'status'} then value::integer end, value`;
    const expected = sorted.map(({ value }) => value);
    if (sort !== 'lastSeenAt') t.same(values(up).map(String), expected, sort);
    t.same(values(down).map(String), values(up).map(String).toReversed(), `-${sort}`);
    const isLast = (rows: Row[]) => rows.map(keyOf).lastIndexOf(null) === rows.length - 1;
    if (values(up).length < 300) t.same([isLast(up), isLast(down)], [true, true], `${sort}: nulls are last`);
  }
});

void t.test('filters chargers by states, firmware, location and alerts', async (t) => {
  const { api, key } = await startFleet(t);
  const all = await list(api, key, '');
  const states = await list(api, key, '&state=faulted,offline');
  t.same(new Set(states.map((row) => row.state)), new Set(['faulted', 'offline']));
  t.same(await list(api, key, '&state=faulted&state=offline'), states);
  const expected = (of: (row: Row) => boolean) => all.filter(of).map((row) => row.id);
  t.same(
    ids(states),
    expected((row) => ['faulted', 'offline'].includes(row.state)),
  );
  const firmware = all.find((row) => row.firmwareVersion !== null)?.firmwareVersion;
  t.same(
    ids(await list(api, key, `&firmwareVersion=${firmware}`)),
    expected((row) => row.firmwareVersion === firmware),
  );
  const location = all[0]?.locationUuid;
  t.same(
    ids(await list(api, key, `&locationUuid=${location}`)),
    expected((row) => row.locationUuid === location),
  );
  t.same(
    ids(await list(api, key, '&hasAlert=true')),
    expected((row) => row.openAlerts > 0),
  );
  t.same(
    ids(await list(api, key, '&hasAlert=false')),
    expected((row) => row.openAlerts === 0),
  );
});

void t.test('derives the state of a charger the same way in the view and in filters', async (t) => {
  const { api, key } = await startFleet(t);
  const { sql } = api.stores;
  const statuses = ['UNKNOWN', 'CHARGING', 'SuspendedEV', 'available', 'Finishing', 'In repair', 'Reserved'];
  await sql`update chargers set status = (${statuses}::text[])[1 + id % ${statuses.length}]`;
  for (const row of await list(api, key, '')) {
    t.equal(row.state, chargerStateOf(row.status, row.isOnline));
  }
  for (const state of chargerStates) {
    const rows = await list(api, key, `&state=${state}`);
    t.ok(
      rows.every((row) => row.state === state),
      state,
    );
  }
});

void t.test('shows running sessions, power and alerts as they change', async (t) => {
  const { api, key } = await startFleet(t);
  const { sql } = api.stores;
  const [row] = await list(api, key, '&state=occupied&hasAlert=false');
  const read = async () => (await list(api, key, `&search=${row?.uid ?? ''}`))[0];
  t.match(await read(), { runningSessions: Number, openAlerts: 0 });
  const ofCharger = sql`charger_id = (select id from chargers where uuid = ${row?.id ?? ''})`;
  await sql`update sessions set charger_id = (select id from chargers where uuid = ${row?.id ?? ''}), power_w = 7400
    where id = (select min(id) from sessions)`;
  await sql`update sessions set status = 'COMPLETED', ended_at = now() where ${ofCharger} and power_w <> 7400`;
  t.match(await read(), { runningSessions: 1, powerKw: 7.4 });
  await sql`update sessions set power_w = 3700 where ${ofCharger}`;
  t.match(await read(), { runningSessions: 1, powerKw: 3.7 });
  await sql`
    update alerts set charger_id = (select id from chargers where uuid = ${row?.id ?? ''})
    where id = (select min(id) from alerts)`;
  t.match(await read(), { openAlerts: 1 });
});

void t.test('counts chargers with the filters of the list', async (t) => {
  const { api, key, other } = await startFleet(t);
  for (const query of ['', 'state=occupied', 'ocppVersion=2.0.1&hasAlert=true', 'search=FL-00001']) {
    const { status, json } = await api.call(key, { url: `${url}/summary?${query}` });
    t.equal(status, 200);
    const rows = await list(api, key, `&${query}`);
    const countOf = (of: (row: Row) => boolean) => rows.filter(of).length;
    const states = Object.fromEntries(
      chargerStates.map((state) => [state, countOf((row) => row.state === state)]),
    );
    const { data } = json;
    t.same([data?.['total'], data?.['states']], [rows.length, states], query);
    for (const [list, field, name] of [
      ['ocppVersions', 'value', 'ocppVersion'],
      ['firmwareVersions', 'value', 'firmwareVersion'],
      ['models', 'modelUuid', 'modelUuid'],
    ] as const) {
      const counted = items(data?.[list]);
      for (const entry of counted) {
        t.equal(
          entry['count'],
          countOf((row) => row[name] === (entry[field] as unknown)),
        );
      }
      t.equal(
        counted.reduce((sum, entry) => sum + Number(entry['count']), 0),
        rows.length,
      );
    }
    t.equal(
      data?.['runningSessions'],
      rows.reduce((sum, row) => sum + row.runningSessions, 0),
    );
    const power = rows.reduce((sum, row) => sum + (row.powerKw ?? 0), 0);
    t.ok(Math.abs(Number(data?.['powerKw'] ?? 0) - power) < 0.001, query);
  }
  const hidden = await api.call(other, { url: `${url}/summary` });
  t.match(hidden.json['data'], { total: 0, powerKw: null, runningSessions: 0, models: [] });
});

void t.test('exports the chargers of the list as CSV, in its order', async (t) => {
  const { api, key, other } = await startFleet(t, 1200);
  const rows = await list(api, key, '&sort=-location&ocppVersion=1.6');
  const answer = await api.call(key, { url: `${url}/export?sort=-location&ocppVersion=1.6` });
  t.match(answer, { status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' } });
  const lines = answer.text.trimEnd().split('\r\n');
  t.match(lines[0], /^\ufeffcharger_id,network_id,uid,/);
  t.same(
    lines.slice(1).map((line) => line.split(',')[0]),
    rows.map((row) => row.id),
  );
  t.equal((await api.call(other, { url: `${url}/export` })).text.trim().split('\r\n').length, 1);
});

void t.test('exports texts of chargers that no spreadsheet runs as formulas', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const texts = ['=1+1|x', '+cmd', '-2+3', '@SUM(A1)', '=HYPERLINK("x")', '＝1+1', '-1.5', 'plain'];
  for (const serial of texts) {
    const charger = await register(api, key, { serial });
    await api.stores.sql`update chargers set firmware_version = ${serial} where uuid = ${charger.id}`;
  }
  const { text } = await api.call(key, { url: `${url}/export` });
  const shown = text.trimEnd().split('\r\n').slice(1);
  for (const [name, field] of [
    ['=1+1|x', "'=1+1|x"],
    ['+cmd', "'+cmd"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ['＝1+1', "'＝1+1"],
    ['-1.5', '-1.5'],
    ['plain', 'plain'],
  ] as const) {
    const line = shown.find((each) => each.includes(`,${field},${field},`));
    t.ok(line?.includes(`,${field},,`), `${name}: uid, serial number and firmware`);
  }
});

void t.test('clusters chargers on the map by zoom level', async (t) => {
  const { api, key, other } = await startFleet(t);
  const world = '-180,-90,180,90';
  const map = async (bbox: string, zoom: number, query = '', as = key) =>
    (await api.call(as, { url: `${url}/map?bbox=${bbox}&zoom=${zoom}${query}` })).json['data'];
  const located = (await list(api, key, '')).filter((row) => row.locationUuid !== null).length;

  for (const zoom of [0, 4, 8, 20]) {
    const data = await map(world, zoom);
    const features = items(data?.['features']);
    t.equal(sum(features, 'chargers'), located, `zoom ${zoom}`);
    t.equal(sum(features, 'locations'), 20);
    t.match(data, { type: 'FeatureCollection', chargers: located, chargersWithoutLocation: 300 - located });
    for (const { geometry, bbox, properties } of features) {
      const [west, south, east, north] = items(bbox).map(Number);
      const [longitude, latitude] = items(geometry?.['coordinates']).map(Number);
      t.ok(Number(west) <= Number(longitude) && Number(longitude) <= Number(east));
      t.ok(Number(south) <= Number(latitude) && Number(latitude) <= Number(north));
      const states = Object.values(properties?.['states'] ?? {}).reduce((all, one) => all + Number(one), 0);
      t.equal(states, Number(properties?.['chargers']));
    }
  }
  t.equal(items((await map(world, 0))?.['features']).length, 1, 'western Europe is one cluster of the world');
  t.equal(items((await map(world, 20))?.['features']).length, 20, 'all locations, since they are few');

  const [single] = items((await map(world, 20))?.['features']);
  const [longitude, latitude] = items(single?.['geometry']?.['coordinates']).map(Number);
  const [x, y] = [Number(longitude), Number(latitude)];
  const near = [x - 0.001, y - 0.001, x + 0.001, y + 0.001].map((degrees) => degrees.toFixed(6)).join(',');
  t.match(await map(near, 17), {
    features: [{ properties: { kind: 'location', locationUuid: single?.['properties']?.['locationUuid'] } }],
  });
  const beyond = `${(x - 0.001).toFixed(6)},-90,-179,90`;
  t.ok(Number((await map(beyond, 3))?.['chargers']) > 0, 'the box crosses the antimeridian');
  t.equal((await map('170,-10,-170,10', 5))?.['chargers'], 0);

  const faulted = await map(world, 4, '&state=faulted');
  t.ok(
    items(faulted?.['features']).every(
      ({ properties }) => Number(properties?.['states']?.['available']) === 0,
    ),
  );
  t.match(await map(world, 4, '', other), { features: [], chargers: 0, chargersWithoutLocation: 0 });
});

void t.test('rejects boxes, states and orders that do not exist', async (t) => {
  const { api, key } = await startFleet(t, 1);
  for (const [path, field] of [
    ['/map?bbox=1,2,3&zoom=3', 'bbox'],
    ['/map?bbox=1,60,3,50&zoom=3', 'bbox'],
    ['/map?bbox=1,50,300,60&zoom=3', 'bbox'],
    ['/map?bbox=1,50,3,60&zoom=21', 'zoom'],
    ['?state=broken', 'state'],
    ['?sort=colour', 'sort'],
    ['/summary?state=faulted,broken', 'state'],
  ] as const) {
    const answer = await api.call(key, { url: url + path });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, path);
    t.match(JSON.stringify(answer.json), new RegExp(field), path);
  }
});

void t.test('refuses counts, maps and exports without scope, key or network', async (t) => {
  const { api, key } = await startFleet(t, 1);
  const weak = await mintKey(api, { scopes: ['cpms:read:sessions'] });
  for (const path of ['/summary', '/export', '/map?bbox=1,50,3,60&zoom=3']) {
    const join = path.includes('?') ? '&' : '?';
    const named = `${url}${path}${join}networkId=${api.otherNetwork.uuid}`;
    t.match(await api.call(key, { url: named }), {
      status: 404,
      json: { error: { code: 'NETWORK_NOT_FOUND' } },
    });
    t.match(await api.call(weak, { url: url + path }), {
      status: 403,
      json: { error: { code: 'SCOPE_MISSING' } },
    });
    t.equal((await api.call(null, { url: url + path })).status, 401);
  }
});
