import t from 'tap';
import { minute, scripted16, sessionOf, untilLive } from '#gateway/test/support/scripted16.ts';
import { connectRaw } from '#gateway/test/support/raw-charger.ts';
import { startRig } from '#gateway/test/support/rig.ts';
import { noSession } from '#shared/clickhouse/meter-samples.ts';
import { seedCharger, seedToken } from '#shared/testing/seed.ts';

void t.test('readings without a transaction of this back end', async (t) => {
  const rig = await startRig(t);
  const token = await seedToken(rig.stores.sql, rig.network.id);
  const outside = async (chargerId: number) =>
    (await rig.storedSamples({ chargerId, sessionId: noSession })).map(({ energyWh, flags }) => [
      energyWh,
      flags,
    ]);

  await t.test('are stored without a session where none runs at the connector', async (t) => {
    const { charger, client } = await rig.connect('ocpp1.6');
    const begin = Date.now() - 60 * minute;
    const sent = scripted16(client, begin);
    const transactionId = await sent.start(token, 0, 1000);
    const atOther = (minutes: number, id: number, wh: number) =>
      client.call('MeterValues', {
        connectorId: 2,
        transactionId: id,
        meterValue: [{ timestamp: sent.at(minutes), sampledValue: [{ value: String(wh) }] }],
      });
    await atOther(10, 0, 5000);
    await atOther(20, 987_654, 6000);
    await sent.meter(transactionId, 30, 2000);
    await untilLive(rig, transactionId, 1000);
    await sent.stop(transactionId, 40, 3000);
    await sent.meter(-1, 50, 4000);
    t.match(await sessionOf(rig, transactionId), { status: 'COMPLETED', energyWh: 2000 });
    t.same(await outside(charger.id), [
      [5000, ['transaction-unknown']],
      [6000, ['transaction-unknown']],
      [4000, ['transaction-unknown']],
    ]);
  });

  await t.test('belong to the newer of two sessions at a connector', async (t) => {
    const { client } = await rig.connect('ocpp1.6');
    const sent = scripted16(client, Date.now() - 60 * minute);
    const older = await sent.start(token, 0, 1000);
    await sent.meter(older, 10, 2000);
    await untilLive(rig, older, 1000);
    const newer = await sent.start(token, 20, 2000);
    await sent.meter(0, 30, 3500);
    await untilLive(rig, newer, 1500);
    t.match(await sessionOf(rig, older), { energyWh: 1000 });
  });

  for (const [version, action, about, value] of [
    ['ocpp1.6', 'MeterValues', { connectorId: 1 }, { value: '2000', unit: 'Wh' }],
    ['ocpp2.0.1', 'MeterValues', { evseId: 1 }, { value: 2000, unitOfMeasure: { unit: 'Wh' } }],
  ] as const) {
    await t.test(`${version}: lack only what is unreadable, and have the time of receipt`, async (t) => {
      const charger = await seedCharger(rig.stores.sql, rig.network.id, { connectors: 1 });
      const socket = await connectRaw(rig, charger, version);
      const before = new Date();
      const timestamp = before.toISOString();
      const unreadable: unknown[] = [
        { timestamp: null, sampledValue: [value] },
        { sampledValue: [value] },
        { timestamp: {}, sampledValue: [value, { ...value, measurand: 7 }] },
        { timestamp, sampledValue: [{}, value, null, { ...value, value: [] }] },
        { timestamp, sampledValue: value },
      ];
      for (const [index, reading] of unreadable.entries()) {
        const answer = await socket.call(String(index), action, { ...about, meterValue: [reading] });
        t.same(answer, [3, String(index), {}], JSON.stringify(reading));
      }
      const stored = await rig.storedSamples({ chargerId: charger.id, sessionId: noSession });
      // Readings of one time are one.
      t.same(new Set(stored.map(({ energyWh }) => energyWh)), new Set([2000]));
      const times = stored.map(({ time }) => Date.parse(time));
      t.ok(times.every((time) => time >= before.getTime() && time <= Date.now()));
    });
  }

  await t.test('2.0.1: are stored with a flag where two sessions run at the EVSE', async (t) => {
    const { charger, client } = await rig.connect('ocpp2.0.1');
    const { at: timestamp } = scripted16(client, Date.now() - 60 * minute);
    const start = (transactionId: string, connectorId: number) =>
      client.call('TransactionEvent', {
        eventType: 'Started',
        timestamp: timestamp(0),
        triggerReason: 'Authorized',
        seqNo: 0,
        transactionInfo: { transactionId },
        evse: { id: 1, connectorId },
        idToken: { idToken: token, type: 'ISO14443' },
      });
    await start('left', 1);
    await start('right', 2);
    const sampledValue = [{ value: 5000, context: 'Sample.Clock' }];
    await client.call('MeterValues', { evseId: 1, meterValue: [{ timestamp: timestamp(10), sampledValue }] });
    t.same(await outside(charger.id), [[5000, ['session-ambiguous']]]);
    t.match(await sessionOf(rig, 'left'), { energyWh: 0 });
    t.match(await sessionOf(rig, 'right'), { energyWh: 0 });
  });
});
