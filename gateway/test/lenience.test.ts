import t from 'tap';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { listConnectors } from '#shared/testing/connectors.ts';
import { listedSessions } from '#shared/testing/listed-sessions.ts';
import { seedCharger, seedToken } from '#shared/testing/seed.ts';
import { connectRaw } from './support/raw-charger.ts';
import { startRig } from './support/rig.ts';

const timestamp = new Date(Date.now() - 60_000).toISOString();

void t.test('lenient parsing', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const tag = await seedToken(sql, rig.network.id);
  const sessions = async (chargerUuid: string) => {
    const everything = { networks: allNetworks, userId: null };
    return listedSessions(sql, everything, { chargerUuid });
  };

  await t.test(
    '1.6: accepts null for omitted fields, numbers as text or with decimals, and new reasons',
    async (t) => {
      const charger = await seedCharger(sql, rig.network.id);
      const socket = await connectRaw(rig, charger, 'ocpp1.6');
      const boot = { chargePointVendor: 'V', chargePointModel: 'M', iccid: null, firmwareVersion: null };
      t.match(await socket.call('1', 'BootNotification', boot), [3, '1', { status: 'Accepted' }]);
      const status = { connectorId: '2', errorCode: 'E42', status: 'Faulted', info: null };
      t.match(await socket.call('2', 'StatusNotification', status), [3, '2', {}]);
      t.match(await listConnectors(sql, [charger.id]), [{ number: 2, status: 'Faulted', errorCode: 'E42' }]);
      const start = { connectorId: '2', idTag: tag, meterStart: '1000', timestamp, reservationId: null };
      const [type, , answer] = await socket.call('3', 'StartTransaction', start);
      t.equal(type, 3);
      const { transactionId } = answer as { transactionId: number };
      const sampledValue = [{ value: '1500', unit: null, phase: null, format: null }];
      const meterValues = {
        connectorId: 2,
        transactionId: `${transactionId}`,
        meterValue: [{ timestamp, sampledValue }],
      };
      t.match(await socket.call('4', 'MeterValues', meterValues), [3, '4', {}]);
      const stop = {
        transactionId: `${transactionId}`,
        meterStop: 3500.5,
        timestamp,
        reason: 'Vendor.Bored',
        idTag: null,
        transactionData: null,
      };
      t.match(await socket.call('5', 'StopTransaction', stop), [3, '5', {}]);
      t.match(await sessions(charger.uuid), [
        { status: 'COMPLETED', connectorNumber: 2, energyWh: 2500.5, stopReason: 'Vendor.Bored' },
      ]);
    },
  );

  await t.test('2.0.1: accepts null for omitted fields and new reasons', async (t) => {
    const charger = await seedCharger(sql, rig.network.id);
    const socket = await connectRaw(rig, charger, 'ocpp2.0.1');
    const event = {
      eventType: 'Ended',
      timestamp,
      triggerReason: 'Vendor.Whim',
      seqNo: 0,
      transactionInfo: { transactionId: 'tx', stoppedReason: 'Vendor.Bored', chargingState: null },
      idToken: null,
      meterValue: null,
      evse: { id: 1, connectorId: null },
    };
    t.match(await socket.call('1', 'TransactionEvent', event), [3, '1', {}]);
    t.match(await sessions(charger.uuid), [{ status: 'COMPLETED', stopReason: 'Vendor.Bored' }]);
  });

  await t.test('answers a start with an impossible reservation', async (t) => {
    for (const reservationId of [0, -1, 2 ** 32 - 1, Number.MAX_VALUE]) {
      const charger = await seedCharger(sql, rig.network.id);
      const start = { connectorId: 1, idTag: tag, meterStart: 0, timestamp, reservationId };
      const old = await connectRaw(rig, charger, 'ocpp1.6');
      t.match(await old.call('1', 'StartTransaction', start), [3, '1', { transactionId: Number }]);
      const event = {
        eventType: 'Started',
        timestamp,
        triggerReason: 'Authorized',
        seqNo: 0,
        transactionInfo: { transactionId: 'reserved' },
        evse: { id: 2 },
        reservationId,
      };
      const modern = await connectRaw(rig, await seedCharger(sql, rig.network.id), 'ocpp2.0.1');
      t.match(await modern.call('1', 'TransactionEvent', event), [3, '1', {}]);
    }
  });

  await t.test('corrects a field that is invalid in every reading', async (t) => {
    const sampledValue = [{ value: '1', phase: null, location: null }];
    const readings = Array.from({ length: 210 }, () => ({ timestamp, sampledValue }));
    const charger = await seedCharger(sql, rig.network.id);
    const old = await connectRaw(rig, charger, 'ocpp1.6');
    const stop = { transactionId: 0, meterStop: 1000, timestamp, transactionData: readings };
    t.match(await old.call('1', 'StopTransaction', stop), [3, '1', {}]);
    const modern = await connectRaw(rig, await seedCharger(sql, rig.network.id), 'ocpp2.0.1');
    const report = { evseId: 1, meterValue: readings };
    t.match(await modern.call('1', 'MeterValues', report), [3, '1', {}], 'numbers as text as well');
  });

  await t.test('keeps text when another item holds null', async (t) => {
    const socket = await connectRaw(rig, await seedCharger(sql, rig.network.id), 'ocpp2.0.1');
    const reportData = [null, '300'].map((value) => ({
      component: { name: 'Clock' },
      variable: { name: value === null ? 'Secret' : 'Interval' },
      variableAttribute: [{ value }],
    }));
    const report = { requestId: 1, generatedAt: timestamp, seqNo: 0, reportData };
    t.match(await socket.call('1', 'NotifyReport', report), [3, '1', {}]);
  });

  await t.test('refuses missing and unreadable required fields', async (t) => {
    const charger = await seedCharger(sql, rig.network.id);
    const socket = await connectRaw(rig, charger, 'ocpp1.6');
    const status = { connectorId: 1, errorCode: 'NoError', status: 'Available' };
    for (const [id, fault, code] of [
      ['1', { connectorId: null }, 'OccurenceConstraintViolation'],
      ['2', { connectorId: 'one' }, 'TypeConstraintViolation'],
      ['3', { connectorId: 1.5 }, 'TypeConstraintViolation'],
      ['4', { connectorId: [] }, 'TypeConstraintViolation'],
      ['5', { status: '7' }, 'PropertyConstraintViolation'],
      ['6', { info: 7 }, 'TypeConstraintViolation'],
    ] as const) {
      const answer = await socket.call(id, 'StatusNotification', { ...status, ...fault });
      t.same(answer.slice(0, 3), [4, id, code], JSON.stringify(fault));
    }
  });
});
