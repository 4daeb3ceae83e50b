import t from 'tap';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { addLocation, endSession, startSession } from '#api/test/support/records.ts';
import { createLogger } from '#shared/log/log.ts';
import type { PriceReadings } from '#shared/pricing/price-state.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { addRoamingCharger, cdrToken, startRoamingSession } from './support/roaming-session.ts';

const lists = ['/ocpi/cpo/2.2/cdrs', '/ocpi/cpo/2.2.1/cdrs'];
const documented = (id: string, party = 'NL/CWY') => `/ocpi/cpo/2.2/cdrs/${party}/${id}`;
const standard = (id: string) => `/ocpi/cpo/2.2.1/cdrs/${id}`;

interface Cdr {
  id: string;
  session_id: string;
  last_updated: string;
  total_cost: object;
}

void t.test('the CDRs of a partner', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const location = await addLocation(sql, api.network.id);
  const charger = await addRoamingCharger(api, api.network.id, location.id);
  const { id: partnerUuid, token } = await registerEmsp(api, await startEmsp(t));
  const party = { countryCode: 'FR', partyId: 'ABC' };
  const other = await registerEmsp(api, await startEmsp(t, party), { party });
  const get = (url: string, as: string | null = token) => ocpi(api, as, { url });
  const cdrs = async () => (await get('/ocpi/cpo/2.2.1/cdrs')).json['data'] as unknown as Cdr[];
  const make = () => makeDueCdrs({ ...api.deps, log: createLogger('test', 'silent') });
  const key = await mintKey(api);
  const amend = (id: string, payload: object) =>
    api.call(key, {
      method: 'POST',
      url: `/cpms/v1/sessions/${id}/amend`,
      payload: { ...payload, reason: 'The meter was wrong.' },
    });

  await t.test('makes no CDR without a price, and sends it once there is one', async (t) => {
    const session = await startRoamingSession(api, charger.uuid, partnerUuid);
    await endSession(sql, session, 5000);
    await make();
    t.strictSame(await cdrs(), []);
    t.equal(
      (await amend(session.uuid, { cost: { exclVat: 2, inclVat: 2.42 }, confirmAbovePlausible: true }))
        .status,
      200,
    );
    await make();
    t.match(await cdrs(), [{ session_id: session.uuid, total_cost: { excl_vat: 2, incl_vat: 2.42 } }]);
  });

  const tariff = await seedTariff(sql, api.network.id);
  const session = await startRoamingSession(api, charger.uuid, partnerUuid, {
    authMethod: 'COMMAND',
    authorizationReference: 'REF-1',
  });
  await endSession(sql, await startSession(sql, { chargerUuid: charger.uuid, connector: 2 }), 3000);

  await t.test('makes one CDR per session in several processes', async (t) => {
    await make();
    t.equal((await cdrs()).length, 1, 'none of one that runs');
    await endSession(sql, session, 10_000);
    const late = (readings: PriceReadings, flags: string[]) => sql`
      update sessions set price_readings = ${readings}, flags = ${flags} where uuid = ${session.uuid}`;
    await late('LATE', ['readings-late']);
    // Its readings are not read, so it stays unchanged even if its price is stored before the rest is made.
    await sql.begin(async (transaction) => {
      await transaction`select from sessions where uuid = ${session.uuid} for update`;
      await make();
    });
    t.equal(
      (await cdrs()).length,
      1,
      'no CDR of a session to price again: its periods would come from other readings',
    );
    await late('COMPLETE', []);
    await Promise.all([make(), make(), make()]);
    await make();
    const [, cdr, ...more] = await cdrs();
    t.strictSame(more, []);
    const [evse] = await sql<{ uid: string; evse_id: string }[]>`
      select uid, evse_id from evses where charger_id = ${charger.id} and number = 1`;
    const {
      id,
      last_updated: updated,
      start_date_time: start,
      end_date_time: end,
      ...rest
    } = cdr as unknown as Cdr & {
      start_date_time: string;
      end_date_time: string;
    };
    t.match(id, /^[0-9a-f-]{36}$/);
    t.match(updated, /Z$/);
    t.equal(Date.parse(end) - Date.parse(start), 3_600_000);
    t.strictSame(rest, {
      country_code: 'NL',
      party_id: 'CWY',
      session_id: session.uuid,
      cdr_token: cdrToken,
      auth_method: 'COMMAND',
      authorization_reference: 'REF-1',
      cdr_location: {
        id: location.uuid,
        name: 'Harbour',
        address: 'Quay 1',
        city: 'Rotterdam',
        country: 'NLD',
        coordinates: { latitude: '51.900000', longitude: '4.500000' },
        evse_uid: evse?.uid,
        evse_id: evse?.evse_id,
        connector_id: '1',
        connector_standard: 'IEC_62196_T2',
        connector_format: 'SOCKET',
        connector_power_type: 'AC_3_PHASE',
      },
      currency: 'EUR',
      tariffs: [
        {
          country_code: 'NL',
          party_id: 'CWY',
          id: tariff.uuid,
          currency: 'EUR',
          elements: [
            {
              price_components: [
                { type: 'ENERGY', price: 0.4, vat: 21, step_size: 1 },
                { type: 'FLAT', price: 1, vat: 21, step_size: 1 },
              ],
            },
          ],
          last_updated: start,
        },
      ],
      charging_periods: [
        {
          start_date_time: start,
          dimensions: [
            { type: 'ENERGY', volume: 10 },
            { type: 'TIME', volume: 1 },
          ],
          tariff_id: tariff.uuid,
        },
      ],
      total_cost: { excl_vat: 5, incl_vat: 6.05 },
      total_fixed_cost: { excl_vat: 1, incl_vat: 1.21 },
      total_energy: 10,
      total_energy_cost: { excl_vat: 4, incl_vat: 4.84 },
      total_time: 1,
      total_parking_time: 0,
      remark: 'Local',
    });
    for (const url of [standard(id), documented(id), documented(id.toUpperCase(), 'nl/cwy')]) {
      t.strictSame((await get(url)).json['data'], cdr, url);
    }
  });

  await t.test('credits a corrected session and sends it again', async (t) => {
    const [, first] = await cdrs();
    await sql`update locations set name = 'Renamed' where id = ${location.id}`;
    t.equal((await amend(session.uuid, { energyKwh: 5 })).status, 200);
    await Promise.all([make(), make()]);
    const [, same, credit, second, ...more] = await cdrs();
    t.strictSame(more, []);
    t.strictSame(same, first, 'the sent CDR stays');
    t.match(credit, { ...first, ...negated(first), id: `${first?.id}-C`, last_updated: String });
    t.match(credit, { credit: true, credit_reference_id: first?.id });
    t.match(second, {
      total_cost: { excl_vat: 3, incl_vat: 3.63 },
      total_energy: 5,
      cdr_location: { name: 'Harbour' },
      credit: undefined,
      credit_reference_id: undefined,
    });
    t.not(second?.id, first?.id);
    t.match((await get(standard(`${first?.id}-C`))).json['data'], { credit: true });
    const [sum] = await sql`
      select sum(total_incl_vat_minor)::integer as minor from cdrs where session_id =
        (select id from sessions where uuid = ${session.uuid})`;
    t.equal(sum?.['minor'], 363);
  });

  await t.test('they are never changed', async (t) => {
    await t.rejects(sql`update cdrs set document = '{}'`, { message: /never changed/ });
    await t.rejects(sql`delete from cdrs`, { message: /never changed/ });
    await t.rejects(sql`truncate cdrs cascade`, { message: /never changed/ });
  });

  await t.test("lists pages of the partner's own CDRs", async (t) => {
    const [first] = await cdrs();
    for (const url of lists) {
      t.match(await get(`${url}?limit=1&offset=1`), {
        headers: { 'x-total-count': '4', 'x-limit': '1', link: /limit=1&offset=2>; rel="next"$/ },
        json: { data: [{ session_id: session.uuid }] },
      });
      t.match(await get(`${url}?limit=0`), {
        headers: { 'x-total-count': '4', 'x-limit': '0', link: undefined },
        json: { status_code: 1000, data: { length: 0 } },
      });
      t.match(await get(`${url}?date_to=${first?.last_updated}`), { headers: { 'x-total-count': '0' } });
      t.match(await get(`${url}?date_from=${first?.last_updated}`), { headers: { 'x-total-count': '4' } });
      t.match(await get(url, other.token), {
        headers: { 'x-total-count': '0' },
        json: { data: { length: 0 } },
      });
      t.equal((await get(url, null)).status, 401);
    }
    const { id } = first as Cdr;
    for (const url of [standard(id), documented(id)]) {
      t.match(await get(url, other.token), { status: 404, json: { status_code: 2000 } });
    }
    t.equal((await get(documented(id, 'NL/XXX'))).status, 404);
    t.equal((await get(standard('unknown'))).status, 404);
  });

  await t.test('sends an unknown location for a charger without one', async (t) => {
    const nowhere = await addRoamingCharger(api, api.network.id, null);
    const lost = await startRoamingSession(api, nowhere.uuid, partnerUuid);
    await endSession(sql, lost, 1000);
    await make();
    t.match((await cdrs()).at(-1), {
      session_id: lost.uuid,
      cdr_location: { id: nowhere.uuid, address: 'Unknown', country: 'XXX' },
    });
  });
});

/** The total of a credit. */
function negated(cdr: Cdr | undefined) {
  const { excl_vat: exclVat, incl_vat: inclVat } = (cdr?.total_cost ?? {}) as Record<string, number>;
  return { total_cost: { excl_vat: -(exclVat ?? 0), incl_vat: -(inclVat ?? 0) } };
}
