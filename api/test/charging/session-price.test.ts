import t from 'tap';
import {
  items,
  type Json,
  mintKey,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';
import { addTariff, endSession, startSession } from '#api/test/support/records.ts';
import { assign } from '#api/test/support/written-events.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';
import { pricePendingSessions } from '#api/jobs/session-pricer.ts';
import { seedTariff } from '#shared/testing/seed.ts';

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

async function scene(api: TestApi) {
  const key = await mintKey(api);
  const charger = await register(api, key, { serial: 'CP-1' });
  const explain = async (uuid: string, by: string | null = key) =>
    api.call(by, { url: `/cpms/v1/sessions/${uuid}/price` });
  return { key, charger, explain };
}

/** Adds decimal texts of two decimals. */
const cents = (values: Json[], name: string) =>
  values.reduce((sum, value) => sum + Math.round(Number(value[name]) * 100), 0);

void t.test('explains a stored price by its components', async (t) => {
  const api = await startTestApi(t);
  const { explain, charger } = await scene(api);
  await addTariff(api.stores.sql, api.network.id);
  const session = await startSession(api.stores.sql, { chargerUuid: charger.id, startedAt: hoursAgo(3) });
  await endSession(api.stores.sql, session, 12_345);
  const { status, json } = await explain(session.uuid);
  t.equal(status, 200);
  const period = { from: session.startedAt.toISOString() };
  t.match(json['data'], {
    sessionId: session.uuid,
    isFinal: true,
    priceState: 'SETTLED',
    unavailable: null,
    currency: 'EUR',
    tariff: { name: 'Standard', version: 1, timeZone: 'UTC' },
    components: [
      {
        kind: 'ENERGY',
        quantity: '12.345000',
        unit: 'kWh',
        unitPrice: '0.40',
        per: 'kWh',
        stepSize: 1,
        taxPercent: '21',
        net: '4.94',
        element: 1,
        restrictions: null,
        periods: [{ ...period, quantity: '12.345000', net: '4.94' }],
        rounding: null,
      },
      { kind: 'FLAT', quantity: '1', unitPrice: '1.50', net: '1.50', stepSize: null },
    ],
    taxes: [{ taxPercent: '21', net: '6.44' }],
    totals: { net: '6.44', gross: '7.79' },
    isTraced: true,
    notes: [],
  });
  const shown = await api.call(await mintKey(api), { url: `/cpms/v1/sessions/${session.uuid}` });
  const components = items(json['data']?.['components']);
  t.equal(cents(components, 'gross') / 100, shown.json['data']?.['cost']?.['totalInclVat']);
});

const energyAt = (price: string) => ({ type: 'ENERGY' as const, price, vat: '21', step_size: 1 });

void t.test('explains a price by the readings that it was made from', async (t) => {
  const api = await startTestApi(t);
  const { sql, clickhouse } = api.stores;
  const { explain, charger } = await scene(api);
  await seedTariff(sql, api.network.id, [
    { price_components: [energyAt('0.20')], restrictions: { max_power: 10 } },
    { price_components: [energyAt('0.50')] },
  ]);
  const session = await startSession(sql, { chargerUuid: charger.id, startedAt: hoursAgo(3) });
  const origin = { networkId: api.network.id, chargerId: session.chargerId, sessionId: session.uuid };
  const at = (minutes: number) => new Date(session.startedAt.getTime() + minutes * 60_000);
  await insertMeterRows(clickhouse, [
    meterRow(origin, at(0), { energyWh: 1000 }),
    meterRow(origin, at(30), { energyWh: 11_000 }),
    meterRow(origin, at(60), { energyWh: 13_000 }),
  ]);
  await endSession(sql, session, 12_000);
  await sql`update sessions set price_state = 'PENDING', cost = null, cost_minor = null, flags = '{cost-pending}'
    where uuid = ${session.uuid}`;
  t.match((await explain(session.uuid)).json['data'], {
    unavailable: 'COST_PENDING',
    components: [],
    totals: null,
    isTraced: false,
  });
  await pricePendingSessions(api.deps, { longestMs: 0, quietPeriodMs: 0 });
  const { json } = await explain(session.uuid);
  t.match(json['data'], {
    components: [
      {
        quantity: '2.000000',
        unitPrice: '0.20',
        net: '0.40',
        element: 1,
        restrictions: { max_power: 10 },
        periods: [{ from: at(30).toISOString(), to: at(60).toISOString() }],
      },
      {
        quantity: '10.000000',
        net: '5.00',
        element: 2,
        periods: [{ from: at(0).toISOString(), to: at(30).toISOString() }],
      },
    ],
    totals: { gross: '6.53' },
    isTraced: true,
  });
  await clickhouse.command({ query: 'truncate table meter_samples' });
  t.match((await explain(session.uuid)).json['data'], {
    components: [
      { net: '0.40', periods: [] },
      { net: '5.00', element: null, periods: [] },
    ],
    totals: { gross: '6.53' },
    isTraced: false,
  });
});

void t.test('explains the price so far of a running session', async (t) => {
  const api = await startTestApi(t);
  const { explain, charger } = await scene(api);
  await addTariff(api.stores.sql, api.network.id);
  const session = await startSession(api.stores.sql, { chargerUuid: charger.id, startedAt: hoursAgo(1) });
  await api.stores.sql`update sessions set energy_wh = 10000 where uuid = ${session.uuid}`;
  t.match((await explain(session.uuid)).json['data'], {
    isFinal: false,
    priceState: 'OPEN',
    components: [{ kind: 'ENERGY', net: '4.00' }, { kind: 'FLAT' }],
    totals: { net: '5.50', tax: '1.16', gross: '6.66' },
    isTraced: true,
  });
});

void t.test(
  'a running session has one price in lists, details and its explanation, and none in events',
  async (t) => {
    const api = await startTestApi(t);
    const { sql, clickhouse } = api.stores;
    const { key, explain, charger } = await scene(api);
    await seedTariff(sql, api.network.id, [
      { price_components: [energyAt('0.20')], restrictions: { max_power: 10 } },
      { price_components: [energyAt('0.50')] },
    ]);
    const session = await startSession(sql, { chargerUuid: charger.id, startedAt: hoursAgo(1) });
    const origin = { networkId: api.network.id, chargerId: session.chargerId, sessionId: session.uuid };
    const at = (minutes: number) => new Date(session.startedAt.getTime() + minutes * 60_000);
    await insertMeterRows(clickhouse, [
      meterRow(origin, at(0), { energyWh: 1000 }),
      meterRow(origin, at(30), { energyWh: 11_000 }),
      meterRow(origin, at(55), { energyWh: 13_000 }),
    ]);
    await sql`update sessions set energy_wh = 12000, live_at = now() where uuid = ${session.uuid}`;
    const read = async (url: string) => (await api.call(key, { url: `/cpms/v1${url}` })).json['data'];
    const [listed] = items(await read('/sessions'));
    const [listedOfCharger] = items(await read(`/sessions?chargerId=${charger.id}`));
    const detail = await read(`/sessions/${session.uuid}`);
    const { json } = await explain(session.uuid);
    // 10 kWh at 20 kW, 2 kWh at 5 kW, and 21 % tax.
    const price = 6.53;
    t.equal(listed?.['cost']?.['totalInclVat'], price);
    t.equal(listedOfCharger?.['cost']?.['totalInclVat'], price);
    t.equal(detail?.['cost']?.['totalInclVat'], price);
    t.equal(Number(json['data']?.['totals']?.['gross']), price);
    const eventPrices = async () => {
      await assign(sql);
      const events = items(await read('/events?type=session.updated,session.priced'));
      return events.map(({ type, data }) => [type, data?.['costMinor'], data?.['priceState']]);
    };
    t.strictSame(await eventPrices(), [['session.updated', null, 'OPEN']]);
  },
);

void t.test('names the reason why a session has no price', async (t) => {
  const api = await startTestApi(t);
  const { explain, charger } = await scene(api);
  const session = await startSession(api.stores.sql, { chargerUuid: charger.id, startedAt: hoursAgo(1) });
  const answer = await explain(session.uuid);
  t.match(answer.json['data'], { unavailable: 'NO_TARIFF', tariff: null, components: [], totals: null });
});

void t.test('keeps a price that an operator set as one component', async (t) => {
  const api = await startTestApi(t);
  const { key, explain, charger } = await scene(api);
  await addTariff(api.stores.sql, api.network.id);
  const session = await startSession(api.stores.sql, { chargerUuid: charger.id, startedAt: hoursAgo(3) });
  await endSession(api.stores.sql, session, 12_345);
  const payload = { reason: 'agreed', cost: { exclVat: 3, inclVat: 3.63 } };
  await api.call(key, { method: 'POST', url: `/cpms/v1/sessions/${session.uuid}/amend`, payload });
  t.match((await explain(session.uuid)).json['data'], {
    components: [{ kind: 'AMENDED', unitPrice: null, net: '3.00', periods: [] }],
    totals: { gross: '3.63' },
    isTraced: false,
  });
});

void t.test('hides prices from other networks, without the scope and from anonymous callers', async (t) => {
  const api = await startTestApi(t);
  const { explain, charger } = await scene(api);
  const session = await startSession(api.stores.sql, { chargerUuid: charger.id, startedAt: hoursAgo(1) });
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.match(await explain(session.uuid, foreign), {
    status: 404,
    json: { error: { code: 'SESSION_NOT_FOUND' } },
  });
  const scopeless = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  t.match(await explain(session.uuid, scopeless), {
    status: 403,
    json: { error: { code: 'SCOPE_MISSING' } },
  });
  t.equal((await explain(session.uuid, null)).status, 401);
});
