import t from 'tap';
import { updateStationTariffs } from '#api/jobs/station-tariffs.job.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { answerCalls } from './support/answering.ts';
import { startRig } from './support/rig.ts';
import { station21 } from './support/station21.ts';

void t.test('tariffs of a station that calculates costs itself (I07, I10)', async (t) => {
  const rig = await startRig(t);
  const { sql, clickhouse } = rig.stores;
  const deps = { sql, clickhouse, bus: rig.bus } as ApiDeps;
  const tariff = await seedTariff(sql, rig.network.id);
  const { charger, client } = await rig.connect('ocpp2.1');
  const station = station21(client);
  await station.boot();
  const calls: { action: string; payload: unknown }[] = [];
  let status = 'Accepted';
  answerCalls(client, (action, payload) => {
    calls.push({ action, payload });
    if (action === 'ClearTariffs') return { clearTariffsResult: [{ status }] };
    return { status, ...(status === 'Rejected' && { statusInfo: { reasonCode: 'UnknownEVSE' } }) };
  });
  const update = async () => {
    calls.splice(0);
    await updateStationTariffs(deps);
    return calls.map(({ action }) => action);
  };
  const stored = () =>
    sql`select evse, tariff_id as id, status, reason from station_tariffs where charger_id = ${charger.id} order by evse`;
  const change = (fields: object) =>
    sql`update tariffs set ${sql(fields as never)}, version = version + 1 where uuid = ${tariff.uuid}`;
  const versionOf = async () => {
    const [row] = await sql<{ version: number }[]>`select version from tariffs where uuid = ${tariff.uuid}`;
    return row?.version;
  };

  t.same(await update(), [], 'a station that did not report local cost calculation');
  await station.report(['TariffCostCtrlr', 'Enabled', 'true', 'Tariff']);
  t.same(await update(), ['SetDefaultTariff', 'SetDefaultTariff']);
  const id = (version: number | undefined, evse: number) => `${tariff.uuid}:${version}:${evse}`;
  const first = await versionOf();
  t.match(calls[0]?.payload, {
    evseId: 1,
    tariff: {
      tariffId: id(first, 1),
      currency: 'EUR',
      energy: { prices: [{ priceKwh: 0.4 }], taxRates: [{ type: 'VAT', tax: 21 }] },
      fixedFee: { prices: [{ priceFixed: 1 }] },
    },
  });
  t.match(await stored(), [
    { evse: 1, id: id(first, 1), status: 'Accepted' },
    { evse: 2, id: id(first, 2), status: 'Accepted' },
  ]);
  t.same(await update(), [], 'not again without a change');

  status = 'DuplicateTariffId';
  await change({ name: 'Kept' });
  await update();
  t.match(
    await stored(),
    [{ status: 'Accepted' }, { status: 'Accepted' }],
    'an earlier answer was lost (I07.FR.04)',
  );

  status = 'Rejected';
  await change({ name: 'Renamed' });
  t.same(await update(), ['SetDefaultTariff', 'SetDefaultTariff']);
  t.match(await stored(), [{ status: 'Rejected', reason: 'UnknownEVSE' }, { status: 'Rejected' }]);

  const stepped = [{ price_components: [{ type: 'TIME', price: '1', step_size: 60 }] }];
  await change({ elements: sql.json(stepped) });
  t.same(await update(), [], 'a station bills no steps');
  t.match(await stored(), [{ status: 'NotExpressible', reason: 'STEP_SIZE' }, { status: 'NotExpressible' }]);

  status = 'Accepted';
  await sql`delete from tariff_assignments`;
  t.same(await update(), ['ClearTariffs', 'ClearTariffs']);
  t.same(await stored(), []);
});
