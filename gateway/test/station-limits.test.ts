import t from 'tap';
import { showRunningCosts } from '#api/jobs/shown-costs.job.ts';
import { stopSessionsOverLimit } from '#api/jobs/session-watchdog.ts';
import { testDeps } from '#api/test/support/deps.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedRemoteStart, seedTariff, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { answerCalls } from './support/answering.ts';
import { connectRaw } from './support/raw-charger.ts';
import { startRig } from './support/rig.ts';
import { station21 } from './support/station21.ts';
import { seedDriver } from './support/wallet-drivers.ts';

const central = (idToken: string) => ({ idToken, type: 'Central' });
const own = (maxEnergy: number) => ({ triggerReason: 'LimitSet', info: { transactionLimit: { maxEnergy } } });

void t.test('limits of a transaction at a 2.1 station (E16, F07)', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  await seedTariff(sql, rig.network.id);
  const tag = await seedToken(sql, rig.network.id);

  const connect = async (supported: string) => {
    const { charger, client } = await rig.connect('ocpp2.1');
    const station = station21(client);
    await station.boot();
    await station.report(['TxCtrlr', 'SupportedLimits', supported]);
    return { charger, client, station };
  };
  const change = (transactionId: string, maxEnergyWh: number | null) =>
    sql`update sessions set max_energy_wh = ${maxEnergyWh} where ocpp_transaction_id = ${transactionId}`;
  const stored = async (transactionId: string) => {
    const [row] = await sql`
      select limits_sent as sent, limits_reported as reported, limit_reached as reached
      from station_transactions x join sessions s on s.id = x.session_id where s.ocpp_transaction_id = ${transactionId}`;
    return row;
  };

  await t.test('are sent with the first answer of a remote start, and each change once', async (t) => {
    const { charger, station } = await connect('maxEnergy,maxCost,maxTime');
    const limits = { maxCostMinor: 2550n, maxEnergyWh: 30_000, maxDurationSeconds: 7200 };
    await seedRemoteStart(sql, charger.id, { idToken: tag, remoteStartId: 4, ...limits });
    const sent = { maxCost: 25.5, maxEnergy: 30_000, maxTime: 7200 };
    const started = { idToken: central(tag), info: { remoteStartId: 4 }, kwh: 0 };
    t.same(await station.event('Started', 'limited', started), {
      idTokenInfo: { status: 'Accepted' },
      transactionLimit: sent,
    });
    const confirmed = { triggerReason: 'LimitSet', info: { transactionLimit: sent } };
    t.same(await station.event('Updated', 'limited', { minutes: 1, ...confirmed }), {});
    t.same(await station.event('Updated', 'limited', { minutes: 2, kwh: 1 }), {});
    await change('limited', 40_000);
    t.same(await station.event('Updated', 'limited', { minutes: 3, kwh: 2 }), {
      transactionLimit: { maxEnergy: 40_000 },
    });
    t.same(await station.event('Updated', 'limited', { minutes: 4, kwh: 3 }), {});
    await change('limited', null);
    t.same(
      await station.event('Updated', 'limited', { minutes: 5, kwh: 4 }),
      { transactionLimit: { maxEnergy: 1_000_000_000 } },
      'a limit is raised and never unset (E16.FR.17)',
    );
    const reached = { triggerReason: 'CostLimitReached', info: { chargingState: 'SuspendedEVSE' } };
    await station.event('Updated', 'limited', { minutes: 6, ...reached });
    t.match(await stored('limited'), {
      sent: { maxCost: 25.5, maxEnergy: 1_000_000_000, maxTime: 7200 },
      reported: { maxCost: 25.5, maxTime: 7200 },
      reached: 'maxCost',
    });
  });

  await t.test('are not sent where the station does not support them (E16.FR.12)', async (t) => {
    const { charger, station } = await connect('maxTime');
    await seedRemoteStart(sql, charger.id, { idToken: tag, remoteStartId: 5, maxEnergyWh: 1000 });
    const started = { idToken: central(tag), info: { remoteStartId: 5 }, kwh: 0 };
    t.same(await station.event('Started', 'unsupported', started), { idTokenInfo: { status: 'Accepted' } });
    t.equal(await stored('unsupported'), undefined);
  });

  await t.test("leave a lower limit of the station's own, and overrule a higher one", async (t) => {
    const { station } = await connect('maxEnergy');
    await station.event('Started', 'own', { idToken: central(tag), kwh: 0 });
    t.same(await station.event('Updated', 'own', { minutes: 1, ...own(5000) }), {});
    await change('own', 9000);
    t.same(await station.event('Updated', 'own', { minutes: 2, kwh: 1 }), {}, 'E16.FR.08');
    t.same(await station.event('Updated', 'own', { minutes: 3, ...own(12_000) }), {
      transactionLimit: { maxEnergy: 9000 },
    });
  });

  await t.test('are sent again on a new connection until the station confirms them', async (t) => {
    const { charger, client, station } = await connect('maxEnergy');
    await seedRemoteStart(sql, charger.id, { idToken: tag, remoteStartId: 6, maxEnergyWh: 8000 });
    await station.event('Started', 'lost', { idToken: central(tag), info: { remoteStartId: 6 }, kwh: 0 });
    await client.close();
    const back = rig.client(charger, 'ocpp2.1');
    await back.connect();
    const again = station21(back);
    t.same(await again.event('Updated', 'lost', { minutes: 1, kwh: 1 }), {
      transactionLimit: { maxEnergy: 8000 },
    });
    t.same(await again.event('Updated', 'lost', { minutes: 2, kwh: 2 }), {});
  });

  await t.test('include what the wallet of the driver can pay', async (t) => {
    const { charger, station } = await connect('maxCost');
    const driver = await seedDriver(rig, 2000n);
    await driver.hold(charger.id, 500n);
    t.match(
      await station.event('Started', 'wallet', { idToken: central(driver.tag), kwh: 0 }),
      { transactionLimit: { maxCost: 20 } },
      'the hold of 5.00, and 15.00 available',
    );
  });

  await t.test('do not replace our own stop', async (t) => {
    const { charger, client, station } = await connect('maxEnergy');
    const stops: unknown[] = [];
    answerCalls(client, (action, payload) => {
      if (action === 'RequestStopTransaction') stops.push(payload);
      return { status: 'Accepted' };
    });
    await seedRemoteStart(sql, charger.id, { idToken: tag, remoteStartId: 8, maxEnergyWh: 2000 });
    await station.event('Started', 'net', { idToken: central(tag), info: { remoteStartId: 8 }, kwh: 0 });
    await station.event('Updated', 'net', { minutes: 3, kwh: 2.5 });
    await until('the energy is stored', async () => {
      const [row] = await sql`select energy_wh as energy from sessions where ocpp_transaction_id = 'net'`;
      return Number(row?.['energy']) >= 2500;
    });
    const deps = { ...(await testDeps(t, rig.stores, rig.bus)), log: createLogger('test', 'silent') };
    await stopSessionsOverLimit(deps, { firstSeconds: 0, longestSeconds: 0 });
    t.same(stops, [{ transactionId: 'net' }]);
  });

  await t.test(
    'of the cost work by CostUpdated where the station has no tariff of ours (E16.FR.11)',
    async (t) => {
      const { client, station } = await connect('maxCost');
      const costs: unknown[] = [];
      answerCalls(client, (action, payload) => {
        if (action === 'CostUpdated') costs.push(payload);
        return {};
      });
      const driver = await seedDriver(rig, 2000n);
      const begin = (transactionId: string, info: object = {}) =>
        station.event('Started', transactionId, { idToken: central(driver.tag), info, kwh: 0 });
      t.match(await begin('without'), { transactionLimit: { maxCost: 20 } });
      await station.event('Updated', 'without', { minutes: 3, kwh: 5 });
      await until('the energy is stored', async () => {
        const [row] =
          await sql`select energy_wh as energy from sessions where ocpp_transaction_id = 'without'`;
        return Number(row?.['energy']) >= 5000;
      });
      const deps = await testDeps(t, rig.stores, rig.bus);
      await showRunningCosts(deps);
      // 5 kWh: (2.00 + 1.00) × 1.21; the station reported no display of costs.
      t.same(costs, [{ totalCost: 3.63, transactionId: 'without' }]);
      await station.event('Ended', 'without', { minutes: 4, kwh: 5 });
      await begin('with', { tariffId: 'T:1:1' });
      await station.event('Updated', 'with', { minutes: 3, kwh: 5 });
      await showRunningCosts(deps);
      t.equal(costs.length, 1, 'a station with our tariff calculates by itself');
    },
  );

  await t.test('are unknown to 2.0.1', async (t) => {
    const { charger, client } = await rig.connect('ocpp2.0.1');
    const station = station21(client);
    await station.report(['TxCtrlr', 'SupportedLimits', 'maxEnergy']);
    await seedRemoteStart(sql, charger.id, { idToken: tag, remoteStartId: 9, maxEnergyWh: 2000 });
    const started = { idToken: central(tag), info: { remoteStartId: 9 }, kwh: 0 };
    t.same(await station.event('Started', 'older', started), { idTokenInfo: { status: 'Accepted' } });
    const socket = await connectRaw(rig, charger, 'ocpp2.0.1');
    const newer = {
      eventType: 'Updated',
      timestamp: new Date().toISOString(),
      triggerReason: 'Trigger',
      seqNo: 1,
      transactionInfo: { transactionId: 'older', transactionLimit: { maxCost: 'x' } },
      costDetails: 7,
    };
    t.same(
      await socket.call('newer', 'TransactionEvent', newer),
      [3, 'newer', {}],
      'fields of 2.1 are ignored',
    );
    t.equal(await stored('older'), undefined);
  });
});
