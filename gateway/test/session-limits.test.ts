import t from 'tap';
import { stopSessionsOverLimit } from '#api/jobs/session-watchdog.ts';
import { testDeps } from '#api/test/support/deps.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedRemoteStart, seedToken } from '#shared/testing/seed.ts';
import { startRig } from './support/rig.ts';
import { minute, scripted16, sessionOf, untilLive } from './support/scripted16.ts';

void t.test('stops a session that passes its limit at its charger', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const tag = await seedToken(sql, rig.network.id);
  const { charger: registered, client } = await rig.connect('ocpp1.6');
  const charger = scripted16(client, Date.now() - 10 * minute);
  const asked16 = { idToken: tag.toLowerCase(), remoteStartId: 1, maxEnergyWh: 2000 };
  await seedRemoteStart(sql, registered.id, asked16);
  const asked: unknown[] = [];
  let answer = 'Rejected';
  client.handle('RemoteStopTransaction', async ({ params }) => {
    asked.push(params);
    return { status: answer };
  });
  const elsewhere = await charger.start(tag, -1, 0, 2);
  const transactionId = await charger.start(tag, 0, 0);
  t.match(await sessionOf(rig, elsewhere), { maxEnergyWh: null }, 'meant for the other connector');
  t.match(await sessionOf(rig, transactionId), { maxEnergyWh: 2000 });
  const deps = { ...(await testDeps(t, rig.stores, rig.bus)), log: createLogger('test', 'silent') };
  const atOnce = { firstSeconds: 0, longestSeconds: 0 };
  await stopSessionsOverLimit(deps, atOnce);
  t.strictSame(asked, []);

  await charger.meter(transactionId, 5, 2500);
  await untilLive(rig, transactionId, 2500);
  await stopSessionsOverLimit(deps, atOnce);
  t.match(await sessionOf(rig, transactionId), { status: 'ACTIVE', limitPassed: 'MaxEnergy' }, 'it said no');
  answer = 'Accepted';
  await stopSessionsOverLimit(deps, atOnce);
  t.strictSame(asked, [{ transactionId }, { transactionId }], 'so it is asked again');
  t.match(await sessionOf(rig, transactionId), { status: 'STOPPING' });
  await charger.stop(transactionId, 6, 2600);
  t.match(await sessionOf(rig, transactionId), { status: 'COMPLETED', energyWh: 2600 });
  await stopSessionsOverLimit(deps, atOnce);
  t.equal(asked.length, 2);
});

void t.test(
  '2.0.1: applies the limits of a remote start to a transaction that the cable began',
  async (t) => {
    const rig = await startRig(t);
    const { sql } = rig.stores;
    const tag = await seedToken(sql, rig.network.id);
    const { charger, client } = await rig.connect('ocpp2.0.1');
    const event = (eventType: string, seqNo: number, transactionInfo: object, idToken?: object) =>
      client.call('TransactionEvent', {
        eventType,
        timestamp: new Date().toISOString(),
        triggerReason: seqNo === 0 ? 'CablePluggedIn' : 'RemoteStart',
        seqNo,
        transactionInfo: { transactionId: 'cable', ...transactionInfo },
        evse: { id: 1, connectorId: 1 },
        ...(idToken !== undefined && { idToken }),
      });
    await event('Started', 0, {});
    const limits = { maxCostMinor: 2500n, maxDurationSeconds: 3600 };
    await seedRemoteStart(sql, charger.id, { idToken: tag, remoteStartId: 7, ...limits });
    t.match(await sessionOf(rig, 'cable'), { maxDurationSeconds: null });
    await event('Updated', 1, { remoteStartId: 7 }, { idToken: tag, type: 'Central' });
    t.match(await sessionOf(rig, 'cable'), { idToken: tag, ...limits });
  },
);
