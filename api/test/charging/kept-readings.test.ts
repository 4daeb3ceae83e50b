import t from 'tap';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';
import { recordLateReadings } from '#shared/postgres/charging/session-writes/price.statements.ts';
import { items, mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';
import { addUser, endSession, startSession } from '#api/test/support/records.ts';

const minute = 60_000;

void t.test('caches the readings of an ended session until later ones arrive', async (t) => {
  const api = await startTestApi(t);
  const { sql, clickhouse } = api.stores;
  const admin = await mintKey(api, { unrestricted: true, networkIds: [] });
  const { id: chargerUuid } = await register(api, admin, {
    serial: 'CP-1',
    networkUuid: api.network.uuid,
  });
  const driver = await addUser(sql, api.network.id, 'driver@example.com');
  const other = await addUser(sql, api.network.id, 'other@example.com');
  const emspKey = (options: object) => mintKey(api, { apiFamily: 'emsp', ...options });
  const keys = {
    driver: await emspKey({ userId: driver.id }),
    other: await emspKey({ userId: other.id }),
    network: await emspKey({ networkIds: [api.otherNetwork.id] }),
  };
  const began = Date.now() - 120 * minute;

  /** A session of the driver that ended an hour ago, and how it is read. */
  async function endedSession(flags: string[] = []) {
    const session = await startSession(sql, {
      chargerUuid,
      userId: driver.id,
      startedAt: new Date(began),
    });
    await endSession(sql, session, 5000);
    await sql`update sessions set flags = ${flags}, updated_at = now() - interval '1 hour' where uuid = ${session.uuid}`;
    const url = `/emsp/v1/charging/sessions/${session.uuid}/meter-values`;
    return {
      uuid: session.uuid,
      read: (key: string, query = '') => api.call(key, { url: url + query }),
      registers: async (query = '') => {
        const { json } = await api.call(keys.driver, { url: url + query });
        return items(json['samples']).map((sample) => sample['energyKwh']);
      },
      store: (minutes: number, energyWh: number) => {
        const time = new Date(began + minutes * minute);
        const origin = {
          networkId: api.network.id,
          chargerId: session.chargerId,
          sessionId: session.uuid,
        };
        return insertMeterRows(clickhouse, [meterRow(origin, time, { energyWh })]);
      },
    };
  }

  const session = await endedSession();
  t.match(await session.read(keys.driver, '?limit=0'), { json: { limit: 0, truncated: false } });
  await session.store(1, 1000);
  await session.store(2, 2000);
  const first = await session.read(keys.driver);
  await session.store(3, 3000);
  const second = await session.read(keys.driver);
  t.equal(second.text, first.text, 'ClickHouse is not asked again');
  t.match(await session.read(keys.driver, '?limit=1'), { json: { limit: 1, truncated: true } });
  t.match(await session.read(keys.driver, '?limit=1'), {
    json: { limit: 1, truncated: true, samples: [{ energyKwh: 1 }] },
  });
  for (const key of [keys.other, keys.network]) {
    t.match(await session.read(key), { status: 404, json: { code: 'SESSION_NOT_FOUND' } });
  }
  await recordLateReadings(sql, new Map([[session.uuid, began]]));
  t.same(await session.registers(), [1, 2, 3], 'late readings are returned');
  await session.store(4, 4000);
  t.same(await session.registers(), [1, 2, 3, 4], 'and more that may be on its way');

  const assumed = await endedSession(['estimated']);
  await assumed.store(1, 1000);
  t.same(await assumed.registers(), [1]);
  await assumed.store(2, 2000);
  t.same(await assumed.registers(), [1, 2], 'one whose end is assumed may go on');

  const none = await endedSession();
  t.same(await none.registers(), []);
  t.same(await none.registers(), [], 'registers may be absent');
});
