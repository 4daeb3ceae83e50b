import type { RPCClient } from 'ocpp-rpc';
import t from 'tap';
import { seedTariff, seedToken } from '#shared/testing/seed.ts';
import { startRig } from './support/rig.ts';
import { minute, sessionOf } from './support/scripted16.ts';

void t.test('2.0.1: starts that arrive after later events of their session', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const tag = await seedToken(sql, rig.network.id);
  await seedTariff(sql, rig.network.id);
  const begin = Date.now() - 40 * minute;
  const at = (minutes: number) => new Date(begin + minutes * minute).toISOString();
  /** The tariff of one connector from one time to another. */
  const assign = async (connectorId: number, price: string, from: string, until: string) => {
    const elements = [{ price_components: [{ type: 'ENERGY', price, step_size: 1 }] }];
    await sql`
      with tariff as (
        insert into tariffs (network_id, name, currency, elements)
        values (${rig.network.id}, ${price}, 'EUR', ${sql.json(elements)}) returning id
      )
      insert into tariff_assignments (tariff_id, connector_id, valid_from, valid_until)
      select id, ${connectorId}, ${from}, ${until} from tariff`;
  };

  const tell = async (
    client: RPCClient,
    transactionId: string,
    events: [eventType: string, minutes: number, registerWh: number][],
    idToken = tag,
  ) => {
    for (const [eventType, minutes, value] of events) {
      await client.call('TransactionEvent', {
        eventType,
        timestamp: at(minutes),
        triggerReason: 'MeterValuePeriodic',
        seqNo: minutes,
        transactionInfo: { transactionId },
        meterValue: [{ timestamp: at(minutes), sampledValue: [{ value }] }],
        // EVSE and token are sent once.
        ...(eventType === 'Started' && {
          evse: { id: 2, connectorId: 1 },
          idToken: { idToken, type: 'ISO14443' },
        }),
      });
    }
    return sessionOf(rig, transactionId);
  };
  const started: [string, number, number] = ['Started', 0, 1000];
  const updated: [string, number, number] = ['Updated', 5, 3000];
  const ended: [string, number, number] = ['Ended', 30, 11_000];

  for (const events of [
    [updated, started, ended],
    [updated, ended, started],
    [ended, started],
  ]) {
    const order = events.map(([type]) => type).join(', ');
    await t.test(`${order}: applies the tariff of its own time and connector`, async (t) => {
      const { charger, client } = await rig.connect('ocpp2.0.1');
      const [second] = await sql<{ id: number }[]>`
        select id from connectors where charger_id = ${charger.id} and number = 2`;
      await assign(second?.id ?? 0, '1.00', '2020-01-01T00:00:00Z', at(3));
      await assign(second?.id ?? 0, '9.00', at(3), '2100-01-01T00:00:00Z');
      t.match(await tell(client, order, events), {
        connectorNumber: 2,
        energyWh: 10_000,
        tariff: { name: '1.00' },
        cost: { totalInclVatMinor: '1000' },
        flags: { length: 0 },
      });
    });
  }

  await t.test('bills nothing for a start with a refused token', async (t) => {
    const { client } = await rig.connect('ocpp2.0.1');
    const blocked = await seedToken(sql, rig.network.id, { isValid: false });
    const session = await tell(client, 'refused', [['Ended', 1, 1000], started], blocked);
    t.match(session, { energyWh: 0, cost: { lines: [], totalInclVatMinor: '0' } });
  });
});
