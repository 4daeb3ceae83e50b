import t from 'tap';
import { showRunningCosts } from '#api/jobs/shown-costs.job.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { seedTariff, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { answerCalls } from './support/answering.ts';
import { startRig } from './support/rig.ts';

const minute = 60_000;

void t.test('the cost of a session at a 2.0.1 station', async (t) => {
  const rig = await startRig(t);
  const { sql, clickhouse } = rig.stores;
  // 0.40 per kWh and 1.00 per session, and 21 % VAT.
  await seedTariff(sql, rig.network.id);
  const tag = await seedToken(sql, rig.network.id);
  const deps = { sql, clickhouse, bus: rig.bus } as ApiDeps;

  /** A station that charges 10 kWh in an hour, and keeps the costs that it is sent. */
  const station = async (isShowing: boolean) => {
    const { charger, client } = await rig.connect('ocpp2.0.1');
    const costs: unknown[] = [];
    answerCalls(client, (action, payload) => {
      if (action === 'CostUpdated') costs.push(payload);
      return {};
    });
    await client.call('NotifyReport', {
      requestId: 1,
      generatedAt: new Date().toISOString(),
      seqNo: 0,
      reportData: [
        {
          component: { name: 'TariffCostCtrlr' },
          variable: { name: 'Enabled', instance: 'Cost' },
          variableAttribute: [{ value: String(isShowing), mutability: 'ReadWrite' }],
        },
      ],
    });
    const startedAt = Date.now() - 60 * minute;
    const transactionId = `T-${charger.uid}`;
    const event = (eventType: string, seqNo: number, kwh: number) => {
      const timestamp = new Date(startedAt + seqNo * 30 * minute).toISOString();
      return client.call('TransactionEvent', {
        eventType,
        timestamp,
        triggerReason: 'MeterValuePeriodic',
        seqNo,
        transactionInfo: { transactionId, chargingState: 'Charging' },
        evse: { id: 1, connectorId: 1 },
        ...(seqNo === 0 && { idToken: { idToken: tag, type: 'ISO14443' } }),
        meterValue: [
          {
            timestamp,
            sampledValue: [
              { value: kwh, unitOfMeasure: { unit: 'kWh' }, measurand: 'Energy.Active.Import.Register' },
            ],
          },
        ],
      });
    };
    await event('Started', 0, 100);
    t.same(await event('Updated', 1, 105), {}, 'a running session has no final cost');
    await until('the energy', async () => {
      const [session] =
        await sql`select energy_wh as energy from sessions where ocpp_transaction_id = ${transactionId}`;
      return session?.['energy'] === 5000;
    });
    return { transactionId, costs, end: () => event('Ended', 2, 110) };
  };

  await t.test('is sent while it runs, once for each change, and with its end', async (t) => {
    const { transactionId, costs, end } = await station(true);
    await showRunningCosts(deps);
    // 5 kWh: (2.00 + 1.00) × 1.21.
    t.same(costs, [{ totalCost: 3.63, transactionId }]);
    await showRunningCosts(deps);
    t.equal(costs.length, 1, 'not again within a minute');
    await sql`update shown_costs set claimed_at = now() - interval '2 minutes'`;
    await showRunningCosts(deps);
    t.equal(costs.length, 1, 'not again without a change');
    // 10 kWh: (4.00 + 1.00) × 1.21.
    t.same(await end(), { totalCost: 6.05 });
    t.same(await end(), { totalCost: 6.05 }, 'a repeated end is answered alike');
  });

  await t.test('is not sent to a station that shows none', async (t) => {
    const { costs, end } = await station(false);
    await showRunningCosts(deps);
    t.same(await end(), {});
    t.same(costs, []);
  });

  await t.test('is not sent with the end of a session whose price is in review', async (t) => {
    const { transactionId, end } = await station(true);
    await end();
    await sql`update sessions set price_state = 'REVIEW' where ocpp_transaction_id = ${transactionId}`;
    t.same(await end(), {});
  });
});
