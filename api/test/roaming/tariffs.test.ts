import t from 'tap';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';

const paths = ['/ocpi/2.2/tariffs', '/ocpi/2.2.1/tariffs', '/ocpi/cpo/2.2/tariffs'];
const standard = '/ocpi/cpo/2.2.1/tariffs';

void t.test(
  'partners see the tariffs of their network that are assigned, in the form of the standard',
  async (t) => {
    const api = await startTestApi(t);
    const emsp = await startEmsp(t);
    const { token } = await registerEmsp(api, emsp);
    const party = { countryCode: 'FR', partyId: 'SUD' };
    const partner = { networkUuid: api.otherNetwork.uuid };
    const { token: otherToken } = await registerEmsp(api, emsp, { party, partner });
    const key = await mintKey(api);
    const get = (url: string, shown: string | null = token) => ocpi(api, shown, { url });
    const make = async (payload: object) => {
      const answer = await api.call(key, { method: 'POST', url: '/cpms/v1/tariffs', payload });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.json['data']?.['id'] as unknown as string;
    };
    const assign = (tariffUuid: string, more: object = {}) =>
      api.call(key, {
        method: 'POST',
        url: '/cpms/v1/tariff-assignments',
        payload: { tariffUuid, networkUuid: api.network.uuid, ...more },
      });

    // The fields of the standard's examples: start fee, energy, maximum, end; time by the current; free text.
    const elements = [
      {
        price_components: [
          { type: 'FLAT', price: 0.5, vat: 20, step_size: 1 },
          { type: 'ENERGY', price: 0.25, vat: 10, step_size: 1 },
        ],
      },
      {
        price_components: [{ type: 'TIME', price: 2, vat: 20, step_size: 600 }],
        restrictions: {
          start_time: '09:00',
          end_time: '18:00',
          min_current: 32,
          day_of_week: ['MONDAY', 'TUESDAY'],
        },
      },
    ];
    const fields = {
      type: 'REGULAR',
      elements,
      min_price: { excl_vat: 0.5, incl_vat: 0.55 },
      max_price: { excl_vat: 10, incl_vat: 11 },
      tariff_alt_text: [{ language: 'nl', text: 'Standaard tarief' }],
      tariff_alt_url: 'https://north.example/tariffs/16',
      start_date_time: '2020-01-01T00:00:00.000Z',
      end_date_time: '2039-06-30T23:59:59.000Z',
      energy_mix: { is_green_energy: true, supplier_name: 'Greenpeace Energy eG' },
    };
    const id = await make({ name: 'Standard', ...fields });
    for (const path of [...paths, standard])
      t.strictSame((await get(path)).json['data'], [] as never, 'not assigned');
    t.match(await get(`${paths[0]}/${id}`), {
      status: 404,
      json: { status_code: 2000, status_message: /TARIFF_NOT_FOUND/ },
    });

    const began = new Date();
    t.equal((await assign(id)).status, 201);
    const idle = { price_per_minute: 0.15, grace_minutes: 10, vat: 21 };
    const later = await make({
      name: 'Later',
      elements: [{ price_components: [{ type: 'ENERGY', price: 0, step_size: 1 }] }],
      idle,
    });
    const validFrom = new Date(Date.now() + 86_400_000).toISOString();
    t.equal((await assign(later, { validFrom })).status, 201);

    const expected = { country_code: 'NL', party_id: 'CWY', id, currency: 'EUR', ...fields };
    for (const path of paths) {
      const list = await get(path);
      t.match(list, { status: 200, headers: { 'x-total-count': '2' }, json: { status_code: 1000 } });
      const [first, second] = items(list.json['data']);
      const { last_updated: lastUpdated, ...rest } = first ?? {};
      t.strictSame(rest, expected as never);
      t.ok(
        new Date(lastUpdated as unknown as string) >= began,
        'it is new to partners since it was assigned',
      );
      t.match(
        second,
        {
          id: later,
          elements: [{}, { price_components: [{ type: 'PARKING_TIME', price: 9, vat: 21, step_size: 1 }] }],
          tariff_alt_text: [{ language: 'en', text: /first 10 minutes/ }],
        },
        "an idle fee in the standard's words",
      );
      t.strictSame((await get(`${path}/${id.toUpperCase()}`)).json['data'], first);
      t.match(await get(`${path}?limit=1`), {
        headers: { link: `<http://chargeway.test${path}?limit=1&offset=1>; rel="next"` },
      });
      t.equal((await get(`${path}/${id}`, otherToken)).status, 404);
      t.match(await get(path, otherToken), {
        headers: { 'x-total-count': '0' },
        json: { data: { length: 0 } },
      });
      t.equal((await get(path, null)).status, 401);
      t.equal((await get(`${path}/${id}`, null)).status, 401);
      t.equal((await get(`${path}?limit=-1`)).json['status_code'], 2001 as never);
      t.match(await get(`${path}?limit=0`), {
        headers: { 'x-total-count': '2', 'x-limit': '0' },
        json: { status_code: 1000, data: { length: 0 } },
      });
      t.equal((await get(`${path}/nothing`)).status, 404);
    }
    t.strictSame((await get(standard)).json['data'], (await get(paths[0] ?? '')).json['data']);
    t.equal((await get(`${standard}/${id}`)).status, 404, 'the Sender interface has only the list');

    const change = { elements: [{ price_components: [{ type: 'ENERGY', price: 0.3, step_size: 1 }] }] };
    const changedAt = new Date(Date.now() + 1).toISOString();
    t.strictSame((await get(`${standard}?date_from=${changedAt}`)).json['data'], [] as never);
    await api.call(key, { method: 'PATCH', url: `/cpms/v1/tariffs/${id}`, payload: change });
    t.match((await get(`${standard}?date_from=${changedAt}`)).json['data'], [{ id, ...change }]);
    t.match((await get(`${standard}?date_to=${changedAt}`)).json['data'], [{ id: later }]);

    const endAssignments = async (tariffUuid: string) => {
      const list = await api.call(key, { url: `/cpms/v1/tariff-assignments?tariffUuid=${tariffUuid}` });
      for (const assignment of items(list.json['data'])) {
        const uuid = assignment['id'] as unknown as string;
        await api.call(key, { method: 'DELETE', url: `/cpms/v1/tariff-assignments/${uuid}` });
      }
    };
    await endAssignments(later);
    const goneAt = new Date(Date.now() + 1).toISOString();
    await endAssignments(id);
    t.equal((await assign(id)).status, 201);
    t.match(
      (await get(`${standard}?date_from=${goneAt}`)).json['data'],
      [{ id, end_date_time: fields.end_date_time }],
      'assigned again, it is new again',
    );
  },
);
