import t from 'tap';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { startEmsp } from '#api/test/roaming/support/emsp.ts';
import { ocpi, registerEmsp } from '#api/test/roaming/support/partner.ts';
import { addRoamingCharger, startRoamingSession } from '#api/test/roaming/support/roaming-session.ts';
import { Cdr } from '#api/test/roaming/support/standard/charged.ts';
import { misfits } from '#api/test/roaming/support/standard/shape.ts';
import { billingScene } from '#api/test/support/billing.ts';
import { items, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { readPdf } from '#api/test/support/pdf-text.ts';
import { addLocation, endSession } from '#api/test/support/records.ts';
import { storeSigned } from '#api/test/support/signed-values.ts';
import { readMeterKey } from '#shared/domain/charging/meter-key.ts';
import { createLogger } from '#shared/log/log.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { registerMeterKey } from '#shared/postgres/fleet/meter-keys.statements.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { signingMeter } from '#shared/simulator/signing-meter.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A meter whose key is registered for a charger. */
async function registeredMeter(sql: Sql, chargerUuid: string) {
  const meter = signingMeter();
  const [charger] = await sql<{ id: number }[]>`select id from chargers where uuid = ${chargerUuid}`;
  const key = readMeterKey(meter.publicKey);
  if (charger === undefined || key === null) throw new Error('no charger or no key');
  await registerMeterKey(sql, charger.id, null, key);
  return { ...meter, registered: key.publicKey };
}

void t.test('the signed meter values of a session', async (t) => {
  const { api, charge, keys, chargerUuid } = await billingScene(t);
  const { sql } = api.stores;
  const operator = await mintKey(api);
  const meter = await registeredMeter(sql, chargerUuid);
  const uuid = await charge();
  const time = new Date(Date.now() - 2.5 * 3_600_000);
  const record = meter.record({ code: 'B', wh: 1000, time });
  await storeSigned(sql, uuid, record, { nature: 'START', claimedKey: meter.publicKey });
  await storeSigned(sql, uuid, meter.record({ code: 'E', wh: 21_000, time }));
  const ofDriver = `/emsp/v1/charging/sessions/${uuid}/signed-meter-values`;
  const receiptOf = async (session: string, language: string) => {
    const url = `/cpms/v1/sessions/${session}/receipt?language=${language}`;
    const { rawPayload } = await api.app.inject({ url, headers: { 'x-api-key': operator } });
    return (await readPdf(rawPayload)).text.replaceAll(/\s+/g, ' ');
  };
  const ofOperator = `/cpms/v1/sessions/${uuid}/signed-meter-values`;

  await t.test('are shown by their state', async (t) => {
    const expected = { status: 200, json: { data: { signatureState: 'VERIFIED', signedEnergyKwh: 20 } } };
    t.match(await api.call(operator, { url: `/cpms/v1/sessions/${uuid}` }), expected);
    const driver = await api.call(keys.driver, { url: `/emsp/v1/charging/sessions/${uuid}` });
    t.match(driver.text, /"signatureState":"VERIFIED","signedEnergyKwh":20/);
    const without = await charge({ hoursAgo: 9 });
    t.match(await api.call(operator, { url: `/cpms/v1/sessions/${without}` }), {
      json: { data: { signatureState: 'NONE', signedEnergyKwh: null } },
    });
  });

  await t.test('are downloaded for the transparency software with the key that verified them', async (t) => {
    const answer = await api.call(keys.driver, { url: ofDriver });
    t.match(answer, {
      status: 200,
      headers: {
        'content-type': /^application\/xml/,
        'content-disposition': `attachment; filename="signed-meter-values-${uuid}.xml"`,
      },
    });
    t.match(answer.text, /<value transactionId="\d+" context="Transaction.Begin">/);
    t.match(answer.text, /<value transactionId="\d+" context="Transaction.End">/);
    t.ok(answer.text.includes(`<signedData format="OCMF" encoding="plain">${record}</signedData>`));
    t.equal(answer.text.split(`<publicKey encoding="hex">${meter.registered}</publicKey>`).length, 3);
    t.equal((await api.call(operator, { url: ofOperator })).text, answer.text);
    t.equal((await api.call(keys.operator, { url: ofDriver })).text, answer.text);
  });

  await t.test('are downloaded without a key that was only claimed', async (t) => {
    const forged = await charge({ hoursAgo: 12 });
    const other = signingMeter();
    const data = other.record({ code: 'E', wh: 9 }).replace('chargeway simulator', 'a < b & c');
    await storeSigned(sql, forged, data, { claimedKey: other.publicKey });
    const { text } = await api.call(operator, { url: `/cpms/v1/sessions/${forged}/signed-meter-values` });
    t.match(text, /a &lt; b &amp; c/);
    t.notMatch(text, /publicKey/);
  });

  await t.test('are seen by their driver and the operators of the network only', async (t) => {
    const refused = async (url: string, by: string | null, status: number) =>
      t.equal((await api.call(by, { url })).status, status);
    await refused(ofDriver, keys.otherDriver, 404);
    await refused(ofDriver, keys.elsewhere, 404);
    await refused(ofDriver, null, 401);
    await refused(ofOperator, await mintKey(api, { networkIds: [api.otherNetwork.id] }), 404);
    await refused(ofOperator, keys.driver, 403);
    await refused(ofOperator, null, 401);
    const without = await charge({ hoursAgo: 15 });
    t.match(await api.call(operator, { url: `/cpms/v1/sessions/${without}/signed-meter-values` }), {
      status: 404,
      json: { error: { code: 'SIGNED_VALUES_NOT_FOUND' } },
    });
  });

  await t.test('are stated on the receipt', async (t) => {
    t.match(await receiptOf(uuid, 'en'), /The meter values are signed, and the signatures were verified/);
    t.match(await receiptOf(uuid, 'de'), /Die Messwerte sind signiert, und die Signaturen wurden geprüft/);
    t.notMatch(await receiptOf(await charge({ hoursAgo: 18 }), 'en'), /signed/);
    const other = await charge({ hoursAgo: 21 });
    const at = new Date(Date.now() - 20.5 * 3_600_000);
    const both = meter.record({ code: 'B', wh: 1000, time: at }, { code: 'E', wh: 19_000, time: at });
    await storeSigned(sql, other, both);
    t.match(await receiptOf(other, 'en'), /verified. The billed energy differs from the signed energy/);
  });
});

void t.test('a CDR has the signed meter values in the form of OCPI', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  await seedTariff(sql, api.network.id);
  const location = await addLocation(sql, api.network.id);
  const charger = await addRoamingCharger(api, api.network.id, location.id);
  const { id: partnerUuid, token } = await registerEmsp(api, await startEmsp(t));
  const meter = await registeredMeter(sql, charger.uuid);
  const session = await startRoamingSession(api, charger.uuid, partnerUuid);
  const records = [meter.record({ code: 'B', wh: 1000 }), meter.record({ code: 'E', wh: 6000 })] as const;
  await storeSigned(sql, session.uuid, records[0], { nature: 'START' });
  await storeSigned(sql, session.uuid, records[1]);
  await endSession(sql, session, 5000);
  await makeDueCdrs({ ...api.deps, log: createLogger('test', 'silent') });
  const [cdr] = items((await ocpi(api, token, { url: '/ocpi/cpo/2.2.1/cdrs' })).json['data']);
  t.strictSame(cdr?.['signed_data'], {
    encoding_method: 'OCMF',
    public_key: meter.registered,
    signed_values: [
      { nature: 'Start', plain_data: records[0].split('|')[1], signed_data: base64(records[0]) },
      { nature: 'End', plain_data: records[1].split('|')[1], signed_data: base64(records[1]) },
    ],
  });
  t.match(cdr, { remark: 'Local. Signed meter values: verified.' });
  t.same(misfits(cdr, Cdr), []);
});

void t.test('states the state in the remark of a CDR, whose values are not invalid', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  await seedTariff(sql, api.network.id);
  const location = await addLocation(sql, api.network.id);
  const charger = await addRoamingCharger(api, api.network.id, location.id);
  const partner = await registerEmsp(api, await startEmsp(t));
  const meter = await registeredMeter(sql, charger.uuid);
  const session = await startRoamingSession(api, charger.uuid, partner.id);
  const forged = signingMeter().record({ code: 'C', wh: 3000 });
  await storeSigned(sql, session.uuid, meter.record({ code: 'B', wh: 1000 }), { nature: 'START' });
  await storeSigned(sql, session.uuid, forged, { nature: 'INTERMEDIATE' });
  await storeSigned(sql, session.uuid, meter.record({ code: 'E', wh: 6000 }));
  await endSession(sql, session, 5000);
  await makeDueCdrs({ ...api.deps, log: createLogger('test', 'silent') });
  const expected = { remark: 'Local. Signed meter values: verified in part.' };
  for (const version of ['2.1.1', '2.2', '2.2.1', '2.3.0']) {
    const { json } = await ocpi(api, partner.token, { url: `/ocpi/cpo/${version}/cdrs` });
    t.match(json['data'], [expected], version);
  }
  const [cdr] = items((await ocpi(api, partner.token, { url: '/ocpi/cpo/2.2.1/cdrs' })).json['data']);
  const sent = cdr?.['signed_data'] as unknown as { signed_values: { nature: string }[]; public_key: string };
  t.strictSame(
    sent.signed_values.map(({ nature }) => nature),
    ['Start', 'End'],
  );
  t.equal(sent.public_key, meter.registered);
});
