import { randomUUID } from 'node:crypto';
import t from 'tap';
import {
  items,
  type Json,
  mintKey,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';
import { addTariff, addUser, endSession, startSession } from '#api/test/support/records.ts';

const url = '/cpms/v1/sessions';
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const idOf = (session: Json) => session['id'] as unknown as string;

/** Sessions of a network: two priced ones, one without a tariff, and a running one; the newest last. */
async function scene(api: TestApi) {
  const { sql } = api.stores;
  const key = await mintKey(api);
  const charger = await register(api, key, { serial: 'CP-1' });
  const driver = await addUser(sql, api.network.id, 'driver@example.org');
  const charge = async (hours: number, energyWh: number, connector = 1) => {
    const session = await startSession(sql, {
      chargerUuid: charger.id,
      connector,
      startedAt: hoursAgo(hours),
      userId: driver.id,
    });
    await endSession(sql, session, energyWh);
    return session.uuid;
  };
  const free = await charge(9, 15_000);
  await addTariff(sql, api.network.id);
  const large = await charge(7, 20_000);
  const small = await charge(5, 10_000);
  await sql`update sessions set ended_at = started_at + interval '90 minutes' where uuid = ${small}`;
  const running = await startSession(sql, { chargerUuid: charger.id, startedAt: hoursAgo(3) });
  await sql`update sessions set energy_wh = 12500 where uuid = ${running.uuid}`;
  const list = async (query: string, by = key) => {
    const { status, json, text } = await api.call(by, { url: `${url}?${query}` });
    if (status !== 200) throw new Error(text);
    return { ids: items(json['data']).map(idOf), next: json['nextCursor'] as unknown as string | null };
  };
  return { key, charger, driver, free, large, small, running, list };
}

void t.test('orders sessions by start, energy, cost and duration in both directions', async (t) => {
  const api = await startTestApi(t);
  const { list, free, large, small, running } = await scene(api);
  const orders = {
    startedAt: [free, large, small, running.uuid],
    energy: [small, running.uuid, free, large],
    // Neither a running session nor one without a tariff has a price.
    cost: [free, running.uuid, small, large],
    duration: [free, large, small, running.uuid],
  };
  for (const [sort, ids] of Object.entries(orders)) {
    for (const [name, expected] of [
      [sort, ids],
      [`-${sort}`, ids.toReversed()],
    ] as const) {
      t.strictSame((await list(`sort=${name}`)).ids, expected, name);
      const paged: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await list(`sort=${name}&pageSize=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
        paged.push(...page.ids);
        cursor = page.next;
      }
      t.strictSame(paged, expected, `${name} in pages`);
    }
  }
  t.strictSame((await list('')).ids, orders.startedAt.toReversed(), 'newest first by default');
});

void t.test('continues after equal values and sessions that were added meanwhile', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { list, charger } = await scene(api);
  await sql`update sessions set energy_wh = 1234.567`;
  const first = await list('sort=-energy&pageSize=2');
  const added = await startSession(sql, { chargerUuid: charger.id, startedAt: hoursAgo(1) });
  await sql`update sessions set energy_wh = 99000 where uuid = ${added.uuid}`;
  const rest = await list(`sort=-energy&pageSize=10&cursor=${first.next}`);
  t.equal(new Set([...first.ids, ...rest.ids]).size, 4);
  t.equal(rest.next, null);
});

const text = (cursor: string) => Buffer.from(cursor).toString('base64url');

void t.test('refuses cursors of another order and of no page', async (t) => {
  const api = await startTestApi(t);
  const { list, key } = await scene(api);
  const { next } = await list('sort=energy&pageSize=1');
  for (const query of [
    `cursor=${next}`,
    `sort=-energy&cursor=${next}`,
    `sort=cost&cursor=${text('cost:1.5:0:1')}`,
    `sort=cost&cursor=${text('cost:99999999999999999999:0:1')}`,
    `sort=energy&cursor=${text('energy:1e999:0:1')}`,
    `sort=energy&cursor=${text('energy:1:0:9999999999999999999')}`,
    `sort=energy&cursor=${text('energy:1:999999999999999:1')}`,
    'sort=name',
    'minEnergyKwh=2&maxEnergyKwh=1',
    'search=',
  ]) {
    const answer = await api.call(key, { url: `${url}?${query}` });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, query);
  }
});

void t.test('finds sessions by token, transaction, charger, driver and first characters', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { list, key, free, large, small, running } = await scene(api);
  const elsewhere = await register(api, key, { serial: 'CP-2' });
  const other = await startSession(sql, { chargerUuid: elsewhere.id, startedAt: hoursAgo(1) });
  await sql`update sessions set id_token = 'Blue-1' where uuid = ${other.uuid}`;
  for (const [search, expected] of [
    ['blue-1', [other.uuid]],
    [other.transactionId, [other.uuid]],
    ['cp-2', [other.uuid]],
    ['DRIVER@example.org', [small, large, free]],
    [running.uuid, [running.uuid]],
    [running.uuid.slice(0, 13).toUpperCase(), [running.uuid]],
    [running.uuid.slice(0, 3), []],
    [randomUUID(), []],
    ["'; --", []],
  ] as const) {
    const text = encodeURIComponent(search);
    t.strictSame((await list(`search=${text}`)).ids, expected, search);
    t.strictSame((await list(`search=${text}&sort=startedAt`)).ids, expected.toReversed(), search);
  }
  t.strictSame((await list('search=driver@example.org&minEnergyKwh=15&maxEnergyKwh=19')).ids, [free]);
});

void t.test('shows and finds drivers only for callers who read drivers', async (t) => {
  const api = await startTestApi(t);
  const { key, list, small } = await scene(api);
  const sessionsOnly = await mintKey(api, { scopes: ['cpms:read:sessions'] });
  const nameFor = async (by: string) => {
    const { json } = await api.call(by, { url: `${url}?status=COMPLETED&pageSize=1` });
    return items(json['data'])[0]?.['driverName'];
  };
  t.strictSame(
    [await nameFor(key), await nameFor(sessionsOnly), await nameFor(key)],
    ['Driver', null, 'Driver'],
  );
  await api.stores.sql`update users set name = 'Renamed'`;
  t.equal(await nameFor(key), 'Renamed');
  const detailFor = async (by: string) => (await api.call(by, { url: `${url}/${small}` })).json['data'];
  t.match(await detailFor(key), { id: small, driverName: 'Renamed' });
  t.match(await detailFor(sessionsOnly), { id: small, driverName: null });
  await api.stores.sql`update users set name = 'Renamed again'`;
  t.match(await detailFor(key), { driverName: 'Renamed again' });
  t.strictSame((await list('search=driver@example.org&pageSize=1')).ids, [small]);
  t.strictSame((await list('search=driver@example.org', sessionsOnly)).ids, []);
});

void t.test('sums the sessions that match a filter', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { key, charger } = await scene(api);
  const summary = async (query = '') =>
    (await api.call(key, { url: `${url}/summary?${query}` })).json['data'];
  t.strictSame(await summary(), {
    count: 4,
    runningCount: 1,
    inReviewCount: 0,
    energyKwh: 57.5,
    energyDuringKwh: null,
    // 20 and 10 kWh at 0.40, and 1.50 for each session, with 21 % VAT.
    costs: [{ currency: 'EUR', pricedCount: 2, totalInclVat: 18.16, inReviewInclVat: 0 }],
  });
  const reviewed = await startSession(sql, { chargerUuid: charger.id, connector: 2, startedAt: hoursAgo(2) });
  await endSession(sql, reviewed, 900_000, ['energy-implausible']);
  t.match(await summary('priceState=REVIEW'), {
    count: 1,
    inReviewCount: 1,
    costs: [{ pricedCount: 0, totalInclVat: 0, inReviewInclVat: 437.42 }],
  });
  t.strictSame(await summary(`chargerId=${randomUUID()}`), {
    count: 0,
    runningCount: 0,
    inReviewCount: 0,
    energyKwh: 0,
    energyDuringKwh: null,
    costs: [],
  });
  t.match(await summary('search=CP-1&status=ACTIVE'), { count: 1, costs: [] });
  const wrong = await api.call(key, { url: `${url}/summary?minEnergyKwh=2&maxEnergyKwh=1` });
  t.match(wrong, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
});

void t.test('names reasons, plausible maximum and proposed values of a session in review', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { key, charger, small } = await scene(api);
  await sql`update connectors set max_power_w = 11000`;
  const session = await startSession(sql, { chargerUuid: charger.id, connector: 1, startedAt: hoursAgo(2) });
  await endSession(sql, session, 900_000, ['energy-implausible']);
  const review = {
    reasons: ['energy-implausible'],
    proposed: {
      energyKwh: 900,
      endedAt: new Date(session.startedAt.getTime() + 3_600_000).toISOString(),
      totalInclVat: 437.42,
    },
    // 11 kW and a fifth for an hour, and 1 kWh.
    plausible: { energyKwh: 14.2, totalInclVat: 8.69 },
    needsConfirmation: true,
    partnerStatement: null,
  };
  const [listed] = items((await api.call(key, { url: `${url}?priceState=REVIEW` })).json['data']);
  t.strictSame(listed?.['review'], review);
  const read = async (uuid: string) => (await api.call(key, { url: `${url}/${uuid}` })).json['data'];
  t.strictSame((await read(session.uuid))?.['review'], review);
  t.equal((await read(small))?.['review'], null);
});

void t.test('selects completed sessions by a range of their ends', async (t) => {
  const api = await startTestApi(t);
  const { list, free, large, small, running } = await scene(api);
  await api.stores.sql`update sessions set status = 'INVALID' where uuid = ${free}`;
  const [from, to] = [hoursAgo(24).toISOString(), hoursAgo(0).toISOString()];
  for (const range of [`endedFrom=${from}`, `endedTo=${to}`, `endedFrom=${from}&endedTo=${to}`])
    t.strictSame((await list(range)).ids, [small, large], range);
  t.strictSame((await list('timeZone=Europe/Amsterdam')).ids, [running.uuid, small, large, free]);
});

void t.test('keeps sessions and their sums from other networks and without the scope', async (t) => {
  const api = await startTestApi(t);
  const { key, list } = await scene(api);
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  for (const search of ['CP-1', 'driver@example.org', 'TAG-1']) {
    t.strictSame((await list(`search=${search}`, foreign)).ids, [], search);
  }
  t.match(await api.call(foreign, { url: `${url}/summary` }), { json: { data: { count: 0, costs: [] } } });
  const unknown = await api.call(key, { url: `${url}/summary?networkId=${api.otherNetwork.uuid}` });
  t.match(unknown, { status: 404, json: { error: { code: 'NETWORK_NOT_FOUND' } } });
  t.equal((await api.call(null, { url: `${url}/summary` })).status, 401);
  const scopeless = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  const denied = await api.call(scopeless, { url: `${url}/summary` });
  t.match(denied, { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
});
