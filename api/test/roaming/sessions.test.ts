import t from 'tap';
import { startTestApi } from '#api/test/support/fixtures.ts';
import { testSettings } from '#api/test/support/deps.ts';
import { buildApp } from '#api/app.ts';
import { createLogger } from '#shared/log/log.ts';
import { addLocation, endSession, startSession } from '#api/test/support/records.ts';
import { updateLiveValues } from '#shared/postgres/charging/session-writes/live-values.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { startEmsp } from './support/emsp.ts';
import { invalidAt, ocpi, registerEmsp } from './support/partner.ts';
import { addRoamingCharger, cdrToken, startRoamingSession } from './support/roaming-session.ts';

const documented = (id: string, party = 'NL/CWY') => `/ocpi/cpo/2.2/sessions/${party}/${id}`;
const standard = (id: string) => `/ocpi/cpo/2.2.1/sessions/${id}`;
/** A text of an answer. */
const text = (value: unknown) => value as string;
/** Hours of the charging periods of a session or a CDR. */
const timeOf = (object: unknown) => {
  const { charging_periods: periods } = object as {
    charging_periods: { dimensions: { type: string; volume: number }[] }[];
  };
  const volumes = periods.flatMap(({ dimensions }) => dimensions.filter(({ type }) => type === 'TIME'));
  return volumes.reduce((sum, { volume }) => sum + volume, 0);
};
const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const lists = ['/ocpi/cpo/2.2/sessions', '/ocpi/cpo/2.2.1/sessions'];

void t.test('the sessions of a partner', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const tariff = await seedTariff(sql, api.network.id);
  const location = await addLocation(sql, api.network.id);
  const charger = await addRoamingCharger(api, api.network.id, location.id);
  const { id: partnerUuid, token } = await registerEmsp(api, await startEmsp(t));
  const party = { countryCode: 'FR', partyId: 'ABC' };
  const other = await registerEmsp(api, await startEmsp(t, party), { party });
  const ours = await startSession(sql, { chargerUuid: charger.uuid, connector: 2 });
  const session = await startRoamingSession(api, charger.uuid, partnerUuid, {
    authMethod: 'AUTH_REQUEST',
    authorizationReference: 'REF-1',
  });
  const [evse] = await sql<{ uid: string }[]>`
    select uid from evses where charger_id = ${charger.id} and number = 1`;
  const get = (url: string, as: string | null = token) => ocpi(api, as, { url });
  const slice = async (query: string) => {
    const { json, headers } = await get(`/ocpi/cpo/2.2.1/sessions?${query}`);
    return [headers['x-total-count'], (json['data'] as unknown as { id: string }[]).map(({ id }) => id)];
  };
  const live = (energyWh: number, powerW: number) =>
    updateLiveValues(sql, [
      {
        sessionUuid: session.uuid,
        energyWh,
        meter: { registers: {} },
        meterStartWh: null,
        powerW,
        peakPowerW: powerW,
        socPercent: null,
        isCharging: true,
        isChargingSince: new Date(),
        time: new Date(),
      },
    ]);

  await t.test('a running one has live values, in each surface the fields of its own', async (t) => {
    await live(5000, 11_000);
    const { json, status } = await get(standard(session.uuid));
    t.equal(status, 200);
    const {
      charging_periods: periods,
      last_updated: updated,
      start_date_time: start,
      ...rest
    } = json['data'] ?? {};
    t.strictSame(rest, {
      country_code: 'NL',
      party_id: 'CWY',
      id: session.uuid,
      kwh: 5,
      cdr_token: cdrToken,
      auth_method: 'AUTH_REQUEST',
      authorization_reference: 'REF-1',
      location_id: location.uuid,
      evse_uid: evse?.uid,
      connector_id: '1',
      currency: 'EUR',
      // 5 kWh at 0.40 and 1.00 once, 21 % VAT.
      total_cost: { excl_vat: 3, incl_vat: 3.63 },
      status: 'ACTIVE',
    });
    t.match(start, /Z$/);
    t.match(periods, [
      {
        start_date_time: start,
        dimensions: [{ type: 'ENERGY', volume: 5 }, { type: 'TIME' }],
        tariff_id: tariff.uuid,
      },
    ]);
    const shown = await get(documented(session.uuid));
    t.match(shown.json['data'], {
      ...rest,
      total_parking_time: 0,
      max_power: 11,
      current_power: 11,
      idle_fees: 0,
      is_in_idle_state: false,
    });
    t.ok(Number(shown.json['data']?.['total_time']) >= 1);
    t.equal(
      Number(shown.json['data']?.['total_time']),
      timeOf(shown.json['data']),
      'total_time is that of its periods',
    );

    await live(6000, 7000);
    const later = (await get(standard(session.uuid))).json['data'];
    t.match(later, { kwh: 6 });
    t.ok(text(later?.['last_updated']) > text(updated), 'last_updated moves with live values');
  });

  await t.test("lists the partner's own sessions, with totals", async (t) => {
    const list = await get('/ocpi/cpo/2.2/sessions?limit=1');
    t.match(list, {
      headers: { 'x-total-count': '1', 'x-limit': '1', link: undefined },
      json: { status_code: 1000, totalCount: 1, offset: 0, limit: 1, data: [{ id: session.uuid }] },
    });
    t.match(await get('/ocpi/cpo/2.2/sessions?limit=0'), {
      headers: { 'x-total-count': '1', 'x-limit': '0', link: undefined },
      json: { status_code: 1000, totalCount: 1, offset: 0, limit: 0, data: { length: 0 } },
    });
    t.match(await get('/ocpi/cpo/2.2.1/sessions?date_from=2019-01-28T12:00:00'), {
      headers: { 'x-total-count': '1' },
      json: { data: [{ id: session.uuid }], totalCount: undefined },
    });
    const { last_updated: updated } = (await get(standard(session.uuid))).json['data'] ?? {};
    for (const url of lists) {
      const shown = (query: string) => get(`${url}?${query}`).then(({ headers }) => headers['x-total-count']);
      t.equal(String(await shown(`date_from=${text(updated)}`)), '1', 'from is inclusive');
      t.equal(String(await shown(`date_to=${text(updated)}`)), '0', 'to is exclusive');
      t.strictSame((await get(url, other.token)).json['data'], [] as never);
      t.equal((await get(url, null)).status, 401);
      t.match(await get(`${url}?date_from=soon`), invalidAt(url));
    }
    for (const url of [documented(session.uuid), standard(session.uuid)]) {
      t.match(await get(url, other.token), { status: 404, json: { status_code: 2001 } });
      t.equal((await get(url, null)).status, 401);
    }
    for (const url of [documented(ours.uuid), standard(ours.uuid), documented('none'), standard('none')]) {
      t.equal((await get(url)).status, 404, url);
    }
    t.equal((await get(documented(session.uuid, 'NL/XXX'))).status, 404, 'of another party of ours');
  });

  await t.test('patches the reference and the meter, and repeats the values of the session', async (t) => {
    const patch = (payload: object, as: string | null = token) =>
      ocpi(api, as, { method: 'PATCH', url: documented(session.uuid), payload });
    const said = {
      authorizationReference: 'REF-2',
      meterId: 'METER-1',
      currency: 'EUR',
      status: 'ACTIVE',
      authMethod: 'AUTH_REQUEST',
      kWh: 6,
      lastUpdated: '2026-01-02T00:00:00Z',
    };
    t.match(await patch(said), {
      status: 200,
      json: { data: { authorization_reference: 'REF-2', meter_id: 'METER-1', kwh: 6 } },
    });
    const stale = { meterId: 'OLD', lastUpdated: '2026-01-01T00:00:00Z' };
    t.match((await patch(stale)).json['data'], { meter_id: 'METER-1' }, 'an older word changes nothing');
    t.match((await patch({ meterId: 'METER-2' })).json['data'], { meter_id: 'METER-2' });
    await patch({ meterId: 'METER-3', lastUpdated: '2099-01-01T00:00:00Z' });
    t.match(
      (await patch({ meterId: 'METER-4' })).json['data'],
      { meter_id: 'METER-4' },
      'a time ahead is of now',
    );
    for (const wrong of [
      { endDateTime: '2026-01-01T00:00:00Z' },
      { meterId: 'x'.repeat(256) },
      { authorizationReference: 7 },
      { lastUpdated: 'today' },
    ]) {
      t.match(await patch(wrong), { status: 400, json: { status_code: 2001 } }, JSON.stringify(wrong));
    }
    for (const field of ['kWh', 'authMethod', 'currency', 'status', 'lastUpdated']) {
      const json = { status_code: 2001, status_message: new RegExp(`\\b${field} must be`) };
      t.match(await patch({ [field]: null, meterId: 'METER-5' }), { status: 400, json }, field);
    }
    const withoutEnd = await patch({ endDateTime: null, meterId: null });
    t.match(withoutEnd.json['data'], { authorization_reference: 'REF-2', meter_id: undefined });
    t.match(await patch({ authorizationReference: null, meterId: 'METER-6' }), {
      status: 200,
      json: { data: { authorization_reference: undefined, meter_id: 'METER-6' } },
    });
    t.match((await get(standard(session.uuid))).json['data'], { kwh: 6, status: 'ACTIVE' });
    t.equal((await patch(said, other.token)).status, 404);
    t.equal((await patch(said, null)).status, 401);
  });

  await t.test('accepts charging preferences that the EVSE supports and can meet', async (t) => {
    const url = `${standard(session.uuid)}/charging_preferences`;
    const put = (payload: object, as = token) => ocpi(api, as, { method: 'PUT', url, payload });
    const wish = { profile_type: 'REGULAR', departure_time: soon(3), energy_need: 40 };
    t.match(await put(wish), { status: 404, json: { status_code: 2001 } }, 'the EVSE is not capable');
    await sql`
      update evses set capabilities = '{CHARGING_PREFERENCES_CAPABLE}' where charger_id = ${charger.id}`;
    t.match(await put(wish), { status: 200, json: { status_code: 1000, data: 'ACCEPTED' } });
    const [kept] = await sql`select charging_preferences as wish from sessions where uuid = ${session.uuid}`;
    t.strictSame(kept?.['wish'], wish);
    const answer = async (payload: object) => (await put(payload)).json['data'];
    t.equal(await answer({ profile_type: 'FAST' }), 'PROFILE_TYPE_NOT_SUPPORTED');
    t.equal(await answer({ ...wish, energy_need: 90 }), 'NOT_POSSIBLE', '22 kW for three hours');
    t.equal(await answer({ ...wish, departure_time: soon(-1) }), 'NOT_POSSIBLE');
    const rate = (columns: object) =>
      sql`update connectors set ${sql(columns)} where charger_id = ${charger.id}`;
    await rate({ max_power_w: null, max_voltage: 230, max_amperage: 32, power_type: 'AC_3_PHASE' });
    t.equal(await answer(wish), 'ACCEPTED', 'three phases with 32 A for three hours');
    await rate({ power_type: 'AC_1_PHASE' });
    t.equal(await answer(wish), 'NOT_POSSIBLE', 'one phase with 32 A');
    t.equal(await answer({ ...wish, energy_need: 20 }), 'ACCEPTED');
    await rate({ max_power_w: 3700 });
    t.equal(await answer({ ...wish, energy_need: 20 }), 'NOT_POSSIBLE', 'the stated power is lower');
    await rate({ max_power_w: null, max_voltage: null, max_amperage: null, power_type: null });
    t.equal(await answer(wish), 'ACCEPTED', 'nothing is known');
    t.match(await put({ profile_type: 'SLOW' }), invalidAt(url));
    t.match(await put(wish, other.token), { status: 404, json: { status_code: 2001 } });
  });

  await t.test('a completed one has its end and its final cost', async (t) => {
    await endSession(sql, session, 10_000);
    t.match((await get(standard(session.uuid))).json['data'], {
      status: 'COMPLETED',
      end_date_time: String,
      kwh: 10,
      total_cost: { excl_vat: 5, incl_vat: 6.05 },
      charging_periods: [
        { dimensions: [{ volume: 10 }, { type: 'TIME', volume: 1 }], tariff_id: tariff.uuid },
      ],
    });
    const put = {
      method: 'PUT',
      url: `${standard(session.uuid)}/charging_preferences`,
      payload: { profile_type: 'REGULAR' },
    } as const;
    t.equal((await ocpi(api, token, put)).json['data'], 'NOT_POSSIBLE');
  });

  await t.test('a slice of a list has the sessions of its place, oldest first', async (t) => {
    const next = await startRoamingSession(api, charger.uuid, partnerUuid);
    t.strictSame(await slice('limit=1'), ['2', [session.uuid]]);
    t.strictSame(await slice('limit=1&offset=1'), ['2', [next.uuid]]);
    t.strictSame(await slice('limit=500'), ['2', [session.uuid, next.uuid]]);
    t.strictSame(await slice('offset=2'), ['2', []]);
  });

  await t.test('answers 404 for the standard paths when they are switched off', async (t) => {
    const log = createLogger('test', 'silent');
    const settings = { ...testSettings, ocpiStrict: false };
    const app = await buildApp({ ...api.deps, settings, log });
    t.teardown(() => app.close());
    const headers = { authorization: `Token ${token}` };
    const status = async (url: string) => (await app.inject({ url, headers })).statusCode;
    for (const url of [standard(session.uuid), '/ocpi/cpo/2.2.1/sessions', '/ocpi/cpo/2.2.1/cdrs']) {
      t.equal(await status(url), 404, url);
    }
    t.equal(await status(documented(session.uuid)), 200);
  });
});
