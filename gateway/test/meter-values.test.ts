import t from 'tap';
import { noSession } from '#shared/clickhouse/meter-samples.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { listedSessions } from '#shared/testing/listed-sessions.ts';
import { seedToken } from '#shared/testing/seed.ts';
import { startRig } from './support/rig.ts';

const begin = Date.now() - 60_000;
const at = (seconds: number): string => new Date(begin + seconds * 1000).toISOString();
const everything = { networks: allNetworks, userId: null };

/** A meterValue of 1.6 with one sampled value, some seconds after the begin. */
function reading(seconds: number, value: string, more = {}) {
  return { timestamp: at(seconds), sampledValue: [{ value, ...more }] };
}

void t.test('meter values', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const tag = await seedToken(sql, rig.network.id);
  const samplesOf = (chargerId: number, sessionId: string) => rig.storedSamples({ chargerId, sessionId });
  const sessionOf = async (transactionId: number) => {
    const rows = await listedSessions(sql, everything);
    const found = rows.find((row) => row.transactionId === String(transactionId));
    if (found === undefined) throw new Error(`no session of ${transactionId}`);
    return found;
  };
  /** A 1.6 charger with a session that runs at a connector. */
  const charging = async (connectorId: number, meterStart = 0) => {
    const { charger, client } = await rig.connect('ocpp1.6');
    const start = { connectorId, idTag: tag, meterStart, timestamp: at(0) };
    const { transactionId } = (await client.call('StartTransaction', start)) as { transactionId: number };
    return { charger, client, transactionId, uuid: (await sessionOf(transactionId)).uuid };
  };
  await t.test('stores a repeated message once and two messages of one instant twice', async (t) => {
    const { charger, client, transactionId, uuid } = await charging(1);
    const message = { connectorId: 1, transactionId, meterValue: [reading(1, '10'), reading(2, '20')] };
    t.same(await client.call('MeterValues', message), {});
    t.same(await client.call('MeterValues', message), {});
    const power = { measurand: 'Power.Active.Import' };
    await client.call('MeterValues', { connectorId: 1, transactionId, meterValue: [reading(2, '5', power)] });
    const samples = await samplesOf(charger.id, uuid);
    t.equal(samples.length, 3);
    for (const values of [
      { energyWh: 10, powerW: null },
      { energyWh: 20, powerW: null },
      { energyWh: null, powerW: 5 },
    ]) {
      t.ok(samples.some(({ energyWh, powerW }) => energyWh === values.energyWh && powerW === values.powerW));
    }
  });

  await t.test('assigns a reading without transaction to the session of its connector', async (t) => {
    const { charger, client, uuid } = await charging(2);
    const clock = { context: 'Sample.Clock' };
    await client.call('MeterValues', { connectorId: 2, meterValue: [reading(1, '10', clock)] });
    await client.call('MeterValues', { connectorId: 1, meterValue: [reading(2, '20', clock)] });
    await client.call('MeterValues', { connectorId: 0, meterValue: [reading(3, '999000', clock)] });
    t.match(await samplesOf(charger.id, uuid), [{ energyWh: 10, context: 'Sample.Clock' }]);
    t.match(await samplesOf(charger.id, noSession), [{ energyWh: 20 }, { energyWh: 999_000 }]);
  });

  await t.test('2.0.1: assigns it when the other connector of the EVSE is free', async (t) => {
    const { charger, client } = await rig.connect('ocpp2.0.1');
    await client.call('TransactionEvent', {
      eventType: 'Started',
      timestamp: at(0),
      triggerReason: 'CablePluggedIn',
      seqNo: 0,
      transactionInfo: { transactionId: 'two-connectors' },
      evse: { id: 1, connectorId: 1 },
    });
    const free = { evseId: 1, connectorId: 2, connectorStatus: 'Available', timestamp: at(1) };
    await client.call('StatusNotification', free);
    const meterValue = [{ timestamp: at(2), sampledValue: [{ value: 5 }] }];
    await client.call('MeterValues', { evseId: 1, meterValue });
    t.same(await samplesOf(charger.id, noSession), []);
  });

  await t.test('assigns no reading to a session without stop once another began', async (t) => {
    const { charger, client, uuid } = await charging(1);
    const start = { connectorId: 1, idTag: tag, meterStart: 0, timestamp: at(1) };
    const { transactionId } = (await client.call('StartTransaction', start)) as { transactionId: number };
    await client.call('StopTransaction', { transactionId, meterStop: 50, timestamp: at(2) });
    await client.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Finishing' });
    await client.call('MeterValues', { connectorId: 1, meterValue: [reading(3, '50')] });
    const next = rig.client(charger, 'ocpp1.6');
    await next.connect();
    await next.call('MeterValues', { connectorId: 1, meterValue: [reading(4, '60')] });
    t.same(await samplesOf(charger.id, uuid), []);
  });

  await t.test('assigns a reading to the running session when an older one is reported later', async (t) => {
    const { charger, client, uuid } = await charging(1);
    const start = { connectorId: 1, idTag: tag, meterStart: 0, timestamp: at(-20) };
    const { transactionId } = (await client.call('StartTransaction', start)) as { transactionId: number };
    await client.call('StopTransaction', { transactionId, meterStop: 50, timestamp: at(-10) });
    await client.call('MeterValues', { connectorId: 1, meterValue: [reading(3, '50')] });
    t.match(await samplesOf(charger.id, uuid), [{ energyWh: 50 }]);
  });

  await t.test('assigns readings of the main meter to no session', async (t) => {
    const { charger, client, uuid } = await charging(1);
    await client.call('MeterValues', { connectorId: 0, meterValue: [reading(1, '999000')] });
    t.same(await samplesOf(charger.id, uuid), []);
    t.match(await samplesOf(charger.id, noSession), [{ energyWh: 999_000, flags: { length: 0 } }]);
    const { charger: other, client: modern } = await rig.connect('ocpp2.0.1');
    const info = { transactionId: 'main-meter' };
    await modern.call('TransactionEvent', {
      eventType: 'Started',
      timestamp: at(0),
      triggerReason: 'CablePluggedIn',
      seqNo: 0,
      transactionInfo: info,
      evse: { id: 1 },
    });
    const meterValue = [{ timestamp: at(1), sampledValue: [{ value: 5 }] }];
    await modern.call('MeterValues', { evseId: 0, meterValue });
    t.match(await samplesOf(other.id, noSession), [{ energyWh: 5 }]);
  });

  await t.test('stores and flags readings of an unknown transaction', async (t) => {
    const { charger, client } = await rig.connect('ocpp1.6');
    const message = { connectorId: 1, transactionId: 2_000_000_000, meterValue: [reading(1, '10')] };
    t.same(await client.call('MeterValues', message), {});
    t.match(await samplesOf(charger.id, noSession), [
      { energyWh: 10, flags: ['transaction-unknown'], extra: { transactionId: '2000000000' } },
    ]);
  });

  await t.test('assigns late readings to an ended session', async (t) => {
    const { charger, client, transactionId, uuid } = await charging(1);
    await client.call('StopTransaction', { transactionId, meterStop: 50, timestamp: at(30) });
    await client.call('MeterValues', { connectorId: 1, transactionId, meterValue: [reading(20, '40')] });
    t.match(await samplesOf(charger.id, uuid), [{ energyWh: 40, flags: { length: 0 } }]);
    t.match(await sessionOf(transactionId), { status: 'COMPLETED', energyWh: 50 });
  });

  await t.test('stores readings of StopTransaction and uses them when meterStop is missing', async (t) => {
    const { charger, client, transactionId, uuid } = await charging(1, 1000);
    const transactionData = [
      reading(1, '1000', { context: 'Transaction.Begin' }),
      reading(30, '4', { context: 'Transaction.End', unit: 'kWh' }),
    ];
    await client.call('StopTransaction', {
      transactionId,
      meterStop: -1,
      timestamp: at(30),
      transactionData,
    });
    t.match(await samplesOf(charger.id, uuid), [{ context: 'Transaction.Begin' }, { energyWh: 4000 }]);
    t.match(await sessionOf(transactionId), {
      energyWh: 3000,
      meterStopWh: null,
      flags: ['meter-stop-missing', 'no-tariff'],
    });
  });

  await t.test('replaces an unreadable meter start by the first reading', async (t) => {
    const { client, transactionId } = await charging(1, -1);
    await client.call('MeterValues', { connectorId: 1, transactionId, meterValue: [reading(1, '5000000')] });
    await client.call('StopTransaction', { transactionId, meterStop: 5_002_000, timestamp: at(30) });
    t.match(await sessionOf(transactionId), { energyWh: 2000, flags: ['meter-start-missing', 'no-tariff'] });
    const { client: other, transactionId: bare } = await charging(1, -1);
    await other.call('StopTransaction', { transactionId: bare, meterStop: 5_002_000, timestamp: at(30) });
    t.match(
      await sessionOf(bare),
      { energyWh: 0, flags: ['energy-unmeasured', 'meter-start-missing', 'no-tariff'] },
      'never the whole register',
    );
  });

  await t.test('stores signed data of 2.0.1 with its method and key', async (t) => {
    const { charger, client } = await rig.connect('ocpp2.0.1');
    const signedMeterValue = {
      signedMeterData: 'T0NNRnw=',
      signingMethod: '',
      encodingMethod: 'OCMF',
      publicKey: 'MFkw',
    };
    const meterValue = [{ timestamp: at(1), sampledValue: [{ value: 5, signedMeterValue }] }];
    await client.call('MeterValues', { evseId: 1, meterValue });
    const [sample] = await samplesOf(charger.id, noSession);
    t.match(sample, { energyWh: 5, flags: { length: 0 } });
    const kept = sample?.extra['Energy.Active.Import.Register signed'] ?? '';
    t.same(JSON.parse(kept), signedMeterValue);
  });

  await t.test('stores and acknowledges irregular readings', async (t) => {
    const { charger, client, transactionId, uuid } = await charging(1);
    const call = (meterValue: unknown) =>
      client.call('MeterValues', { connectorId: 1, transactionId, meterValue });
    t.same(await call([{ timestamp: at(1), sampledValue: [] }]), {}, 'no values');
    t.same(await call([]), {}, 'no readings');
    await call([
      {
        timestamp: at(2),
        sampledValue: [
          { value: '1', measurand: 'Power.Active.Import', phase: 'L1', unit: 'kW' },
          { value: '2', measurand: 'Power.Active.Import', phase: 'L2', unit: 'kW' },
          { value: '1,5', unit: 'kWh' },
          { value: '50', measurand: 'Frequency' },
          { value: '20', measurand: 'Temperature', unit: 'Celcius' },
          { value: 'NaN', measurand: 'SoC', unit: 'Percent' },
          { value: '7', context: 'Interruption.Begin' },
        ],
      },
    ]);
    t.match(await samplesOf(charger.id, uuid), [
      { context: 'Interruption.Begin', energyWh: 7 },
      {
        context: 'Sample.Periodic',
        energyWh: 1500,
        powerW: 3000,
        temperatureC: 20,
        socPercent: null,
        extra: { Frequency: '50', 'SoC Percent': 'NaN' },
        flags: ['value-unreadable'],
      },
    ]);
  });

  await t.test('corrects and flags a wrong clock', async (t) => {
    const { charger, client, transactionId, uuid } = await charging(1);
    const times = ['1970-01-01T00:00:01Z', '2099-01-01T00:00:00Z', at(5).replace('Z', '')];
    const meterValue = times.map((timestamp, index) => ({ ...reading(0, String(index)), timestamp }));
    await client.call('MeterValues', { connectorId: 1, transactionId, meterValue });
    const samples = await samplesOf(charger.id, uuid);
    t.equal(samples.length, 3);
    t.same(samples.find(({ energyWh }) => energyWh === 0)?.flags, ['time-past']);
    t.same(samples.find(({ energyWh }) => energyWh === 1)?.flags, ['time-future']);
    t.same(samples.find(({ energyWh }) => energyWh === 2)?.flags, []);
    for (const { time, receivedAt, energyWh } of samples) {
      t.same(new Date(time), new Date(energyWh === 2 ? at(5) : receivedAt));
    }
  });

  await t.test('finds a session that an earlier socket began', async (t) => {
    const { charger, transactionId, uuid } = await charging(1);
    const next = rig.client(charger, 'ocpp1.6');
    await next.connect();
    await next.call('MeterValues', { connectorId: 1, meterValue: [reading(1, '10')] });
    await next.call('MeterValues', { connectorId: 1, transactionId, meterValue: [reading(2, '20')] });
    t.match(await samplesOf(charger.id, uuid), [{ energyWh: 10 }, { energyWh: 20 }]);
  });
});
