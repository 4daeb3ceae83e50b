import t from 'tap';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { items, type Json, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { endSession } from '#api/test/support/records.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { startEmsp } from './support/emsp.ts';
import { patchPartner } from './support/hub.ts';
import { credentialsOf, ocpi, registerEmsp } from './support/partner.ts';
import { addPlace, uidOf } from './support/places.ts';
import { inNetwork } from './support/pushing.ts';
import { startRoamingSession } from './support/roaming-session.ts';

const shared = await startTestApi(t);

async function startPartner(t: Parameters<typeof startEmsp>[0]) {
  const api = await inNetwork(shared);
  const emsp = await startEmsp(t);
  emsp.versions = ['2.2', '2.2.1', '2.3.0'];
  const { id, token } = await registerEmsp(api, emsp, { version: '2.3.0' });
  const data = async (version: string, path: string) =>
    (await ocpi(api, token, { url: `/ocpi/cpo/${version}/${path}` })).json['data'];
  return { api, sql: api.stores.sql, emsp, id, token, data };
}

function tokenOf(uid: string, type: string) {
  return {
    country_code: 'DE',
    party_id: 'EMS',
    uid,
    type,
    contract_id: uid,
    issuer: 'eMSP',
    valid: true,
    whitelist: 'NEVER',
    last_updated: '2026-01-01T00:00:00.000Z',
  };
}

for (const [form, uid] of [
  ['in the form of an EMAID', 'DEEMSC123456789'],
  ['in another form', 'DRIVER-1'],
] as const) {
  void t.test(`returns the type of an EMAID whose uid is ${form}`, async (t) => {
    const { api, sql, id, token, data } = await startPartner(t);
    const emaid = tokenOf(uid, 'EMAID');
    const put = (payload: object) =>
      ocpi(api, token, { method: 'PUT', url: `/ocpi/cpo/2.3.0/tokens/DE/EMS/${uid}`, payload });
    t.match(await put(emaid), { json: { status_code: 1000 } });
    t.strictSame(await data('2.3.0', `tokens/DE/EMS/${uid}`), emaid);
    t.strictSame(await data('2.3.0', `tokens/DE/EMS/${uid}?type=EMAID`), emaid);
    t.strictSame(await data('2.2.1', `tokens/DE/EMS/${uid}?type=OTHER`), { ...emaid, type: 'OTHER' });
    t.strictSame(await data('2.2', `tokens/DE/EMS/${uid}`), { ...emaid, type: 'OTHER' });

    const patch = { valid: false, type: 'EMAID', last_updated: '2026-01-02T00:00:00.000Z' };
    await ocpi(api, token, {
      method: 'PATCH',
      url: `/ocpi/cpo/2.3.0/tokens/DE/EMS/${uid}?type=EMAID`,
      payload: patch,
    });
    t.strictSame(await data('2.3.0', `tokens/DE/EMS/${uid}`), { ...emaid, ...patch });

    const other = tokenOf(uid, 'OTHER');
    t.match(await put(other), { json: { status_code: 1000 } });
    t.strictSame(await data('2.3.0', `tokens/DE/EMS/${uid}?type=OTHER`), other, 'a token of its own');
    t.strictSame(await data('2.3.0', `tokens/DE/EMS/${uid}?type=EMAID`), { ...emaid, ...patch });

    const { charger } = await addPlace(api);
    await seedTariff(sql, api.network.id);
    const session = await startRoamingSession(api, charger.uuid, id);
    await sql`
      update sessions set ocpi_token = ocpi_token || jsonb_build_object('uid', ${uid}::text, 'type', 'EMAID')
      where uuid = ${session.uuid}`;
    await endSession(sql, session, 10_000);
    await makeDueCdrs({ ...api.deps, log: createLogger('test', 'silent') });
    for (const [version, type] of [
      ['2.2', 'OTHER'],
      ['2.2.1', 'OTHER'],
      ['2.3.0', 'EMAID'],
    ] as const) {
      t.match(await data(version, 'sessions'), [{ cdr_token: { uid, type } }]);
      t.match(await data(version, 'cdrs'), [{ cdr_token: { uid, type } }]);
    }
  });
}

void t.test('separates the taxes of a CDR from its amounts', async (t) => {
  const { api, sql, id, data } = await startPartner(t);
  const { charger } = await addPlace(api);
  await sql`update connectors set standard = 'MCS', power_type = 'DC' where charger_id = ${charger.id}`;
  await seedTariff(sql, api.network.id, [
    { price_components: [{ type: 'ENERGY', price: '0.3000', vat: '21', step_size: 1 }] },
  ]);
  const session = await startRoamingSession(api, charger.uuid, id);
  await endSession(sql, session, 10_000);
  const make = () => makeDueCdrs({ ...api.deps, log: createLogger('test', 'silent') });
  await make();
  const price = { before_taxes: 3, taxes: [{ name: 'VAT', amount: 0.63 }] };
  const tariffs = [{ tax_included: 'NO' }];
  t.match(await data('2.2.1', 'cdrs'), [
    {
      total_cost: { excl_vat: 3, incl_vat: 3.63 },
      cdr_location: { connector_standard: 'IEC_62196_T2_COMBO', connector_standard_230: undefined },
    },
  ]);
  t.match(await data('2.3.0', 'cdrs'), [{ cdr_location: { connector_standard: 'MCS' } }]);
  t.match(await data('2.3.0', 'cdrs'), [{ total_cost: price, total_energy_cost: price, tariffs }]);
  t.match(await data('2.3.0', 'sessions'), [{ total_cost: price }]);

  const key = await mintKey(api);
  const payload = { cost: { exclVat: 2, inclVat: 2 }, reason: 'The meter was wrong.' };
  await api.call(key, { method: 'POST', url: `/cpms/v1/sessions/${session.uuid}/amend`, payload });
  await make();
  const credit = { before_taxes: -3, taxes: [{ name: 'VAT', amount: -0.63 }] };
  t.match(await data('2.3.0', 'cdrs'), [
    { total_cost: price },
    { total_cost: credit, credit: true },
    { total_cost: { before_taxes: 2, taxes: undefined } },
  ]);
});

void t.test('shows connectors that only 2.3.0 has, and the telephone number', async (t) => {
  const { api, sql, data } = await startPartner(t);
  await sql`update networks set support_phone = '+31 10 123 4567' where id = ${api.network.id}`;
  const { location, charger } = await addPlace(api, { evses: 3 });
  await sql`update connectors set standard = 'NACS' where charger_id = ${charger.id} and number = 2`;
  await sql`update connectors set standard = 'MCS' where charger_id = ${charger.id} and number = 3`;
  const uids = await Promise.all([1, 2, 3].map((number) => uidOf(sql, charger.id, number)));
  t.match(await data('2.3.0', `locations/${location.uuid}`), {
    help_phone: '+31 10 123 4567',
    evses: ['IEC_62196_T2', 'SAE_J3400', 'MCS'].map((standard, index) => ({
      uid: uids[index],
      connectors: [{ standard }],
    })),
  });
  for (const [phone, shown] of [
    ['+31 (0)10 - 123 45 67 89 01', '+3101012345678901'],
    ['0123456789 0123456789 0123456789', undefined],
    ['+31 10 123 4567 or the chat', undefined],
  ] as const) {
    await sql`update networks set support_phone = ${phone} where id = ${api.network.id}`;
    const { help_phone: sent } = (await data('2.3.0', `locations/${location.uuid}`)) ?? {};
    t.equal(sent, shown as never, phone);
  }
  const { evses } = (await data('2.2.1', `locations/${location.uuid}`)) as unknown as { evses: object[] };
  t.match(evses, [{ uid: uids[0] }]);
  t.equal(evses.length, 1, '2.2.1 has no such connectors');
});

void t.test('names the eMSPs of the network to marked national access points only', async (t) => {
  const { api, sql, emsp, id, token } = await startPartner(t);
  let shown = token;
  const data = async (path: string) =>
    (await ocpi(api, shown, { url: `/ocpi/cpo/2.3.0/${path}` })).json['data'];
  const { location, charger } = await addPlace(api);
  const uid = await uidOf(sql, charger.id);
  const sent = async () => {
    const read = [
      items(((await data('locations')) as unknown as Json[])[0]?.['evses'])[0],
      items((await data(`locations/${location.uuid}`))?.['evses'])[0],
      await data(`locations/${location.uuid}/${uid}`),
    ];
    return read.map((evse) => evse?.['accepted_service_providers'] as unknown);
  };
  t.strictSame(await sent(), [undefined, undefined, undefined]);
  t.notMatch(await ocpi(api, token, { url: '/ocpi/cpo/2.3.0/locations' }), { text: /Example eMSP/ });

  const party = { countryCode: 'FR', partyId: 'SUD' };
  await registerEmsp(api, await startEmsp(t), { party });
  const { roles, ...credentials } = credentialsOf(emsp);
  const renamed = await ocpi(api, token, {
    method: 'PUT',
    url: '/ocpi/2.3.0/credentials',
    payload: { ...credentials, roles: roles.map((role) => ({ ...role, role: 'NAP' })) },
  });
  shown = renamed.json['data']?.['token'] as unknown as string;
  t.strictSame(await sent(), [undefined, undefined, undefined], 'its own statement is no mark');

  const marked = await patchPartner(api, id, { isNationalAccessPoint: true });
  t.match(marked, { status: 200, json: { data: { isNationalAccessPoint: true } } });
  const names = ['Example eMSP'];
  t.strictSame(await sent(), [names, names, names]);
  t.match(await patchPartner(api, id, { isNationalAccessPoint: false }), { status: 200 });
  t.strictSame(await sent(), [undefined, undefined, undefined]);
});
