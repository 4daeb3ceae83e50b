import t from 'tap';
import { maxSignedValues } from '#shared/domain/charging/signed-meter-value.ts';
import { recheckSignatures } from '#shared/postgres/charging/session-writes/signatures.ts';
import { listSignedValues } from '#shared/postgres/charging/signed-meter-values.statements.ts';
import { listMeterKeys, removeMeterKey } from '#shared/postgres/fleet/meter-keys.statements.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { signingMeter } from '#shared/simulator/signing-meter.ts';
import { startRig } from './support/rig.ts';
import { at, begin, minute, register, sessionOf } from './support/signed-sessions.ts';
import { seedDriver } from './support/wallet-drivers.ts';

// 1.00 and 0.40 per kWh, 21 % VAT: 5 kWh cost 3.63.

/** A meterValue of 1.6 with signed data. */
function signed16(minutes: number, context: string, value: string) {
  return { timestamp: at(minutes), sampledValue: [{ value, context, format: 'SignedData' }] };
}

void t.test('signed meter values of OCPP 1.6', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  await seedTariff(sql, rig.network.id);
  const driver = await seedDriver(rig, 100_000n);
  /** A charger with a session that runs. */
  const charging = async () => {
    const { charger, client } = await rig.connect('ocpp1.6');
    const start = async (minutes: number) => {
      const request = { connectorId: 1, idTag: driver.tag, meterStart: 1000, timestamp: at(minutes) };
      const { transactionId } = (await client.call('StartTransaction', request)) as { transactionId: number };
      const meterValues = (...meterValue: object[]) =>
        client.call('MeterValues', { connectorId: 1, transactionId, meterValue });
      const stop = (meterStop: number, ...transactionData: object[]) =>
        client.call('StopTransaction', { transactionId, meterStop, timestamp: at(30), transactionData });
      return { transactionId, meterValues, stop };
    };
    let started = 0;
    const again = () => start((started += 1));
    return { charger, client, again, ...(await start(0)), meter: signingMeter() };
  };

  await t.test('verifies start and end in StopTransaction with the registered key', async (t) => {
    const { charger, transactionId, stop, meter } = await charging();
    await register(rig, charger.id, meter.publicKey);
    const start = signed16(0, 'Transaction.Begin', meter.record({ code: 'B', wh: 1000 }));
    await stop(6000, start, signed16(30, 'Transaction.End', meter.record({ code: 'E', wh: 6000 })));
    t.match(await sessionOf(rig, transactionId), {
      state: 'VERIFIED',
      signedWh: 5000,
      price: 'SETTLED',
      flags: [],
    });
  });

  await t.test('stores a value before it answers, and a repeated one once', async (t) => {
    const { charger, transactionId, meterValues, meter } = await charging();
    await register(rig, charger.id, meter.publicKey);
    const record = meter.record({ code: 'B', wh: 1000 });
    const json = JSON.stringify({
      signedMeterData: Buffer.from(record).toString('base64'),
      encodingMethod: 'OCMF',
      signingMethod: '',
      publicKey: '',
    });
    await meterValues(signed16(0, 'Transaction.Begin', json));
    await meterValues(signed16(0, 'Transaction.Begin', json));
    const session = await sessionOf(rig, transactionId);
    t.match(session, { state: 'INCOMPLETE', signedWh: null, price: 'OPEN' });
    const values = await listSignedValues(sql, session.id);
    t.match(values, [{ nature: 'START', format: 'OCMF', data: record, state: 'VERIFIED', startWh: 1000 }]);
    t.equal(values.length, 1);
  });

  await t.test('reviews the price of a session with a bad signature, and takes no money', async (t) => {
    const { charger, transactionId, meterValues, stop, meter } = await charging();
    await register(rig, charger.id, meter.publicKey);
    const before = await driver.balances();
    await meterValues(signed16(0, 'Transaction.Begin', meter.record({ code: 'B', wh: 1000 })));
    const forged = meter.record({ code: 'E', wh: 6000 }).replace('"RV":6', '"RV":7');
    await stop(7000, signed16(30, 'Transaction.End', forged));
    t.match(await sessionOf(rig, transactionId), {
      state: 'INVALID',
      signedWh: null,
      price: 'REVIEW',
      flags: ['signature-invalid'],
    });
    t.strictSame(await driver.balances(), before);
  });

  await t.test('reviews it too when the bad signature comes after the stop', async (t) => {
    const { charger, transactionId, meterValues, stop, meter } = await charging();
    await register(rig, charger.id, meter.publicKey);
    await stop(6000);
    t.match(await sessionOf(rig, transactionId), { state: 'NONE', price: 'SETTLED' });
    await meterValues(signed16(30, 'Transaction.End', signingMeter().record({ code: 'E', wh: 6000 })));
    t.match(await sessionOf(rig, transactionId), {
      state: 'INVALID',
      price: 'REVIEW',
      flags: ['signature-invalid'],
    });
  });

  await t.test(
    'flags a bad value of the middle or of an old session, and takes its price to no review',
    async (t) => {
      const first = await charging();
      const { charger, meter } = first;
      await register(rig, charger.id, meter.publicKey);
      const forged = signingMeter();
      await first.meterValues(signed16(10, 'Sample.Periodic', forged.record({ code: 'C', wh: 3000 })));
      const both = meter.record({ code: 'B', wh: 1000 }, { code: 'E', wh: 6000 });
      await first.stop(6000, signed16(30, 'Transaction.End', both));
      const flagged = { price: 'SETTLED', flags: ['signature-unverified'] };
      t.match(await sessionOf(rig, first.transactionId), { state: 'INCOMPLETE', ...flagged });
      const second = await first.again();
      await second.stop(6000);
      await sql`
      update sessions set started_at = started_at - interval '8 days', ended_at = ended_at - interval '8 days'
      where ocpp_transaction_id = ${String(second.transactionId)}`;
      await second.meterValues(signed16(30, 'Transaction.End', forged.record({ code: 'E', wh: 6000 })));
      t.match(await sessionOf(rig, second.transactionId), {
        state: 'INVALID',
        price: 'SETTLED',
        flags: ['signature-invalid'],
      });
    },
  );

  await t.test('settles a price that was reviewed for a wrong or a missing key', async (t) => {
    const wrong = signingMeter();
    const reviewed = async () => {
      const { charger, transactionId, stop, meter } = await charging();
      const { uuid } = await register(rig, charger.id, wrong.publicKey);
      const both = meter.record({ code: 'B', wh: 1000 }, { code: 'E', wh: 6000 });
      await stop(6000, signed16(30, 'Transaction.End', both));
      t.match(await sessionOf(rig, transactionId), { state: 'INVALID', price: 'REVIEW' });
      return { charger, transactionId, meter, wrongUuid: uuid };
    };
    const missing = await reviewed();
    const before = await driver.balances();
    await register(rig, missing.charger.id, missing.meter.publicKey);
    await recheckSignatures(sql, missing.charger.id);
    const verified = { state: 'VERIFIED', price: 'SETTLED', flags: [] };
    t.match(await sessionOf(rig, missing.transactionId), verified);
    t.notSame(await driver.balances(), before, 'the wallet pays');
    const removed = await reviewed();
    await removeMeterKey(sql, removed.charger.id, removed.wrongUuid);
    await recheckSignatures(sql, removed.charger.id);
    t.match(await sessionOf(rig, removed.transactionId), {
      state: 'UNVERIFIED',
      price: 'SETTLED',
      flags: [],
    });
  });

  await t.test('verifies no session with a record of another one, nor with an old one', async (t) => {
    const first = await charging();
    const { charger, meter } = first;
    await register(rig, charger.id, meter.publicKey);
    const both = meter.record({ code: 'B', wh: 1000 }, { code: 'E', wh: 6000 });
    await first.stop(6000, signed16(30, 'Transaction.End', both));
    t.match(await sessionOf(rig, first.transactionId), { state: 'VERIFIED' });
    const second = await first.again();
    await second.stop(6000, signed16(30, 'Transaction.End', both));
    t.match(await sessionOf(rig, second.transactionId), {
      state: 'NONE',
      signedWh: null,
      flags: ['signature-unverified'],
    });
    const third = await first.again();
    const old = meter.record({ code: 'B', wh: 1000, time: new Date(begin - 24 * 60 * minute) });
    await third.meterValues(signed16(0, 'Transaction.Begin', old));
    await third.stop(6000, signed16(30, 'Transaction.End', meter.record({ code: 'E', wh: 6000 })));
    t.match(await sessionOf(rig, third.transactionId), { state: 'INCOMPLETE', signedWh: null });
  });

  await t.test('flags a billed energy that differs from the signed energy', async (t) => {
    const { charger, transactionId, stop, meter } = await charging();
    await register(rig, charger.id, meter.publicKey);
    const both = meter.record({ code: 'B', wh: 1000 }, { code: 'E', wh: 5000 });
    await stop(6000, signed16(30, 'Transaction.End', both));
    t.match(await sessionOf(rig, transactionId), {
      state: 'VERIFIED',
      signedWh: 4000,
      price: 'SETTLED',
      flags: ['signed-energy-mismatch'],
    });
  });

  await t.test('keeps a key that came with a value as claimed, and verifies nothing with it', async (t) => {
    const { charger, transactionId, stop, meter } = await charging();
    const value = JSON.stringify({
      signedMeterData: meter.record({ code: 'B', wh: 1000 }, { code: 'E', wh: 6000 }),
      publicKey: Buffer.from(`oca:base16:asn1:${meter.publicKey}`).toString('base64'),
    });
    await stop(6000, signed16(30, 'Transaction.End', value));
    t.match(await sessionOf(rig, transactionId), { state: 'UNVERIFIED', price: 'SETTLED', flags: [] });
    const keys = await listMeterKeys(sql, charger.id);
    t.match(keys, [{ status: 'CLAIMED', publicKey: meter.publicKey.toUpperCase(), curve: 'prime256v1' }]);

    await register(rig, charger.id, meter.publicKey);
    t.equal(await recheckSignatures(sql, charger.id), 1);
    t.match(await sessionOf(rig, transactionId), { state: 'VERIFIED', signedWh: 5000, price: 'SETTLED' });
    await removeMeterKey(sql, charger.id, keys[0]?.uuid ?? '');
    await recheckSignatures(sql, charger.id);
    t.match(await sessionOf(rig, transactionId), { state: 'VERIFIED' }, 'the key was trusted then');
  });

  await t.test('checks all sessions of a charger after a change of its keys, the newest first', async (t) => {
    const first = await charging();
    const { charger, meter } = first;
    const both = (wh: number) =>
      signed16(30, 'Transaction.End', meter.record({ code: 'B', wh }, { code: 'E', wh: wh + 5000 }));
    await first.stop(6000, both(1000));
    const second = await first.again();
    await second.stop(6000, both(11_000));
    const states = async () => [
      (await sessionOf(rig, first.transactionId))?.state,
      (await sessionOf(rig, second.transactionId))?.state,
    ];
    t.same(await states(), ['UNVERIFIED', 'UNVERIFIED']);
    const changes = () => sql`
      select s.id, s.updated_at, (select count(*) from outbox o
        where o.charger_id = s.charger_id and o.type like 'session.%') as events
      from sessions s where s.charger_id = ${charger.id} order by s.id`;
    const unchanged = await changes();
    await sql`insert into signature_rechecks (charger_id) values (${charger.id})`;
    t.equal(await recheckSignatures(sql, charger.id), 2);
    t.same(await changes(), unchanged, 'a check without a new result changes nothing');
    await register(rig, charger.id, meter.publicKey);
    t.equal(await recheckSignatures(sql, charger.id, 1), 1);
    const [newest] = await sql<{ id: string }[]>`
      select ocpp_transaction_id as id from sessions where charger_id = ${charger.id} order by started_at desc, id desc limit 1`;
    const isSecond = newest?.id === String(second.transactionId);
    t.same(await states(), isSecond ? ['UNVERIFIED', 'VERIFIED'] : ['VERIFIED', 'UNVERIFIED']);
    t.equal(await recheckSignatures(sql, charger.id, 1), 1, 'it continues there');
    t.same(await states(), ['VERIFIED', 'VERIFIED']);
    t.equal(await recheckSignatures(sql, charger.id, 1), 0);
    t.equal(await recheckSignatures(sql, charger.id, 1), null, 'until a key changes');
  });

  await t.test('settled sessions stay settled when a wrong key is registered', async (t) => {
    const { charger, transactionId, stop, meter } = await charging();
    await stop(6000, signed16(30, 'Transaction.End', meter.record({ code: 'E', wh: 6000 })));
    await register(rig, charger.id, signingMeter().publicKey);
    await recheckSignatures(sql, charger.id);
    t.match(await sessionOf(rig, transactionId), {
      state: 'INVALID',
      price: 'SETTLED',
      flags: ['signature-invalid'],
    });
  });

  await t.test('acknowledges values that it does not store', async (t) => {
    const { transactionId, meterValues, stop, meter } = await charging();
    await meterValues(signed16(1, 'Sample.Periodic', 'x'.repeat(10_001)));
    await meterValues(signed16(1, 'Sample.Periodic', '{"signedMeterData":"a\\u0000b"}'));
    const many = Array.from({ length: maxSignedValues.INTERMEDIATE + 3 }, (_, index) =>
      signed16(2, 'Sample.Periodic', meter.record({ code: 'C', wh: index })),
    );
    await meterValues(...many.slice(0, 2), ...many);
    await stop(6000, signed16(30, 'Transaction.End', meter.record({ code: 'E', wh: 6000 })));
    const session = await sessionOf(rig, transactionId);
    t.match(session, { state: 'UNVERIFIED', price: 'SETTLED' });
    const values = await listSignedValues(sql, session.id);
    t.equal(values.filter(({ nature }) => nature === 'INTERMEDIATE').length, maxSignedValues.INTERMEDIATE);
    t.equal(values.at(-1)?.nature, 'END', 'the end is stored all the same');
  });

  await t.test(
    'stores the values of a stop that names no transaction with the session that it ends',
    async (t) => {
      const { charger, client } = await rig.connect('ocpp1.6');
      const meter = signingMeter();
      await register(rig, charger.id, meter.publicKey);
      const start = { connectorId: 1, idTag: driver.tag, meterStart: 1000, timestamp: at(0) };
      const { transactionId } = (await client.call('StartTransaction', start)) as { transactionId: number };
      const both = meter.record({ code: 'B', wh: 1000 }, { code: 'E', wh: 6000 });
      await client.call('StopTransaction', {
        transactionId: -1,
        idTag: driver.tag,
        meterStop: 6000,
        timestamp: at(30),
        transactionData: [signed16(30, 'Transaction.End', both)],
      });
      t.match(await sessionOf(rig, transactionId), {
        state: 'VERIFIED',
        signedWh: 5000,
        price: 'SETTLED',
        flags: ['stop-reconciled'],
      });
    },
  );

  await t.test('stores a value without a transaction with the session that it was taken in', async (t) => {
    const { charger, client, transactionId, meter } = await charging();
    await register(rig, charger.id, meter.publicKey);
    const unnamed = (...meterValue: object[]) => client.call('MeterValues', { connectorId: 1, meterValue });
    const own = meter.record({ code: 'C', wh: 2000, time: new Date(begin + minute) });
    const before = meter.record({ code: 'E', wh: 900, time: new Date(begin - 2 * minute) });
    await unnamed(signed16(1, 'Sample.Clock', own), signed16(1, 'Transaction.End', before));
    await unnamed(
      signed16(2, 'Sample.Clock', '<signedMeterValue/>'),
      signed16(2, 'Sample.Clock', '{"signedMeterData":""}'),
    );
    const { id } = await sessionOf(rig, transactionId);
    t.same(
      (await listSignedValues(sql, id)).map(({ data }) => data),
      [own],
    );
  });

  await t.test('stores no empty value', async (t) => {
    const { transactionId, meterValues } = await charging();
    await meterValues(signed16(2, 'Sample.Periodic', '{"signedMeterData":"","encodingMethod":"OCMF"}'));
    t.match(await sessionOf(rig, transactionId), { state: 'NONE' });
  });

  await t.test('states formats that it does not check', async (t) => {
    const { charger, transactionId, stop, meter } = await charging();
    await register(rig, charger.id, meter.publicKey);
    await stop(6000, signed16(30, 'Transaction.End', '<signedMeterValue/>'));
    t.match(await sessionOf(rig, transactionId), {
      state: 'UNSUPPORTED',
      price: 'SETTLED',
      flags: ['signature-unverified'],
    });
  });
});
