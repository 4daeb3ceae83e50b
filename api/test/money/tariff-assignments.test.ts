import t from 'tap';
import {
  type Answer,
  items,
  mintKey,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';
import { untilBlocked } from '#api/test/support/meanwhile.ts';
import { addLocation, startSession } from '#api/test/support/records.ts';

const url = '/cpms/v1/tariff-assignments';

async function scene(api: TestApi) {
  const key = await mintKey(api);
  const location = await addLocation(api.stores.sql, api.network.id);
  const { id: charger } = await register(api, key, { serial: 'CP-1', locationUuid: location.uuid });
  const connectors: string[] = [];
  for (const connectorNumber of [1, 2]) {
    const made = await api.call(key, {
      method: 'POST',
      url: `/cpms/v1/chargers/${charger}/connectors`,
      payload: { connectorNumber },
    });
    connectors.push(made.json['data']?.['id'] as unknown as string);
  }
  return {
    key,
    charger,
    location: location.uuid,
    connector: connectors[1] ?? '',
    tariff: async (name: string, price: number, more: object = {}) => {
      const elements = [{ price_components: [{ type: 'ENERGY', price, step_size: 1 }] }];
      const made = await api.call(key, {
        method: 'POST',
        url: '/cpms/v1/tariffs',
        payload: { name, elements, ...more },
      });
      return made.json['data']?.['id'] as unknown as string;
    },
    assign: (payload: object, by: string | null = key) => api.call(by, { method: 'POST', url, payload }),
    effective: async (at?: string) => {
      const query = at === undefined ? '' : `?at=${at}`;
      const answer = await api.call(key, { url: `/cpms/v1/chargers/${charger}/tariff${query}` });
      return answer.json['data']!;
    },
  };
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const named = (name: string, level: string) => ({ tariff: { name }, source: { level } });

void t.test('applies the closest assignment and names the origin of a tariff', async (t) => {
  const api = await startTestApi(t);
  const { charger, location, connector, tariff, assign, effective } = await scene(api);
  t.match(await effective(), {
    chargerId: charger,
    tariff: null,
    source: null,
    connectors: [{ tariff: null }, {}],
  });
  const network = await assign({ tariffUuid: await tariff('Network', 0.1), networkUuid: api.network.uuid });
  t.match(
    network,
    { status: 201, json: { data: { level: 'NETWORK', tariffName: 'Network', validUntil: null } } },
    network.text,
  );
  t.match(await effective(), {
    ...named('Network', 'NETWORK'),
    connectors: [{}, named('Network', 'NETWORK')],
  });
  await assign({ tariffUuid: await tariff('Location', 0.2), locationUuid: location });
  t.match(await effective(), named('Location', 'LOCATION'));
  await assign({ tariffUuid: await tariff('Charger', 0.3), chargerUuid: charger });
  t.match(await effective(), named('Charger', 'CHARGER'));
  const closest = await assign({ tariffUuid: await tariff('Connector', 0.4), connectorUuid: connector });
  t.match(await effective(), {
    ...named('Charger', 'CHARGER'),
    connectors: [
      { connectorNumber: 1, ...named('Charger', 'CHARGER') },
      { connectorNumber: 2, connectorId: connector, ...named('Connector', 'CONNECTOR') },
    ],
  });
  t.match(closest.json['data'], { level: 'CONNECTOR', chargerUuid: charger, connectorUuid: connector });
});

void t.test('falls back to the next tariff outside the validity of the closest', async (t) => {
  const api = await startTestApi(t);
  const { charger, tariff, assign, effective } = await scene(api);
  await assign({
    tariffUuid: await tariff('Always', 0.1),
    networkUuid: api.network.uuid,
    validFrom: '2026-01-01T00:00:00Z',
  });
  const summer = { start_date_time: '2030-06-01T00:00:00Z', end_date_time: '2030-09-01T00:00:00Z' };
  await assign({ tariffUuid: await tariff('Summer', 0.2, summer), chargerUuid: charger });
  t.match(await effective('2030-05-31T23:59:59.999Z'), named('Always', 'NETWORK'));
  t.match(await effective('2030-06-01T00:00:00Z'), named('Summer', 'CHARGER'));
  t.match(await effective('2030-09-01T00:00:00Z'), named('Always', 'NETWORK'));
});

void t.test('keeps past assignments and rejects overlaps', async (t) => {
  const api = await startTestApi(t);
  const { key, charger, location, tariff, assign, effective } = await scene(api);
  const [first, second] = [await tariff('First', 0.1), await tariff('Second', 0.2)];
  const begun = await assign({
    tariffUuid: first,
    locationUuid: location,
    validFrom: '2026-01-01T00:00:00Z',
  });
  const scheduled = await assign({
    tariffUuid: second,
    locationUuid: location,
    validFrom: '2034-01-01T00:00:00Z',
  });
  t.equal(scheduled.status, 201, scheduled.text);
  const id = begun.json['data']?.['id'] as unknown as string;
  t.match((await api.call(key, { url: `${url}/${id}` })).json['data'], {
    validFrom: '2026-01-01T00:00:00.000Z',
    validUntil: '2034-01-01T00:00:00.000Z',
  });
  t.match(await effective('2025-12-31T00:00:00Z'), { tariff: null });
  t.match(await effective(), named('First', 'LOCATION'));
  t.match(await effective('2034-01-01T00:00:00Z'), named('Second', 'LOCATION'));
  for (const [validFrom, validUntil] of [
    ['2030-01-01T00:00:00Z', '2030-02-01T00:00:00Z'],
    ['2025-01-01T00:00:00Z', undefined],
    ['2034-01-01T00:00:00Z', undefined],
  ]) {
    t.match(await assign({ tariffUuid: first, locationUuid: location, validFrom, validUntil }), {
      status: 409,
      json: { error: { code: 'TARIFF_ASSIGNMENT_OVERLAPS' } },
    });
  }
  const both = await Promise.all(
    [first, second].map((tariffUuid) =>
      assign({ tariffUuid, chargerUuid: charger, validFrom: '2029-01-01T00:00:00Z' }),
    ),
  );
  t.same(new Set(both.map(({ status }) => status)), new Set([201, 409]), 'at once too');

  const listed = async (query: string) =>
    items((await api.call(key, { url: `${url}?${query}` })).json['data']).map(
      ({ tariffName }) => tariffName as unknown,
    );
  t.strictSame(await listed(`locationUuid=${location}`), ['First', 'Second']);
  t.strictSame(await listed(`locationUuid=${location}&at=2035-01-01T00:00:00Z`), ['Second']);
  t.strictSame(await listed(`networkId=${api.network.uuid}&locationUuid=${location}`), ['First', 'Second']);
  t.strictSame(await listed(`tariffUuid=${second}&locationUuid=${location}`), ['Second']);
  t.strictSame((await listed(`chargerUuid=${charger}`)).length, 1);
  const page = await api.call(key, { url: `${url}?pageSize=2` });
  t.equal((await listed(`cursor=${page.json['nextCursor'] as unknown as string}`)).length, 1);
});

void t.test('ends or withdraws an assignment, and keeps an assigned tariff', async (t) => {
  const api = await startTestApi(t);
  const { key, location, tariff, assign, effective } = await scene(api);
  const uuid = await tariff('First', 0.1);
  const end = (id: unknown) => api.call(key, { method: 'DELETE', url: `${url}/${String(id)}` });
  const remove = () => api.call(key, { method: 'DELETE', url: `/cpms/v1/tariffs/${uuid}` });
  const begun = await assign({
    tariffUuid: uuid,
    locationUuid: location,
    validFrom: '2026-01-01T00:00:00Z',
    validUntil: '2033-01-01T00:00:00Z',
  });
  const coming = await assign({
    tariffUuid: uuid,
    locationUuid: location,
    validFrom: '2034-01-01T00:00:00Z',
  });
  t.match(await remove(), { status: 409, json: { error: { code: 'TARIFF_IN_USE' } } });
  t.equal((await end(begun.json['data']?.['id'])).status, 200);
  t.match(await effective(), { tariff: null });
  t.match(await effective('2026-01-02T00:00:00Z'), named('First', 'LOCATION'), 'what was stays');
  t.equal((await end(begun.json['data']?.['id'])).status, 200, 'again changes nothing');
  t.match(await remove(), { status: 409 }, 'one is to come');
  t.equal((await end(coming.json['data']?.['id'])).status, 200);
  t.equal((await end(coming.json['data']?.['id'])).status, 404, 'it was withdrawn');
  t.match(await effective('2034-01-02T00:00:00Z'), { tariff: null });
  t.equal((await remove()).status, 200);
  t.match(await effective('2026-01-02T00:00:00Z'), named('First', 'LOCATION'), 'a removed tariff too');
  t.match(await assign({ tariffUuid: uuid, locationUuid: location }), {
    status: 404,
    json: { error: { code: 'TARIFF_NOT_FOUND' } },
  });
  t.match(
    await api.stores.sql`
      select action, resource_name, details from audit_log where category = 'tariff-assignment' order by id`,
    [
      { action: 'create', resource_name: 'First', details: { before: null, after: { level: 'LOCATION' } } },
      { action: 'create' },
      { action: 'delete', details: { after: { validUntil: String } } },
      { action: 'delete', details: { after: null } },
    ],
  );
});

/** Begins to withdraw assignments one after the other while the one that they would have ended is locked. */
async function withdrawTogether(api: TestApi, first: string, withdrawals: (() => Promise<Answer>)[]) {
  const { sql } = api.stores;
  const answers: Promise<Answer>[] = [];
  await sql.begin(async (transaction) => {
    await transaction`select from tariff_assignments where uuid = ${first} for no key update`;
    for (const withdraw of withdrawals) {
      answers.push(withdraw());
      await untilBlocked(sql, answers.length);
    }
  });
  await Promise.all(answers);
}

void t.test('continues the earlier assignment after a withdrawal', async (t) => {
  const api = await startTestApi(t);
  const { key, charger, location, tariff, assign, effective } = await scene(api);
  const [old, dear, dearer] = [
    await tariff('Old', 0.1),
    await tariff('Dear', 0.2),
    await tariff('Dearer', 0.3),
  ];
  const at = (place: object) => async (tariffUuid: string, validFrom: string, validUntil?: string) => {
    const made = await assign({ tariffUuid, ...place, validFrom, validUntil });
    return made.json['data']?.['id'] as unknown as string;
  };
  const withdraw = (id: string) => api.call(key, { method: 'DELETE', url: `${url}/${id}` });
  const there = at({ locationUuid: location });
  const first = await there(old, '2026-01-01T00:00:00Z');
  const second = await there(dear, '2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z');
  const third = await there(dearer, '2032-01-01T00:00:00Z');
  t.equal((await withdraw(second)).status, 200);
  t.match(await effective('2031-06-01T00:00:00Z'), named('Old', 'LOCATION'));
  t.match(await effective('2032-01-01T00:00:00Z'), named('Dearer', 'LOCATION'));
  t.equal((await withdraw(third)).status, 200);
  const endOfFirst = async () =>
    (await api.call(key, { url: `${url}/${first}` })).json['data']?.['validUntil'];
  t.equal(await endOfFirst(), null);

  const both = [await there(dear, '2030-01-01T00:00:00Z'), await there(dearer, '2032-01-01T00:00:00Z')];
  await withdrawTogether(
    api,
    first,
    both.map((id) => () => withdraw(id)),
  );
  t.equal(await endOfFirst(), null, 'two that are withdrawn at once');

  const closer = at({ chargerUuid: charger });
  await closer(old, '2026-01-01T00:00:00Z', '2030-01-01T00:00:00Z');
  t.equal((await withdraw(await closer(dear, '2030-01-01T00:00:00Z'))).status, 200);
  t.match(await effective('2030-01-01T00:00:00Z'), named('Old', 'LOCATION'), 'an end that was given stays');
});

void t.test("prices a session by the tariff version of its start, by the charger's clock", async (t) => {
  const api = await startTestApi(t);
  const { key, charger, location, tariff, assign } = await scene(api);
  const uuid = await tariff('Old', 0.1);
  await assign({ tariffUuid: uuid, locationUuid: location, validFrom: hoursAgo(48).toISOString() });
  await assign({
    tariffUuid: await tariff('New', 0.5),
    locationUuid: location,
    validFrom: hoursAgo(2).toISOString(),
  });
  await api.call(key, {
    method: 'PATCH',
    url: `/cpms/v1/tariffs/${uuid}`,
    payload: { elements: [{ price_components: [{ type: 'ENERGY', price: 9, step_size: 1 }] }] },
  });
  const { sql } = api.stores;
  await sql`update locations set time_zone = 'Europe/Amsterdam' where uuid = ${location}`;
  const keptBy = async (startedAt: Date) => {
    const { uuid } = await startSession(sql, { chargerUuid: charger, startedAt });
    const [row] = await sql<{ tariff: object | null }[]>`select tariff from sessions where uuid = ${uuid}`;
    return row?.tariff ?? null;
  };
  t.match(await keptBy(hoursAgo(3)), {
    name: 'Old',
    version: 1,
    currency: 'EUR',
    time_zone: 'Europe/Amsterdam',
    elements: [{ price_components: [{ price: '0.1' }] }],
  });
  t.match(await keptBy(hoursAgo(1)), { name: 'New', version: 1 });
  t.equal(await keptBy(hoursAgo(72)), null, 'no tariff before the first assignment');
});

void t.test('hides assignments of other networks and names invalid fields', async (t) => {
  const api = await startTestApi(t);
  const { charger, location, tariff, assign } = await scene(api);
  const tariffUuid = await tariff('First', 0.1);
  const made = await assign({ tariffUuid, locationUuid: location });
  const id = made.json['data']?.['id'] as unknown as string;
  const unknown = '00000000-0000-4000-8000-000000000000';
  const elsewhere = await addLocation(api.stores.sql, api.otherNetwork.id);
  for (const [body, status, code] of [
    [{ tariffUuid }, 400, 'VALIDATION_FAILED'],
    [{ tariffUuid, locationUuid: location, chargerUuid: charger }, 400, 'VALIDATION_FAILED'],
    [{ locationUuid: location }, 400, 'VALIDATION_FAILED'],
    [
      {
        tariffUuid,
        chargerUuid: charger,
        validFrom: '2030-01-01T00:00:00Z',
        validUntil: '2030-01-01T00:00:00Z',
      },
      400,
      'VALIDATION_FAILED',
    ],
    [{ tariffUuid: unknown, locationUuid: location }, 404, 'TARIFF_NOT_FOUND'],
    [{ tariffUuid, networkUuid: api.otherNetwork.uuid }, 404, 'NETWORK_NOT_FOUND'],
    [{ tariffUuid, locationUuid: elsewhere.uuid }, 404, 'LOCATION_NOT_FOUND'],
    [{ tariffUuid, chargerUuid: unknown }, 404, 'CHARGER_NOT_FOUND'],
    [{ tariffUuid, connectorUuid: unknown }, 404, 'CONNECTOR_NOT_FOUND'],
  ] as const) {
    t.match(await assign(body), { status, json: { error: { code } } }, JSON.stringify(body));
  }
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const requests = [
    { url: `${url}/${id}` },
    { method: 'DELETE', url: `${url}/${id}` },
    { url: `/cpms/v1/chargers/${charger}/tariff` },
    { method: 'POST', url, payload: { tariffUuid, locationUuid: location } },
  ] as const;
  for (const request of requests) t.equal((await api.call(other, request)).status, 404, request.url);
  t.strictSame((await api.call(other, { url })).json['data'], []);
  const reader = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  for (const request of [...requests, { url }]) {
    t.match(await api.call(reader, request), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    t.equal((await api.call(null, request)).status, 401);
  }
});
