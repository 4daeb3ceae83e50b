import t from 'tap';
import { items, mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';
import { addLocation, endSession, startSession } from '#api/test/support/records.ts';

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

void t.test('the sessions of a location are those of all its chargers, newest first', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const elsewhere = await register(api, key, { serial: 'CP-1' });
  const location = await addLocation(sql, api.network.id);
  const empty = await addLocation(sql, api.network.id);
  const there = [
    await register(api, key, { serial: 'CP-2', locationUuid: location.uuid }),
    await register(api, key, { serial: 'CP-3', locationUuid: location.uuid }),
  ];
  const uuids: string[] = [];
  for (const hours of [1, 2, 3, 4, 5]) {
    const session = await startSession(sql, {
      chargerUuid: there[hours % 2 === 0 ? 0 : 1]?.id ?? '',
      startedAt: hoursAgo(hours),
    });
    await endSession(sql, session, 1000);
    uuids.push(session.uuid);
  }
  await startSession(sql, { chargerUuid: elsewhere.id, startedAt: hoursAgo(0.5) });

  const list = async (query: string) => {
    const { json } = await api.call(key, { url: `/cpms/v1/sessions?${query}` });
    return {
      ids: items(json['data']).map(({ id }) => id),
      next: json['nextCursor'] as unknown as string | null,
    };
  };
  const at = `locationId=${location.uuid}`;
  let next: string | null = '';
  for (const uuid of uuids) {
    const answer = await list(`${at}&pageSize=1${next === '' ? '' : `&cursor=${next ?? ''}`}`);
    t.strictSame(answer.ids, [uuid]);
    ({ next } = answer);
  }
  t.equal(next, null);
  t.strictSame((await list(`locationId=${empty.uuid}`)).ids, []);

  const emspKey = await mintKey(api, { apiFamily: 'emsp' });
  const foreign = await mintKey(api, { apiFamily: 'emsp', networkIds: [api.otherNetwork.id] });
  const page = async (query: string, as = emspKey) => {
    const { json } = await api.call(as, { url: `/emsp/v1/charging/sessions?${query}` });
    return [items(json['data']).map(({ id }) => id), json['pagination']?.['total']];
  };
  for (const [index, uuid] of uuids.entries()) {
    t.strictSame(await page(`${at}&pageSize=1&page=${index + 1}`), [[uuid], 5]);
  }
  t.strictSame(await page(`${at}&pageSize=2&page=2`), [uuids.slice(2, 4), 5]);
  t.strictSame(await page(`${at}&status=COMPLETED&pageSize=4`), [uuids.slice(0, 4), 5]);
  t.strictSame(await page(`${at}&to=${hoursAgo(2.5).toISOString()}`), [uuids.slice(2), 3]);
  t.strictSame(await page(`${at}&status=ACTIVE`), [[], 0]);
  t.strictSame(await page(at, foreign), [[], 0], 'not of another network');
});
