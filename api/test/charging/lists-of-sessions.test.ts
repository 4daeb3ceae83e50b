import t from 'tap';
import { billingScene } from '#api/test/support/billing.ts';
import { items, type Json, mintKey } from '#api/test/support/fixtures.ts';
import { addLocation, addUser } from '#api/test/support/records.ts';

const publicLists = ['/charging/sessions', '/transactions'] as const;
const lists = [...publicLists.map((list) => `/emsp/v1${list}`), '/cpms/v1/sessions'];

/** In each of the lists. */
const inEach = <T>(item: T): T[] => lists.map(() => item);

/** Reads a list as an operator. */
async function operatorReads({ api, keys }: Awaited<ReturnType<typeof billingScene>>) {
  const operator = await mintKey(api);
  const read = (list: string) => api.call(list.startsWith('/cpms') ? operator : keys.operator, { url: list });
  return { operator, read };
}

void t.test('shows changes at once in a list that was requested before', async (t) => {
  const scene = await billingScene(t);
  const { api, charge, run, chargerUuid, locationUuid } = scene;
  const { sql } = api.stores;
  const { operator, read } = await operatorReads(scene);
  const ended = await charge();
  const other = await charge({ hoursAgo: 5 });
  const show = async (list: string): Promise<Map<string, Json>> => {
    const { status, json } = await read(list);
    t.equal(status, 200);
    return new Map(items(json['data']).map((item) => [item['id'] as unknown as string, item]));
  };
  const shown = async (id: string) => Promise.all(lists.map(async (list) => (await show(list)).get(id)));

  for (const list of lists) t.strictSame(await show(list), await show(list));
  const elsewhere = await addLocation(sql, api.network.id, { name: 'Market' });
  const running = await run();
  await sql`update locations set name = 'Pier' where uuid in (${locationUuid}, ${elsewhere.uuid})`;
  t.match(await shown(ended), inEach({ locationName: 'Pier' }), 'the name of its location');

  await sql`update chargers set location_id = ${elsewhere.id} where uuid = ${chargerUuid}`;
  const moved = { locationId: elsewhere.uuid, locationName: 'Pier' };
  t.match(await shown(ended), inEach(moved), 'where its charger stands');
  await sql`update chargers set location_id = null where uuid = ${chargerUuid}`;
  t.match(await shown(ended), inEach({ locationId: null }));

  const before = await shown(other);
  const amended = await api.call(operator, {
    method: 'POST',
    url: `/cpms/v1/sessions/${ended}/amend`,
    headers: { 'if-match': '"1"' },
    payload: { reason: 'a test', energyKwh: 7.5 },
  });
  t.equal(amended.status, 200, amended.text);
  t.match(await shown(ended), inEach({ energyKwh: 7.5 }), 'corrected by an operator');
  t.match((await shown(ended)).at(-1), { version: 2 });
  t.strictSame(await shown(other), before, 'and nothing else');

  const runs = async () => {
    const [listed, , toOperator] = await shown(running);
    return [listed, toOperator];
  };
  for (const item of await runs()) t.match(item, { status: 'ACTIVE', energyKwh: 0 });
  await sql`update sessions set energy_wh = 1234, started_at = started_at - interval '1 hour' where uuid = ${running}`;
  for (const item of await runs()) {
    t.match(item, { energyKwh: 1.234 }, 'what runs');
    t.ok(Number(item?.['durationSeconds']) >= 7200);
  }

  await sql`update sessions set network_id = ${api.otherNetwork.id} where uuid = ${other}`;
  t.strictSame(await shown(other), inEach(undefined), 'one that is of another network now is shown no more');
});

void t.test('returns their own pages to concurrent callers', async (t) => {
  const { api, charge, call, keys, otherDriver } = await billingScene(t);
  const mine: string[] = [];
  for (const hoursAgo of [3, 5, 7]) mine.push(await charge({ hoursAgo }));
  const others: string[] = [];
  for (const hoursAgo of [4, 6]) others.push(await charge({ hoursAgo, userId: otherDriver.id }));
  const stranger = await addUser(api.stores.sql, api.otherNetwork.id, 'stranger@example.org');
  const none = await mintKey(api, {
    apiFamily: 'emsp',
    networkIds: [api.otherNetwork.id],
    userId: stranger.id,
  });
  const everywhere = await mintKey(api, {
    apiFamily: 'emsp',
    networkIds: [api.network.id, api.otherNetwork.id],
  });
  const all = [mine[0], others[0], mine[1], others[1], mine[2]];
  const asked = [
    [keys.driver, '', mine, 3],
    [keys.driver, '?pageSize=2', mine.slice(0, 2), 3],
    [keys.driver, '?pageSize=2&page=2', mine.slice(2), 3],
    [keys.driver, '?pageSize=3', mine, 3],
    [keys.driver, '?pageSize=3&page=2', [], 3],
    [keys.otherDriver, '', others, 2],
    [keys.operator, '', all, 5],
    [keys.operator, '?page=2&pageSize=2', all.slice(2, 4), 5],
    [keys.operator, '?page=3&pageSize=2', all.slice(4), 5],
    // The same pages again: they are found once.
    [keys.driver, '', mine, 3],
    [keys.operator, '', all, 5],
    [keys.operator, '?page=2&pageSize=2', all.slice(2, 4), 5],
    // Too far down to be read with others.
    [keys.operator, '?page=1000&pageSize=100', [], 5],
    [keys.operator, `?status=COMPLETED`, all, 5],
    [everywhere, '?pageSize=4', all.slice(0, 4), 5],
    [keys.elsewhere, '', [], 0],
    [none, '', [], 0],
  ] as const;
  for (const list of publicLists) {
    const answers = await Promise.all(asked.map(([key, query]) => call(key, `${list}${query}`)));
    for (const [index, [, query, expected, total]] of asked.entries()) {
      const json = answers[index]?.json ?? {};
      t.strictSame(
        items(json['data']).map(({ id }) => id),
        expected,
        `${list}${query}`,
      );
      t.match(json['pagination'], { total }, 'and how many there are');
    }
  }
});
