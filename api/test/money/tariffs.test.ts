import t from 'tap';
import { items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

const url = '/cpms/v1/tariffs';
const elements = [
  {
    price_components: [
      { type: 'ENERGY', price: 0.39, vat: 21, step_size: 1 },
      { type: 'FLAT', price: 0.5, step_size: 1 },
    ],
    restrictions: { start_time: '08:00', end_time: '20:00', day_of_week: ['MONDAY'] },
  },
  { price_components: [{ type: 'ENERGY', price: 0.2999, vat: 0, step_size: 100 }] },
];
const full = {
  name: 'Day and night',
  type: 'REGULAR',
  elements,
  idle: { price_per_minute: 0.1, grace_minutes: 10, vat: 21 },
  min_price: { excl_vat: 0.5, incl_vat: 0.55 },
  max_price: { excl_vat: 50 },
  tariff_alt_text: [{ language: 'nl', text: 'Overdag duurder' }],
  tariff_alt_url: 'https://example.org/prices',
  energy_mix: { is_green_energy: true, energy_sources: [{ source: 'WIND', percentage: 100 }] },
  start_date_time: '2026-01-01T00:00:00.000Z',
  end_date_time: '2036-01-01T00:00:00.000Z',
};
const night = { name: 'Night', elements: [elements[1]] };

const post = (api: TestApi, key: string | null, payload: object) =>
  api.call(key, { method: 'POST', url, payload });
const patch = (api: TestApi, key: string | null, id: string, payload: object, etag?: string) =>
  api.call(key, {
    method: 'PATCH',
    url: `${url}/${id}`,
    payload,
    headers: etag === undefined ? {} : { 'if-match': etag },
  });

void t.test(
  'creates, reads, changes and removes a tariff, keeps its versions, with audit entries',
  async (t) => {
    const api = await startTestApi(t);
    const key = await mintKey(api);
    const made = await post(api, key, full);
    t.equal(made.status, 201, made.text);
    const tariff = made.json['data']!;
    t.match(
      tariff,
      { ...full, currency: 'EUR', networkId: api.network.id, version: 1 },
      'prices are numbers, exactly',
    );
    const id = tariff['id'] as unknown as string;
    const read = await api.call(key, { url: `${url}/${id}` });
    t.strictSame(read.json['data'], tariff);
    t.equal(read.headers['etag'], '"1"');
    t.match(
      await api.stores.sql`select elements, idle, min_price from tariffs`,
      [
        {
          elements: [{ price_components: [{ price: '0.39', vat: '21' }, { price: '0.5' }] }, {}],
          idle: { price_per_minute: '0.1' },
          min_price: { incl_vat: '0.55' },
        },
      ],
      'and kept as decimal text',
    );

    const changed = await patch(api, key, id, { elements: [elements[1]], idle: null, type: null }, '"1"');
    t.equal(changed.headers['etag'], '"2"', changed.text);
    t.match(changed.json['data'], {
      name: full.name,
      elements: [elements[1]],
      idle: null,
      type: null,
      version: 2,
    });
    t.match(await patch(api, key, id, { name: 'Late' }, '"1"'), {
      status: 412,
      json: { error: { code: 'PRECONDITION_FAILED', details: { version: 2 } } },
    });
    await patch(api, key, id, { name: 'Night' });
    const versions = await api.call(key, { url: `${url}/${id}/versions?pageSize=1` });
    t.match(items(versions.json['data']), [
      { id, version: 2, name: full.name, idle: null, validUntil: String },
    ]);
    const cursor = versions.json['nextCursor'] as unknown as string;
    const first = await api.call(key, { url: `${url}/${id}/versions?cursor=${cursor}` });
    t.match(first.json, { data: [{ ...full, version: 1 }], nextCursor: null }, 'as it was, whole');

    t.match(await api.call(key, { method: 'DELETE', url: `${url}/${id}` }), {
      status: 200,
      json: { data: { id, deleted: true } },
    });
    t.equal((await api.call(key, { url: `${url}/${id}` })).status, 404);
    t.match(
      await api.stores
        .sql`select action, resource_id, details from audit_log where category = 'tariff' order by id`,
      [
        { action: 'create', resource_id: id, details: { before: null, after: { name: full.name } } },
        { action: 'update', details: { before: { type: 'REGULAR' }, after: { type: null, idle: null } } },
        { action: 'update', details: { after: { name: 'Night' } } },
        { action: 'delete', details: { after: null } },
      ],
    );
  },
);

void t.test('rejects an invalid tariff by field and stores nothing', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const component = { type: 'ENERGY', price: 1, step_size: 1 };
  const withRestrictions = (restrictions: object) => ({
    name: 'x',
    elements: [{ price_components: [component], restrictions }],
  });
  const many = Array.from({ length: 101 }, () => ({ price_components: [component] }));
  for (const [body, field] of [
    [{ name: 'x' }, 'elements'],
    [{ name: 'x', elements: [] }, 'elements'],
    [{ name: 'x', elements: many }, 'elements'],
    [{ ...night, name: 'x'.repeat(101) }, 'name'],
    [{ ...night, currency: 'USD' }, 'currency'],
    [{ ...night, type: 'CHEAP' }, 'type'],
    [
      { name: 'x', elements: [{ price_components: [{ ...component, price: '0.25' }] }] },
      'elements.0.price_components.0.price',
    ],
    [
      { name: 'x', elements: [{ price_components: [{ ...component, price: -1 }] }] },
      'elements.0.price_components.0.price',
    ],
    [
      { name: 'x', elements: [{ price_components: [{ ...component, price: 0.12345 }] }] },
      'elements.0.price_components.0.price',
    ],
    [
      { name: 'x', elements: [{ price_components: [{ ...component, price: 1e-7 }] }] },
      'elements.0.price_components.0.price',
    ],
    [
      { name: 'x', elements: [{ price_components: [{ ...component, vat: 101 }] }] },
      'elements.0.price_components.0.vat',
    ],
    [{ name: 'x', elements: [{ price_components: [component, component] }] }, 'elements.0.price_components'],
    [withRestrictions({ start_time: '24:00' }), 'elements.0.restrictions.start_time'],
    [
      withRestrictions({ start_date: '2026-02-31', end_date: '2026-02-30' }),
      'elements.0.restrictions.end_date',
    ],
    [withRestrictions({ start_date: '2026-02-30' }), 'elements.0.restrictions.start_date'],
    [withRestrictions({ min_kwh: 5, max_kwh: 5 }), 'elements.0.restrictions.max_kwh'],
    [withRestrictions({ day_of_week: [] }), 'elements.0.restrictions.day_of_week'],
    [withRestrictions({ max_price: 5 }), 'elements.0.restrictions.max_price'],
    [withRestrictions({ reservation: 'RESERVATION' }), 'elements'],
    [
      {
        name: 'x',
        elements: [...night.elements, ...withRestrictions({ reservation: 'RESERVATION' }).elements],
      },
      'elements.1.price_components',
    ],
    [{ ...night, min_price: { excl_vat: 2, incl_vat: 1 } }, 'min_price.incl_vat'],
    [{ ...night, min_price: { excl_vat: 2 }, max_price: { excl_vat: 1 } }, 'max_price.excl_vat'],
    [
      { ...night, start_date_time: '2026-01-02T00:00:00Z', end_date_time: '2026-01-02T00:00:00Z' },
      'end_date_time',
    ],
    [
      {
        name: 'x',
        elements: [{ price_components: [{ ...component, type: 'PARKING_TIME' }] }],
        idle: { price_per_minute: 1, grace_minutes: 5 },
      },
      'idle',
    ],
  ] as const) {
    const answer = await post(api, key, body);
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, JSON.stringify(body));
    t.match(answer.text, `"field":"${field}"`);
  }
  t.equal((await post(api, key, { ...night, networkUuid: api.otherNetwork.uuid })).status, 404);
  t.same(await api.stores.sql`select 1 from tariffs`, []);
  t.same(await api.stores.sql`select 1 from audit_log where category = 'tariff'`, []);

  const made = (await post(api, key, { ...night, max_price: { excl_vat: 5 } })).json['data']!;
  const id = made['id'] as unknown as string;
  for (const [change, field] of [
    [{}, 'at least 1 field'],
    [{ min_price: { excl_vat: 6 } }, 'max_price.excl_vat'],
  ] as const) {
    const answer = await patch(api, key, id, change);
    t.equal(answer.status, 400);
    t.match(answer.text, field);
  }
  t.strictSame((await api.call(key, { url: `${url}/${id}` })).json['data'], made);
});

void t.test('lists tariffs by name and hides those of other networks', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  for (const name of ['Day', 'Night', 'Weekend night']) await post(api, key, { ...night, name });
  const named = async (query: string) =>
    items((await api.call(key, { url: `${url}?${query}` })).json['data']).map(({ name }) => name as unknown);
  t.strictSame(await named('name=NIGHT'), ['Night', 'Weekend night']);
  t.strictSame(await named('currency=EUR&name=day'), ['Day']);
  t.strictSame(await named('currency=USD'), []);
  t.match(await api.call(key, { url: `${url}?currency=euro` }), {
    status: 400,
    json: { error: { details: { errors: [{ field: 'currency' }] } } },
  });
  const first = await api.call(key, { url: `${url}?pageSize=2` });
  t.strictSame(await named(`cursor=${first.json['nextCursor'] as unknown as string}`), ['Weekend night']);
  t.equal((await api.call(key, { url: `${url}?cursor=nonsense` })).status, 400);

  const id = items(first.json['data'])[0]?.['id'] as unknown as string;
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.strictSame((await api.call(other, { url })).json['data'], []);
  const requests = [
    { url: `${url}/${id}` },
    { url: `${url}/${id}/versions` },
    { method: 'PATCH', url: `${url}/${id}`, payload: { name: 'Mine' } },
    { method: 'DELETE', url: `${url}/${id}` },
  ] as const;
  for (const request of requests) {
    t.match(await api.call(other, request), { status: 404, json: { error: { code: 'TARIFF_NOT_FOUND' } } });
  }
  for (const name of ['networkUuid', 'networkId']) {
    t.equal((await api.call(other, { url: `${url}?${name}=${api.network.uuid}` })).status, 404);
  }
  const reader = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  for (const request of [...requests, { url }, { method: 'POST', url, payload: night } as const]) {
    t.match(await api.call(reader, request), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    t.equal((await api.call(null, request)).status, 401);
  }
});
