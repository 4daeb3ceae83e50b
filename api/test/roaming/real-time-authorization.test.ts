import t from 'tap';
import { buildApp } from '#api/app.ts';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { addLocation } from '#api/test/support/records.ts';
import { startRig } from '#gateway/test/support/rig.ts';
import { minute, scripted16 } from '#gateway/test/support/scripted16.ts';
import { createLogger } from '#shared/log/log.ts';
import { insertAuthorization } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import { upsertOcpiTokens } from '#shared/postgres/roaming/ocpi-tokens.statements.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { untilSettled } from '#shared/testing/until.ts';
import { ourToken, startAuthorizer, storeAuthorizer } from './support/authorizers.ts';
import { enveloped, startEmsp } from './support/emsp.ts';
import { LocationReferences } from './support/standard/asked.ts';
import { misfits } from './support/standard/shape.ts';

const path = (uid: string) => `/ocpi/emsp/2.2.1/tokens/${uid}/authorize`;

void t.test('tokens of a partner at a charger', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const emsp = await startEmsp(t);
  const partnerId = await storeAuthorizer(rig.stores.sql, rig.network.id, emsp);
  const location = await addLocation(sql, rig.network.id);
  await seedTariff(sql, rig.network.id);
  const { charger, client } = await rig.connect('ocpp1.6');
  await sql`update chargers set location_id = ${location.id} where id = ${charger.id}`;
  const desks = [await startAuthorizer(t, rig.stores), await startAuthorizer(t, rig.stores)];

  const tell = (
    uid: string,
    whitelist: 'ALWAYS' | 'ALLOWED' | 'ALLOWED_OFFLINE' | 'NEVER',
    isValid = true,
    type: 'RFID' | 'EMAID' = 'RFID',
  ) =>
    upsertOcpiTokens(sql, partnerId, [
      {
        countryCode: 'DE',
        partyId: 'EMS',
        uid,
        type,
        contractId: `C-${uid}`,
        visualNumber: null,
        issuer: 'eMSP',
        groupId: null,
        isValid,
        whitelist,
        language: null,
        defaultProfileType: null,
        energyContract: null,
        lastUpdated: new Date(),
      },
    ]);
  const authorize = async (idTag: string) => {
    const answer = (await client.call('Authorize', { idTag })) as {
      idTagInfo: { status: string; expiryDate?: string };
    };
    return answer.idTagInfo;
  };
  const status = async (idTag: string) => (await authorize(idTag)).status;
  const answers = (uid: string, data: object, times?: number) =>
    emsp.react(path(uid), { body: enveloped(data) }, times);
  const asked = (uid: string) => emsp.received.filter((request) => request.path.startsWith(path(uid)));
  const sessionOf = async (transactionId: number) => {
    const [session] = await sql`
      select ocpi_partner_id as "partnerId", auth_method as method, authorization_reference as reference,
        ocpi_token as token, authorization_status as status, uuid
      from sessions where ocpp_transaction_id = ${String(transactionId)}`;
    return session;
  };

  await t.test('accepts ALWAYS without a request and refuses a blocked token', async (t) => {
    await tell('ALWAYS1', 'ALWAYS');
    await tell('ALWAYS2', 'ALWAYS', false);
    t.match(await authorize('always1'), { status: 'Accepted', expiryDate: String }, 'whatever its case');
    t.equal(await status('ALWAYS2'), 'Blocked');
    t.same(emsp.received, []);
  });

  await t.test('requests every other authorization once, with the location', async (t) => {
    await tell('NEVER 1', 'NEVER', false);
    const [evses] = await sql<{ uids: string[] }[]>`
      select array_agg(uid order by number) as uids from evses where charger_id = ${charger.id}`;
    emsp.react('/ocpi/emsp/2.2.1/tokens/NEVER%201/authorize', {
      body: enveloped({ allowed: 'ALLOWED', token: {}, authorization_reference: 'REF-1' }),
    });
    const begin = Date.now();
    const { status: said, expiryDate } = await authorize('NEVER 1');
    t.equal(said, 'Accepted', 'the partner knows better than what is stored');
    const expiresAt = Date.parse(expiryDate ?? '');
    t.ok(expiresAt < Date.now() + 6 * minute, 'the charger does not remember it for long');
    t.ok(expiresAt > begin + 4 * minute, 'nor takes it for over when its clock is ahead');
    const requests = emsp.received.filter(({ path }) => path.includes('NEVER%201'));
    t.match(requests, [
      {
        method: 'POST',
        path: '/ocpi/emsp/2.2.1/tokens/NEVER%201/authorize?type=RFID',
        headers: { authorization: `Token ${Buffer.from(emsp.token).toString('base64')}` },
        body: { location_id: location.uuid, evse_uids: evses?.uids },
      },
    ]);
    t.strictSame(misfits(requests[0]?.body, LocationReferences), []);
    t.equal(requests.length, 1, 'of two API processes one asks');
  });

  await t.test('requests an EMAID with the whitelist NEVER as such from a partner of 2.3.0', async (t) => {
    await sql`update ocpi_partners set ocpi_version = '2.3.0' where id = ${partnerId}`;
    const uid = 'DEEMSC123456789';
    await tell(uid, 'NEVER', true, 'EMAID');
    answers(uid, { allowed: 'ALLOWED', token: {} });
    t.equal(await status(uid), 'Accepted');
    t.match(asked(uid), [{ method: 'POST', path: `${path(uid)}?type=EMAID` }]);
    await sql`update ocpi_partners set ocpi_version = '2.2.1' where id = ${partnerId}`;
  });

  await t.test("passes the partner's verdict to the charger", async (t) => {
    for (const [allowed, heard] of [
      ['BLOCKED', 'Blocked'],
      ['EXPIRED', 'Expired'],
      ['NO_CREDIT', 'Blocked'],
      ['NOT_ALLOWED', 'Invalid'],
    ] as const) {
      await tell(allowed, 'ALLOWED');
      answers(allowed, { allowed, token: {} });
      t.equal(await status(allowed), heard, allowed);
    }
    await tell('UNKNOWN404', 'ALLOWED_OFFLINE');
    emsp.react(path('UNKNOWN404'), { status: 404, body: enveloped(undefined, 2004) });
    t.equal(await status('UNKNOWN404'), 'Invalid');
    await tell('ELSEWHERE', 'ALLOWED');
    answers('ELSEWHERE', { allowed: 'ALLOWED', location: { location_id: 'L', evse_uids: ['another'] } });
    t.equal(await status('ELSEWHERE'), 'Invalid', 'at another EVSE only');
    t.equal(await status('NOBODYS'), 'Invalid');
    t.equal(asked('NOBODYS').length, 0);
  });

  await t.test('stores the authorization reference in the session and its CDR', async (t) => {
    await tell('ROAMER', 'NEVER');
    answers('ROAMER', { allowed: 'ALLOWED', token: {}, authorization_reference: 'REF-2' }, 1);
    t.equal(await status('ROAMER'), 'Accepted');
    const tale = scripted16(client, Date.now() - 60 * minute);
    const transactionId = await tale.start('ROAMER', 0, 1000);
    t.equal(await tale.start('ROAMER', 0, 1000), transactionId, 'repeated');
    t.equal(asked('ROAMER').length, 1);
    const session = await sessionOf(transactionId);
    t.match(session, {
      partnerId,
      method: 'AUTH_REQUEST',
      reference: 'REF-2',
      status: 'Accepted',
      token: { country_code: 'DE', party_id: 'EMS', uid: 'ROAMER', type: 'RFID', contract_id: 'C-ROAMER' },
    });
    await tale.stop(transactionId, 59, 11_000);
    const [{ deps } = { deps: null }] = desks;
    if (deps === null) throw new Error('no desk');
    const log = createLogger('test', 'silent');
    await Promise.all([makeDueCdrs({ ...deps, log }), makeDueCdrs({ ...deps, log })]);
    const app = await buildApp({ ...deps, log });
    t.teardown(() => app.close());
    const headers = { authorization: `Token ${ourToken}` };
    const { data } = (await app.inject({ url: '/ocpi/cpo/2.2.1/cdrs', headers })).json<{ data: object[] }>();
    t.match(data, [
      {
        session_id: session?.['uuid'] as string,
        auth_method: 'AUTH_REQUEST',
        authorization_reference: 'REF-2',
        total_energy: 10,
        total_cost: { excl_vat: 5, incl_vat: 6.05 },
        cdr_location: { id: location.uuid },
      },
    ]);
    t.equal(data.length, 1);
  });

  await t.test('requests the authorization of a start without Authorize', async (t) => {
    await tell('LATE', 'NEVER');
    answers('LATE', { allowed: 'BLOCKED' });
    const tale = scripted16(client, Date.now() - 10 * minute);
    const transactionId = await tale.start('LATE', 0, 1000);
    t.match(await sessionOf(transactionId), { status: 'Blocked', partnerId: null });
    const [evse] = await sql<{ uid: string }[]>`
      select uid from evses where charger_id = ${charger.id} and number = 1`;
    t.match(asked('LATE'), [{ body: { evse_uids: [evse?.uid] } }], 'at its own EVSE');
    await tale.stop(transactionId, 5, 1000);
  });

  await t.test('requests no authorization for the token of a command', async (t) => {
    await tell('COMMANDED', 'NEVER', false);
    await insertAuthorization(sql, {
      partnerId,
      chargerId: charger.id,
      token: {
        country_code: 'DE',
        party_id: 'EMS',
        uid: 'COMMANDED',
        type: 'APP_USER',
        contract_id: 'C-1',
      },
      authMethod: 'COMMAND',
      authorizationReference: 'CMD-1',
      groupId: null,
      expiresAt: new Date(Date.now() + minute),
    });
    t.equal(await status('COMMANDED'), 'Accepted');
    const tale = scripted16(client, Date.now());
    const transactionId = await tale.start('COMMANDED', 0, 2000);
    t.match(await sessionOf(transactionId), { partnerId, method: 'COMMAND', reference: 'CMD-1' });
    await tale.stop(transactionId, 1, 3000);
    t.equal(asked('COMMANDED').length, 0);
    emsp.react(path('COMMANDED'), { body: enveloped({ allowed: 'BLOCKED' }) });
    t.equal(await status('COMMANDED'), 'Blocked', 'it was valid for one session');
  });

  await t.test('applies the whitelist when the partner does not respond', async (t) => {
    for (const uid of ['OFF-ALLOWED', 'OFF-OFFLINE', 'OFF-NEVER', 'OFF-BLOCKED']) {
      emsp.react(path(uid), { hangUp: true }, 1);
      emsp.react(path(uid), { status: 500 }, 1);
    }
    await tell('OFF-ALLOWED', 'ALLOWED');
    await tell('OFF-OFFLINE', 'ALLOWED_OFFLINE');
    await tell('OFF-NEVER', 'NEVER');
    await tell('OFF-BLOCKED', 'ALLOWED_OFFLINE', false);
    for (const fault of ['hangs up', 'fails']) {
      t.equal(await status('OFF-ALLOWED'), 'Accepted', fault);
      t.equal(await status('OFF-OFFLINE'), 'Accepted', fault);
      t.equal(await status('OFF-NEVER'), 'Invalid', fault);
      t.equal(await status('OFF-BLOCKED'), 'Blocked', fault);
    }
    await tell('SLOW', 'ALLOWED_OFFLINE');
    const slow = Promise.withResolvers<void>();
    emsp.react(path('SLOW'), { waitsFor: slow.promise, body: enveloped({ allowed: 'BLOCKED' }) });
    t.equal(await untilSettled('the answer', status('SLOW')), 'Accepted', 'before the partner answers');
    slow.resolve();
  });

  await t.test('applies the whitelist at once without an API process', async (t) => {
    for (const { stop } of desks) await stop();
    await tell('ALONE', 'ALLOWED_OFFLINE');
    await tell('ALONE-NEVER', 'NEVER');
    t.equal(await untilSettled('the answer', status('ALONE')), 'Accepted');
    t.equal(await untilSettled('the refusal', status('ALONE-NEVER')), 'Invalid');
    t.equal(asked('ALONE').length, 0);
  });
});
