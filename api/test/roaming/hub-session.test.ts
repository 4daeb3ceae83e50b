import t, { type Test } from 'tap';
import { buildApp } from '#api/app.ts';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { callApp, items } from '#api/test/support/fixtures.ts';
import { addLocation } from '#api/test/support/records.ts';
import { startRig } from '#gateway/test/support/rig.ts';
import { minute, scripted16 } from '#gateway/test/support/scripted16.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { startAuthorizer } from './support/authorizers.ts';
import { enveloped } from './support/emsp.ts';
import {
  cardOf,
  french,
  from,
  italian,
  patchPartner,
  putCard,
  registerHub,
  reportClient,
  to,
} from './support/hub.ts';
import { makePartner, ocpi } from './support/partner.ts';
import { startPusher } from './support/pushing.ts';
import { until } from '#shared/testing/until.ts';

const log = createLogger('test', 'silent');
const authorize = (uid: string) => `/ocpi/emsp/2.2.1/tokens/${uid}/authorize`;

/** A gateway with a charger that has a price, and an API with a hub. */
async function startScene(t: Test) {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const { deps } = await startAuthorizer(t, rig.stores);
  const app = await buildApp({ ...deps, log });
  t.teardown(() => app.close());
  const call = (key: string | null, request: Parameters<typeof callApp>[2]) => callApp(app, key, request);
  const api = { stores: rig.stores, network: rig.network, call };
  await seedTariff(sql, rig.network.id);
  const { charger, client } = await rig.connect('ocpp1.6');
  const location = await addLocation(sql, rig.network.id);
  await sql`update chargers set location_id = ${location.id} where id = ${charger.id}`;
  startPusher(t, { deps });
  const status = async (idTag: string) =>
    ((await client.call('Authorize', { idTag })) as { idTagInfo: { status: string } }).idTagInfo.status;
  /** Charges with a card for half an hour that ended now. */
  const charge = async (uid: string, wh: number) => {
    const tale = scripted16(client, Date.now() - 30 * minute);
    const transactionId = await tale.start(uid, 1, 0);
    await tale.stop(transactionId, 29, wh);
    // A look finds nothing while another process gives the event its position.
    await until('the CDR', async () => {
      await makeDueCdrs({ ...deps, log });
      const ofSession = await sql`
        select from cdrs d join sessions s on s.id = d.session_id where s.ocpp_transaction_id = ${String(transactionId)}`;
      return ofSession.length > 0;
    });
  };
  return { api, deps, status, charge, ...(await registerHub(t, api)) };
}

void t.test('a roaming session through a hub, from the token to the CDR', async (t) => {
  const { api, status, charge, token, hub } = await startScene(t);
  t.match(await putCard(api, token, cardOf(french, 'CARD-1', 'NEVER'), from(french)), {
    json: { status_code: 1000 },
  });
  const reference = { allowed: 'ALLOWED', authorization_reference: 'REF-1' };
  hub.react(authorize('CARD-1'), { body: enveloped(reference) });
  t.equal(await status('CARD-1'), 'Accepted');
  t.match(await hub.next('POST', authorize('CARD-1')), to(french));

  await charge('CARD-1', 10_000);
  t.match(await hub.next('PUT', '/ocpi/emsp/2.2.1/sessions'), { ...to(french), body: { cdr_token: french } });
  const cdr = await hub.next('POST', '/ocpi/emsp/2.2.1/cdrs');
  t.match(cdr, {
    ...to(french),
    body: { cdr_token: { ...french, uid: 'CARD-1' }, authorization_reference: 'REF-1', total_energy: 10 },
  });
  const cdrs = async (party: typeof french) => {
    const { json } = await ocpi(api, token, { url: '/ocpi/cpo/2.2.1/cdrs', headers: from(party) });
    return items(json['data']);
  };
  t.match(await cdrs(french), [cdr.body]);
  t.strictSame(await cdrs(italian), []);
});

void t.test('finds the party of an unknown card through a hub', async (t) => {
  const { api, status, charge, id, hub } = await startScene(t);
  t.match(await patchPartner(api, id, { authorizationOrder: 1 }), { status: 200 });
  hub.react(authorize('NEW-1'), {
    body: enveloped({ allowed: 'ALLOWED', token: cardOf(italian, 'NEW-1') }),
  });
  t.equal(await status('NEW-1'), 'Accepted');
  const { headers } = await hub.next('POST', authorize('NEW-1'));
  t.match(headers, { 'ocpi-from-party-id': 'CWY', 'ocpi-to-party-id': undefined }, 'openly routed');
  await charge('NEW-1', 5000);
  t.match(await hub.next('POST', '/ocpi/emsp/2.2.1/cdrs'), to(italian));

  const ours = { country_code: 'NL', party_id: 'CWY' };
  hub.react(authorize('NEW-2'), { body: enveloped({ allowed: 'ALLOWED', token: cardOf(ours, 'NEW-2') }) });
  t.equal(await status('NEW-2'), 'Invalid', 'a party that the hub does not speak for');
});

void t.test('authorizes cards by the connection of their party to the hub', async (t) => {
  const { api, status, token, hub } = await startScene(t);
  await putCard(api, token, cardOf(french, 'CARD-1', 'ALLOWED'));
  await putCard(api, token, cardOf(french, 'CARD-2'));
  await reportClient(api, token, french, 'OFFLINE');
  t.equal(await status('CARD-1'), 'Accepted', 'by its whitelist');
  await reportClient(api, token, french, 'SUSPENDED');
  t.equal(await status('CARD-1'), 'Blocked');
  t.equal(await status('CARD-2'), 'Blocked', 'also one that is always allowed');
  t.equal(hub.received.filter(({ path }) => path.startsWith('/ocpi/emsp/2.2.1/tokens/')).length, 0);
  hub.react(authorize('CARD-1'), { body: enveloped({ allowed: 'ALLOWED' }) });
  await reportClient(api, token, french, 'CONNECTED');
  t.equal(await status('CARD-1'), 'Accepted');
  t.match(await hub.next('POST', authorize('CARD-1')), to(french));
});

void t.test('asks again about an unknown card once its party is suspended or a direct partner', async (t) => {
  const { api, status, token, id, hub } = await startScene(t);
  t.match(await patchPartner(api, id, { authorizationOrder: 1 }), { status: 200 });
  for (const party of [italian, french]) {
    const uid = `NEW-${party.country_code}`;
    hub.react(authorize(uid), { body: enveloped({ allowed: 'ALLOWED', token: cardOf(party, uid) }) });
    t.equal(await status(uid), 'Accepted');
    t.equal(await status(uid), 'Accepted');
  }
  const requests = () =>
    hub.received.filter(({ path }) => path.startsWith('/ocpi/emsp/2.2.1/tokens/NEW-')).length;
  t.equal(requests(), 2, 'the answer is remembered');
  await reportClient(api, token, italian, 'SUSPENDED');
  t.equal(await status('NEW-IT'), 'Invalid');
  await makePartner(api, { parties: [{ countryCode: 'FR', partyId: 'EMP' }] });
  t.equal(await status('NEW-FR'), 'Invalid');
  t.equal(requests(), 4);
});
