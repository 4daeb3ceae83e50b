import t from 'tap';
import { items, mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';
import { endSession, startSession } from '#api/test/support/records.ts';
import { storeSigned } from '#api/test/support/signed-values.ts';
import { readMeterKey } from '#shared/domain/charging/meter-key.ts';
import { lockCharger } from '#shared/postgres/fleet/charger-records.ts';
import { registerMeterKey } from '#shared/postgres/fleet/meter-keys.statements.ts';
import { signingMeter } from '#shared/simulator/signing-meter.ts';

void t.test('the keys of the meters of a charger', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const charger = await register(api, key, { serial: 'CP-1' });
  const url = `/cpms/v1/chargers/${charger.id}/meter-keys`;
  const list = async () => items((await api.call(key, { url })).json['data']);
  const add = (payload: object, asKey: string | null = key) =>
    api.call(asKey, { method: 'POST', url, payload });
  const remove = (id: string, asKey: string | null = key) =>
    api.call(asKey, { method: 'DELETE', url: `${url}/${id}` });

  await t.test('are registered once, listed and removed', async (t) => {
    const { publicKey } = signingMeter();
    const added = await add({ publicKey });
    t.match(added, {
      status: 201,
      json: {
        data: {
          status: 'REGISTERED',
          publicKey: publicKey.toUpperCase(),
          curve: 'prime256v1',
          connectorId: null,
        },
      },
    });
    t.match(added.json['data']?.['fingerprint'], /^[0-9a-f]{64}$/);
    t.match(await add({ publicKey }), { status: 409, json: { error: { code: 'METER_KEY_EXISTS' } } });
    t.same(await list(), [added.json['data']]);
    const id = added.json['data']?.['id'] as unknown as string;
    t.match(await remove(id), { status: 200, json: { data: { id, deleted: true } } });
    t.match(await remove(id), { status: 404, json: { error: { code: 'METER_KEY_NOT_FOUND' } } });
    t.same(await list(), []);
    t.match(await add({ publicKey }), { status: 201 }, 'a removed key is registered again');
    const audited = await sql<{ action: string }[]>`
      select action from audit_log where category = 'meter-key' order by id`;
    t.same(
      audited.map(({ action }) => action),
      ['register', 'remove', 'register'],
    );
  });

  await t.test('belong to a connector of the charger', async (t) => {
    const made = await api.call(key, {
      method: 'POST',
      url: `/cpms/v1/chargers/${charger.id}/connectors`,
      payload: { connectorNumber: 1 },
    });
    const connectorId = made.json['data']?.['id'] as unknown as string;
    const { publicKey } = signingMeter({ curve: 'secp384r1' });
    t.match(await add({ publicKey, connectorId }), { status: 201, json: { data: { connectorId } } });
    const elsewhere = await register(api, key, { serial: 'CP-2' });
    const other = { method: 'POST', url: `/cpms/v1/chargers/${elsewhere.id}/meter-keys` } as const;
    t.match(await api.call(key, { ...other, payload: { publicKey, connectorId } }), {
      status: 404,
      json: { error: { code: 'CONNECTOR_NOT_FOUND' } },
    });
  });

  await t.test('must be keys of elliptic curves', async (t) => {
    for (const publicKey of ['', 'nothing', 'ff'.repeat(91), 'é']) {
      t.match(await add({ publicKey }), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
    }
  });

  await t.test('verify the values of sessions that wait for a key', async (t) => {
    const meter = signingMeter();
    const session = await startSession(sql, { chargerUuid: charger.id, connector: 2 });
    await storeSigned(sql, session.uuid, meter.record({ code: 'B', wh: 1000 }, { code: 'E', wh: 6000 }), {
      claimedKey: meter.publicKey,
    });
    await endSession(sql, session, 5000);
    const stateOf = async () =>
      (await api.call(key, { url: `/cpms/v1/sessions/${session.uuid}` })).json['data'];
    t.match(
      await stateOf(),
      { signatureState: 'INVALID', signedEnergyKwh: null },
      'other keys are registered',
    );
    t.match(
      (await list()).find(({ status }) => (status as unknown as string) === 'CLAIMED'),
      { publicKey: meter.publicKey.toUpperCase(), registeredAt: null },
    );
    t.match(await add({ publicKey: meter.publicKey }), {
      status: 201,
      json: { data: { status: 'REGISTERED' } },
    });
    t.match(await stateOf(), { signatureState: 'VERIFIED', signedEnergyKwh: 5, flags: [] });
  });

  await t.test('verify values that arrive while they are registered', async (t) => {
    const meter = signingMeter();
    const session = await startSession(sql, { chargerUuid: charger.id, connector: 3 });
    const made = readMeterKey(meter.publicKey);
    if (made === null) throw new Error('no key');
    let arriving: Promise<void> | undefined;
    await sql.begin(async (transaction) => {
      await lockCharger(transaction, session.chargerId);
      await registerMeterKey(transaction, session.chargerId, null, made);
      arriving = storeSigned(
        sql,
        session.uuid,
        meter.record({ code: 'B', wh: 1000 }, { code: 'E', wh: 6000 }),
      );
      await transaction`select pg_sleep(0.3)`;
    });
    await arriving;
    const url = `/cpms/v1/sessions/${session.uuid}`;
    t.match((await api.call(key, { url })).json['data'], { signatureState: 'VERIFIED' });
  });

  await t.test('check values again when they are registered again', async (t) => {
    const meter = signingMeter();
    const session = await startSession(sql, { chargerUuid: charger.id, connector: 4 });
    await storeSigned(sql, session.uuid, meter.record({ code: 'B', wh: 1000 }, { code: 'E', wh: 6000 }));
    await endSession(sql, session, 5000);
    const stateOf = async () =>
      (await api.call(key, { url: `/cpms/v1/sessions/${session.uuid}` })).json['data'];
    t.match(await stateOf(), { signatureState: 'INVALID' });
    const made = readMeterKey(meter.publicKey);
    // As after an interruption: the key is there, and nothing was checked with it.
    if (made !== null) await registerMeterKey(sql, session.chargerId, null, made);
    t.match(await add({ publicKey: meter.publicKey }), {
      status: 409,
      json: { error: { code: 'METER_KEY_EXISTS' } },
    });
    t.match(await stateOf(), { signatureState: 'VERIFIED', flags: [] });
  });

  await t.test('are seen and changed by operators of the network only', async (t) => {
    const { publicKey } = signingMeter();
    const id = (await list())[0]?.['id'] as unknown as string;
    const before = await list();
    const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
    const driver = await mintKey(api, { apiFamily: 'emsp', scopes: [] });
    for (const [asKey, status, code] of [
      [other, 404, 'CHARGER_NOT_FOUND'],
      [driver, 403, 'API_FAMILY_MISMATCH'],
      [null, 401, 'KEY_MISSING'],
    ] as const) {
      t.match(await api.call(asKey, { url }), { status, json: { error: { code } } });
      t.match(await add({ publicKey }, asKey), { status, json: { error: { code } } });
      t.match(await remove(id, asKey), { status, json: { error: { code } } });
    }
    t.match(await add({ publicKey }, await mintKey(api, { scopes: ['cpms:read'] })), { status: 403 });
    t.same(await list(), before);
  });
});
