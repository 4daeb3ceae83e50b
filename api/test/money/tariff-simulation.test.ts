import { randomUUID } from 'node:crypto';
import t from 'tap';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { seedTariff } from '#shared/testing/seed.ts';

const url = '/cpms/v1/tariffs/simulate';
const startTime = '2026-03-02T20:00:00.000Z';
const energy = { type: 'ENERGY', price: 0.4, vat: 21, step_size: 1 };
const draft = {
  currency: 'EUR',
  elements: [
    {
      price_components: [{ type: 'ENERGY', price: 0.2, vat: 21, step_size: 1 }],
      restrictions: { start_time: '22:00', end_time: '06:00' },
    },
    { price_components: [energy] },
  ],
  idle: { price_per_minute: 0.1, grace_minutes: 10, vat: 21 },
};

void t.test('prices a power curve by a draft over time', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, { scopes: ['cpms:read:tariffs'] });
  const payload = {
    tariff: draft,
    timeZone: 'Europe/Amsterdam',
    startTime,
    // 22 kW for an hour until 22:00 local time, and 10 kW for another.
    charging: [
      { minutes: 60, powerKw: 22 },
      { minutes: 60, powerKw: 10 },
    ],
    parkingMinutes: 30,
    points: 6,
  };
  const { status, json, text } = await api.call(key, { method: 'POST', url, payload });
  t.equal(status, 200, text);
  t.match(json['data'], {
    currency: 'EUR',
    components: [
      {
        kind: 'ENERGY',
        quantity: '10.000000',
        net: '2.00',
        restrictions: { start_time: '22:00' },
        periods: [{ from: '2026-03-02T21:00:00.000Z', to: '2026-03-02T22:00:00.000Z' }],
      },
      { kind: 'ENERGY', quantity: '22.000000', net: '8.80', element: 2 },
      { kind: 'IDLE', quantity: '1200', unit: 's', net: '2.00' },
    ],
    taxes: [{ taxPercent: '21', net: '12.80', tax: '2.69' }],
    totals: { net: '12.80', tax: '2.69', gross: '15.49' },
    notes: [],
  });
  const points = items(json['data']?.['series']);
  t.strictSame(points[0]?.['kinds'], []);
  t.strictSame(
    points.at(-1)?.['kinds'],
    [
      { kind: 'ENERGY', net: '10.80', gross: '13.07' },
      { kind: 'IDLE', net: '2.00', gross: '2.42' },
    ],
    'both prices of energy are one kind',
  );
  const series = points.map(({ time, energyKwh, net, gross }) => [time, energyKwh, net, gross]);
  t.strictSame(series, [
    [startTime, 0, '0.00', '0.00'],
    ['2026-03-02T20:30:00.000Z', 11, '4.40', '5.32'],
    ['2026-03-02T21:00:00.000Z', 22, '8.80', '10.65'],
    ['2026-03-02T21:30:00.000Z', 27, '9.80', '11.86'],
    ['2026-03-02T22:00:00.000Z', 32, '10.80', '13.07'],
    ['2026-03-02T22:30:00.000Z', 32, '12.80', '15.49'],
  ]);
});

void t.test('prices by a stored tariff of own networks only', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const stored = await seedTariff(api.stores.sql, api.network.id);
  const simulate = (payload: object, by: string | null = key) =>
    api.call(by, { method: 'POST', url, payload });
  const session = { startTime, charging: [{ minutes: 60, powerKw: 10 }] };
  const own = await simulate({ tariffId: stored.uuid, ...session });
  // 10 kWh at 0.40 and 1.00, with 21 % VAT.
  t.match(own.json['data'], { totals: { net: '5.00', gross: '6.05' } });
  t.equal(items(own.json['data']?.['series']).length, 60);
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const notFound = { status: 404, json: { error: { code: 'TARIFF_NOT_FOUND' } } };
  t.match(await simulate({ tariffId: stored.uuid, ...session }, foreign), notFound);
  t.match(await simulate({ tariffId: randomUUID(), ...session }), notFound);
  const wrong = { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } };
  for (const payload of [
    session,
    { tariffId: stored.uuid, tariff: draft, ...session },
    { tariff: draft, ...session, charging: [] },
    { tariff: draft, ...session, timeZone: 'Nowhere' },
    { tariff: draft, ...session, points: 1 },
    { tariff: { ...draft, elements: [{ price_components: [energy, energy] }] }, ...session },
    { tariff: draft, ...session, startTime: '9999-12-31T23:00:00Z', parkingMinutes: 600 },
  ]) {
    t.match(await simulate(payload), wrong, JSON.stringify(payload));
  }
  const scopeless = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  t.match(await simulate({ tariff: draft, ...session }, scopeless), {
    status: 403,
    json: { error: { code: 'SCOPE_MISSING' } },
  });
  t.equal((await simulate({ tariff: draft, ...session }, null)).status, 401);
});
