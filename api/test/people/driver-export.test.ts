import t from 'tap';
import { Value } from 'typebox/value';
import { DriverData } from '#api/routes/driver-data.routes.ts';
import { driverDataScopes } from '#api/services/reporting/exports/driver-data-streams.ts';
import { billingScene } from '#api/test/support/billing.ts';
import { auth, driverClient, newEmail, tokensOf } from '#api/test/support/driver-client.ts';
import { bearer, signUp } from '#api/test/support/drivers.ts';
import { items, mintKey } from '#api/test/support/fixtures.ts';
import { storeSigned } from '#api/test/support/signed-values.ts';
import { signingMeter } from '#shared/simulator/signing-meter.ts';
import { seedToken } from '#shared/testing/seed.ts';

void t.test('exports all data of a driver to the driver and to operators', async (t) => {
  const scene = await billingScene(t);
  const { api, driver, keys } = scene;
  const { sql } = api.stores;
  const operator = await mintKey(api);
  const ada = await signUp(api, newEmail());
  const { access } = tokensOf(await driverClient(api).logIn(ada.email));
  const [user] = await sql<{ id: number }[]>`select id from users where uuid = ${ada.id}`;
  const userId = user?.id ?? 0;
  const post = async (url: string, payload: object) => {
    const answer = await api.call(operator, { method: 'POST', url: `/cpms/v1/${url}`, payload });
    t.match(answer.status, /20[01]/, answer.text);
    return answer.json['data']?.['id'] as unknown as string;
  };

  const sessions = [await scene.charge({ userId }), await scene.charge({ userId })];
  const others = await scene.charge({ userId: driver.id });
  const meter = signingMeter();
  for (const session of [sessions[0] ?? '', others]) {
    await storeSigned(sql, session, meter.record({ code: 'E', wh: 1 }));
  }
  const uid = await seedToken(sql, api.network.id, { userId });
  await post('public-api-keys', { name: 'Telephone', userId: ada.id });
  const wallet = await post('wallets', { userId: ada.id });
  await post(`wallets/${wallet}/credit`, { amount: 5, reason: 'Gift' });
  await scene.call(keys.operator, '/invoices', {
    method: 'POST',
    payload: { transactionIds: sessions.slice(1) },
  });
  await sql`
    insert into wallet_top_ups (wallet_id, amount_minor, provider) select id, 100, 'stripe' from wallets
    where uuid = ${wallet}`;
  await sql`
    insert into reservations (charger_id, reservation_id, id_token, expires_at)
    select id, n, case n when 1 then ${uid} else 'OTHER' end, now() from chargers, generate_series(1, 2) n
    where uuid = ${scene.chargerUuid}`;
  await sql`
    insert into remote_starts (charger_id, id_token, user_id, expires_at)
    select id, ${uid}, ${userId}, now() from chargers where uuid = ${scene.chargerUuid}`;
  await sql`
    insert into scheduled_charges (network_id, user_id, charger_id, connector_id, id_token_id, limits, start_at, window_ends_at)
    select c.network_id, ${userId}, c.id, n.id, k.id, '{}', now(), now() + interval '1 hour'
    from chargers c join connectors n on n.charger_id = c.id and n.number = 1, id_tokens k
    where c.uuid = ${scene.chargerUuid} and k.uid = ${uid}`;

  const url = `/cpms/v1/users/${ada.id}/export`;
  const byDriver = await api.call(null, { url: `${auth}/me/export`, headers: bearer(access) });
  const byOperator = await api.call(operator, { url });
  for (const { status, headers, json } of [byDriver, byOperator]) {
    t.equal(status, 200);
    t.match(headers, { 'content-disposition': `attachment; filename="driver-${ada.id}.json"` });
    t.same([...Value.Errors(DriverData, json)], [], 'is what the schema describes');
    t.same(Object.keys(json), Object.keys(DriverData.properties));
    t.match(json['driver'], { id: ada.id, email: ada.email, name: 'Ada' });
    t.same(
      items(json['sessions']).map(({ id, costMinor }) => [id, costMinor]),
      sessions.map((id) => [id, 1150]),
    );
    t.match(items(json['signedMeterValues']), [
      { sessionId: sessions[0], nature: 'END', format: 'OCMF', data: /^OCMF/, state: 'UNVERIFIED' },
    ]);
    t.equal(items(json['signedMeterValues']).length, 1);
    t.match(items(json['tokens']), [{ uid }]);
    t.match(items(json['walletMovements']), [{ cause: 'CREDIT', reason: 'Gift', availableAfterMinor: 500 }]);
    t.match(items(json['invoices']), [{ kind: 'INVOICE', totalInclVatMinor: 1150, sessionCount: 1 }]);
    t.match(items(json['apiKeys']), [{ name: 'Telephone' }]);
    for (const part of ['payments', 'reservations', 'chargingStarts', 'scheduledCharges']) {
      t.equal(items(json[part]).length, 1, part);
    }
    t.equal(items(json['signIns']).length, 2);
    t.match(items(json['auditEntries'])[0], { category: 'user', action: 'register' });
  }
  t.match(
    await sql`select user_id from audit_log where category = 'export' and resource_id = ${ada.id} order by id`,
    [{ user_id: ada.id }, { user_id: String }],
    'each export is recorded',
  );

  const own = { url: `${auth}/me/export` };
  const other = await api.call(keys.otherDriver, own);
  t.match(other, { status: 200, json: { driver: { id: scene.otherDriver.uuid }, sessions: [], tokens: [] } });
  t.match(await api.call(keys.operator, own), { status: 403, json: { code: 'DRIVER_KEY_REQUIRED' } });
  t.equal((await api.call(null, own)).status, 401);
  t.equal((await api.call(null, { url })).status, 401);
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.match(await api.call(foreign, { url }), { status: 404, json: { error: { code: 'USER_NOT_FOUND' } } });
  const able = await mintKey(api, { scopes: driverDataScopes });
  t.match(await api.call(able, { url: '/cpms/v1/me' }), { json: { data: { canExportDrivers: true } } });
  for (const scope of driverDataScopes) {
    const scopes = driverDataScopes.filter((each) => each !== scope);
    const lacking = await mintKey(api, { scopes });
    t.match(await api.call(lacking, { url: '/cpms/v1/me' }), { json: { data: { canExportDrivers: false } } });
    t.match(await api.call(lacking, { url }), {
      status: 403,
      json: { error: { code: 'SCOPE_MISSING', details: { scope } } },
    });
  }
  t.equal((await api.call(await mintKey(api, { scopes: [...driverDataScopes] }), { url })).status, 200);
});

void t.test('streams one export of a caller at a time', async (t) => {
  const scene = await billingScene(t);
  const operator = await mintKey(scene.api);
  const url = `/cpms/v1/users/${scene.driver.uuid}/export`;
  const headers = { 'x-api-key': operator };
  const first = await scene.api.stores.sql.begin(async (transaction) => {
    // The first one cannot end yet.
    await transaction`lock table reservations in access exclusive mode`;
    const started = await scene.api.app.inject({ url, headers, payloadAsStream: true });
    t.match(await scene.api.call(operator, { url }), {
      status: 429,
      json: { error: { code: 'TOO_MANY_EXPORTS' } },
    });
    return started;
  });
  first.stream().resume();
  await new Promise((resolve) => first.stream().once('end', resolve));
  t.equal((await scene.api.call(operator, { url })).status, 200);
});
