import t from 'tap';
import { sendSessionFacts } from '#api/services/reporting/session-facts.service.ts';
import { makeNetworks } from '#api/test/support/analytics-data.ts';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { addConnectors, addRunning, endSession } from '#api/test/support/session-rows.ts';

// Networks, the oldest first: EUR, USD, EUR. All sessions are in USD at first.
void t.test('the headline of revenue', async (t) => {
  const api = await startTestApi(t);
  const { sql, clickhouse } = api.stores;
  const networks = await makeNetworks(sql);
  const [euro, dollar] = networks;
  if (euro === undefined || dollar === undefined) throw new Error('the networks are missing');
  const sell = async (network: typeof euro, costMinor: number) => {
    const [connector] = await addConnectors(sql, network, 1);
    if (connector === undefined) throw new Error('the connector is missing');
    const id = await addRunning(sql, connector, new Date(Date.now() - 7_200_000));
    const endedAt = new Date(Date.now() - 3_600_000);
    await endSession(sql, id, { endedAt, energyWh: 1000, costMinor, idle: [] });
    while ((await sendSessionFacts(sql, clickhouse, 100)) > 0);
  };
  const keys = {
    cpms: await mintKey(api, { unrestricted: true, networkIds: [] }),
    emsp: await mintKey(api, { apiFamily: 'emsp', networkIds: networks.map(({ id }) => id) }),
  };
  const read = async (path: string) => {
    const family = path.startsWith('/cpms') ? 'cpms' : 'emsp';
    const { status, json, text } = await api.call(keys[family], { url: path });
    if (status !== 200) throw new Error(text);
    const data = family === 'cpms' ? json['data'] : json;
    return {
      totalRevenue: data?.['totalRevenue'] as unknown as number,
      currency: data?.['currency'] as unknown as string,
      listed: items(data?.[family === 'cpms' ? 'totals' : 'currencies']).map(
        ({ currency, totalRevenue }) => [currency, totalRevenue] as unknown as [string, number],
      ),
    };
  };
  const paths = ['/cpms/v1/analytics/revenue', '/cpms/v1/analytics/kpis', '/emsp/v1/analytics/revenue'];

  await t.test('is 0 in the currency of the oldest network without sessions', async (t) => {
    const listed = [
      ['EUR', 0],
      ['USD', 0],
    ];
    for (const path of paths) t.same(await read(path), { totalRevenue: 0, currency: 'EUR', listed }, path);
  });

  await t.test('is in the only currency with sessions', async (t) => {
    await sell(dollar, 1250);
    const listed = [
      ['EUR', 0],
      ['USD', 12.5],
    ];
    for (const path of paths) t.same(await read(path), { totalRevenue: 12.5, currency: 'USD', listed }, path);
  });

  await t.test('is in the currency of the oldest network of several with sessions', async (t) => {
    await sell(euro, 300);
    const listed = [
      ['EUR', 3],
      ['USD', 12.5],
    ];
    for (const path of paths) t.same(await read(path), { totalRevenue: 3, currency: 'EUR', listed }, path);
    t.match(await read(`${paths[0]}?networkId=${dollar.uuid}`), { totalRevenue: 12.5, currency: 'USD' });
  });

  await t.test('is in the requested currency', async (t) => {
    for (const path of paths) {
      t.match(await read(`${path}?currency=usd`), { totalRevenue: 12.5, currency: 'USD' }, path);
      t.match(await read(`${path}?currency=SEK`), { totalRevenue: 0, currency: 'SEK' }, path);
    }
    const wrong = await api.call(keys.cpms, { url: `${paths[0]}?currency=euro` });
    t.match(wrong, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  });
});
