import t from 'tap';
import { items, mintKey, register, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { addLocation, addTariff, addUser } from '#api/test/support/records.ts';

const calculate = (api: TestApi, key: string | null, payload: object) =>
  api.call(key, { method: 'POST', url: '/emsp/v1/pricing/calculate', payload });
const info = (api: TestApi, key: string | null, name: string) =>
  api.call(key, { url: `/emsp/v1/chargers/${encodeURIComponent(name)}/info` });

async function scene(api: TestApi) {
  const operator = await mintKey(api);
  const location = await addLocation(api.stores.sql, api.network.id);
  const { id } = await register(api, operator, { serial: 'CP-1', locationUuid: location.uuid });
  await api.call(operator, {
    method: 'POST',
    url: `/cpms/v1/chargers/${id}/connectors`,
    payload: { connectorNumber: 1 },
  });
  const emsp = { apiFamily: 'emsp' } as const;
  const user = await addUser(api.stores.sql, api.network.id, 'anna@example.org');
  return {
    charger: id,
    location,
    operator,
    key: await mintKey(api, emsp),
    driver: await mintKey(api, { ...emsp, userId: user.id }),
    other: await mintKey(api, { ...emsp, networkIds: [api.otherNetwork.id] }),
    assign: async (elements: object[], validFrom?: string) => {
      const made = await api.call(operator, {
        method: 'POST',
        url: '/cpms/v1/tariffs',
        payload: { name: 'Special', elements },
      });
      const tariffUuid = made.json['data']?.['id'];
      return api.call(operator, {
        method: 'POST',
        url: '/cpms/v1/tariff-assignments',
        payload: { tariffUuid, chargerUuid: id, ...(validFrom !== undefined && { validFrom }) },
      });
    },
  };
}

void t.test('finds a public charger by an identity that is percent-encoded in the path', async (t) => {
  const api = await startTestApi(t);
  const { operator, location, key } = await scene(api);
  for (const serial of ['RDAM 123', '/Quay/2/', 'A%20B', '50% #1?', 'Étoile\\7', '充电桩'.repeat(16)]) {
    const { id } = await register(api, operator, { serial, locationUuid: location.uuid });
    t.match(await info(api, key, serial), { status: 200, json: { id, uid: serial } }, serial);
  }
});

void t.test('estimates the cost of a session by the tariff of its start', async (t) => {
  const api = await startTestApi(t);
  const { charger, key, driver, assign } = await scene(api);
  const plan = { chargerId: charger, connectorNumber: 1, energyKwh: 10, chargingMinutes: 60 };
  t.match(await calculate(api, key, plan), { status: 400, json: { code: 'NO_TARIFF' } }, 'never zero');
  await addTariff(api.stores.sql, api.network.id);
  const answer = await calculate(api, driver, { ...plan, chargerId: charger.toUpperCase() });
  // 10 kWh at 0.40 and 1.50 per session, 21 % VAT.
  t.match(answer, {
    status: 200,
    json: {
      chargerId: charger,
      connectorId: String,
      tariff: {
        name: 'Standard',
        currency: 'EUR',
        elements: [
          {
            price_components: [
              { type: 'ENERGY', price: 0.4, vat: 21 },
              { type: 'FLAT', price: 1.5, vat: 21 },
            ],
          },
        ],
      },
      cost: {
        currency: 'EUR',
        isFinal: false,
        totalExclVat: 5.5,
        totalVat: 1.16,
        totalInclVat: 6.66,
        lines: [
          { type: 'ENERGY', quantity: 10, unit: 'kWh', unitPrice: 0.4, exclVat: 4 },
          { type: 'FLAT', quantity: 1, exclVat: 1.5 },
        ],
        vatRates: [{ vatPercent: 21, exclVat: 5.5, vat: 1.16 }],
        notes: { length: 0 },
      },
    },
  });
  await assign(
    [
      {
        price_components: [
          { type: 'ENERGY', price: 1, step_size: 1 },
          { type: 'PARKING_TIME', price: 6, step_size: 60 },
        ],
        restrictions: { start_time: '12:00' },
      },
      { price_components: [{ type: 'TIME', price: 3, step_size: 1 }], restrictions: { min_current: 32 } },
    ],
    '2030-01-01T00:00:00Z',
  );
  t.match((await calculate(api, driver, plan)).json['tariff'], { name: 'Standard' });
  const last = { ...plan, startTime: '9999-12-31T23:59:59Z' };
  t.match(await calculate(api, driver, last), { status: 400, json: { code: 'VALIDATION_FAILED' } });
  const later = { ...plan, startTime: '2030-05-01T11:30:00Z', parkingMinutes: 30, currentA: 32 };
  // Half of the energy after noon, an hour of charging, half an hour of parking.
  t.match(await calculate(api, driver, later), {
    status: 200,
    json: {
      startTime: '2030-05-01T11:30:00.000Z',
      endTime: '2030-05-01T13:00:00.000Z',
      cost: {
        totalInclVat: 11,
        lines: [{ exclVat: 5 }, { type: 'PARKING_TIME', exclVat: 3 }, { type: 'TIME', exclVat: 3 }],
      },
    },
  });
  const unparked = await calculate(api, driver, { ...later, parkingMinutes: 0 });
  t.match(unparked.json['cost'], { totalInclVat: 8, notes: { length: 0 } }, 'its current counts too');
});

void t.test('finds a charger by its printed id, with its price', async (t) => {
  const api = await startTestApi(t);
  const { charger, operator, location, key, driver, other } = await scene(api);
  await addTariff(api.stores.sql, api.network.id);
  for (const [by, name] of [
    [key, charger],
    [driver, charger.toUpperCase()],
    [driver, 'CP-1'],
  ] as const) {
    t.match(await info(api, by, name), {
      status: 200,
      json: {
        id: charger,
        uid: 'CP-1',
        location: { id: location.uuid },
        pricing: {
          tariff: { name: 'Standard' },
          connectors: [{ connectorNumber: 1, tariff: { currency: 'EUR' } }],
        },
      },
    });
  }
  const { sql } = api.stores;
  await sql`update chargers set serial_number = 'SN-7' where uuid = ${charger}`;
  t.equal((await info(api, key, 'SN-7')).json['id'], charger);
  await sql`update chargers set evse_id = 'NL*CWY*E00K7' where uuid = ${charger}`;
  await sql`update evses set evse_id = 'NL*CWY*E00K7*1'`;
  for (const typed of ['cp-1', 'sn-7', 'NL*CWY*E00K7*1', 'nlcwye00k71', 'nl-cwy-e00k7']) {
    t.equal((await info(api, driver, typed)).json['id'], charger, typed);
  }
  const { id: similar } = await register(api, operator, { serial: 'CP-9', locationUuid: location.uuid });
  await sql`update chargers set evse_id = 'NL*CWY*E00K71' where uuid = ${similar}`;
  t.equal((await info(api, driver, 'NL*CWY*E00K71')).json['id'], similar, 'the same letters win');
  const unpublished = await addLocation(sql, api.network.id, { isPublished: false });
  await register(api, operator, { serial: 'HIDDEN', locationUuid: unpublished.uuid });
  await register(api, operator, { serial: 'NOWHERE' });
  for (const name of ['HIDDEN', 'NOWHERE', 'CP', "' or 1=1 --", charger.replace(/.$/, 'z')]) {
    t.match(await info(api, key, name), { status: 404, json: { code: 'CHARGER_NOT_FOUND' } }, name);
  }
  t.equal((await info(api, other, charger)).status, 404);
  t.equal((await info(api, operator, charger)).status, 403);
  t.equal((await info(api, null, charger)).status, 401);
  await sql`update chargers set is_public = false where uuid = ${charger}`;
  t.equal((await info(api, key, charger)).status, 404, 'operators too see only public ones here');
  t.equal((await calculate(api, key, { chargerId: charger, energyKwh: 1, chargingMinutes: 1 })).status, 200);
  t.equal(
    (await calculate(api, driver, { chargerId: charger, energyKwh: 1, chargingMinutes: 1 })).status,
    400,
  );
});

void t.test('gives the reason for a missing price', async (t) => {
  const api = await startTestApi(t);
  const { charger, operator, key, other } = await scene(api);
  await addTariff(api.stores.sql, api.network.id);
  const plan = { chargerId: charger, energyKwh: 10, chargingMinutes: 60 };
  for (const [body, field] of [
    [{ ...plan, chargerId: 'x' }, 'chargerId'],
    [{ ...plan, chargerId: '00000000-0000-4000-8000-000000000000' }, 'chargerId'],
    [{ ...plan, connectorNumber: 2 }, 'connectorNumber'],
    [{ ...plan, energyKwh: -1 }, 'energyKwh'],
    [{ ...plan, energyKwh: '10' }, 'energyKwh'],
    [{ ...plan, chargingMinutes: 1e9 }, 'chargingMinutes'],
    [{ ...plan, startTime: 'tomorrow' }, 'startTime'],
    [{ chargerId: charger }, 'energyKwh'],
    [{ ...plan, tariff: 'cheap' }, 'tariff'],
  ] as const) {
    const answer = await calculate(api, key, body);
    t.match(answer, { status: 400, json: { code: 'VALIDATION_FAILED' } }, JSON.stringify(body));
    t.ok(
      items(answer.json['details']?.['errors']).some((error) => (error['field'] as unknown) === field),
      answer.text,
    );
  }
  t.match(await calculate(api, other, plan), { status: 400, json: { code: 'VALIDATION_FAILED' } });
  t.match(await calculate(api, operator, plan), { status: 403, json: { code: 'API_FAMILY_MISMATCH' } });
  t.equal((await calculate(api, null, plan)).status, 401);
});
