import t from 'tap';
import { listSignedValues } from '#shared/postgres/charging/signed-meter-values.statements.ts';
import { seedCharger, seedTariff } from '#shared/testing/seed.ts';
import { createStation16 } from '#shared/simulator/station16.ts';
import { createStation201 } from '#shared/simulator/station201.ts';
import { signingMeter } from '#shared/simulator/signing-meter.ts';
import { startRig } from './support/rig.ts';
import { at, register, sessionOf } from './support/signed-sessions.ts';
import { seedDriver } from './support/wallet-drivers.ts';

void t.test('signed meter values of OCPP 2.0.1', async (t) => {
  const rig = await startRig(t);
  await seedTariff(rig.stores.sql, rig.network.id);
  const driver = await seedDriver(rig, 100_000n);
  const { charger, client } = await rig.connect('ocpp2.0.1');
  const meter = signingMeter({ curve: 'secp384r1', algorithm: 'ECDSA-secp384r1-SHA256' });
  await register(rig, charger.id, meter.publicKey);
  const event = (eventType: string, seqNo: number, value: number, context: string, record: string) =>
    client.call('TransactionEvent', {
      eventType,
      timestamp: at(seqNo),
      triggerReason: 'Trigger',
      seqNo,
      transactionInfo: { transactionId: 'signed' },
      evse: { id: 1, connectorId: 1 },
      ...(eventType === 'Started' && { idToken: { idToken: driver.tag, type: 'ISO14443' } }),
      meterValue: [
        {
          timestamp: at(seqNo),
          sampledValue: [
            {
              value,
              context,
              signedMeterValue: {
                signedMeterData: Buffer.from(record).toString('base64'),
                signingMethod: 'ECDSA-secp384r1-SHA256',
                encodingMethod: 'OCMF',
                publicKey: '',
              },
            },
          ],
        },
      ],
    });

  await t.test('verifies the values of all events', async (t) => {
    await event('Started', 0, 1000, 'Transaction.Begin', meter.record({ code: 'B', wh: 1000 }));
    t.match(await sessionOf(rig, 'signed'), { state: 'INCOMPLETE' });
    await event('Updated', 10, 2000, 'Sample.Periodic', meter.record({ code: 'C', wh: 2000 }));
    await event('Ended', 30, 6000, 'Transaction.End', meter.record({ code: 'E', wh: 6000 }));
    const session = await sessionOf(rig, 'signed');
    t.match(session, { state: 'VERIFIED', signedWh: 5000, price: 'SETTLED', flags: [] });
    t.same(
      (await listSignedValues(rig.stores.sql, session.id)).map(({ nature }) => nature),
      ['START', 'INTERMEDIATE', 'END'],
    );
  });
});

void t.test('checks values again with the keys of the connector that a late start names', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  await seedTariff(sql, rig.network.id);
  const driver = await seedDriver(rig, 100_000n);
  const { charger, client } = await rig.connect('ocpp2.0.1');
  const meters = [signingMeter(), signingMeter()];
  for (const [index, { publicKey }] of meters.entries()) {
    const [connector] = await sql<
      { id: number }[]
    >`select ensure_connector(${charger.id}, ${index + 1}, 1) as id`;
    await register(rig, charger.id, publicKey, connector?.id);
  }
  const event = (eventType: string, seqNo: number, changed: object) =>
    client.call('TransactionEvent', {
      eventType,
      timestamp: at(seqNo),
      triggerReason: 'Trigger',
      seqNo,
      transactionInfo: { transactionId: 'late' },
      ...changed,
    });
  const signedMeterValue = {
    signedMeterData: meters[1]?.record({ code: 'B', wh: 1000 }, { code: 'E', wh: 6000 }),
    signingMethod: '',
    encodingMethod: 'OCMF',
    publicKey: '',
  };
  const sampledValue = [{ value: 6000, context: 'Transaction.End', signedMeterValue }];
  await event('Ended', 30, { meterValue: [{ timestamp: at(30), sampledValue }] });
  t.match(await sessionOf(rig, 'late'), { state: 'INVALID' });
  await event('Started', 0, {
    evse: { id: 2, connectorId: 1 },
    idToken: { idToken: driver.tag, type: 'ISO14443' },
    meterValue: [{ timestamp: at(0), sampledValue: [{ value: 1000, context: 'Transaction.Begin' }] }],
  });
  t.match(await sessionOf(rig, 'late'), { state: 'VERIFIED', signedWh: 5000, price: 'SETTLED', flags: [] });
});

void t.test('a simulated charger signs both ends of a session', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  await seedTariff(sql, rig.network.id);
  for (const create of [createStation16, createStation201]) {
    const driver = await seedDriver(rig, 100_000n);
    const { id, uid, password } = await seedCharger(sql, rig.network.id, { connectors: 1 });
    const meter = signingMeter({ seed: password });
    t.equal(meter.publicKey, signingMeter({ seed: password }).publicKey, 'the key follows from the seed');
    await register(rig, id, meter.publicKey);
    const options = { ocppUrl: rig.ocppUrl, uid, password, connectors: 1, vendor: 'V', model: 'M', meter };
    const station = create({ ...options, registerWh: 1000.4 });
    t.teardown(() => station.close());
    await station.connect();
    await station.boot();
    const { transactionId } = await station.startSession({ idToken: driver.tag });
    await station.stopSession({ meterStopWh: 1010.6 });
    t.match(await sessionOf(rig, transactionId ?? ''), { state: 'VERIFIED', signedWh: 11, flags: [] });
  }
});
