import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { audit, findingsOf, totals } from '#deploy/chaos/auditor.ts';
import { runChaos } from '#deploy/chaos/chaos.ts';
import type { Evidence } from '#deploy/chaos/evidence.ts';
import { faultsOf, pairOf } from '#deploy/chaos/faults.ts';
import { testStores, type TestStores } from '#shared/testing/stores.ts';
import { type Plant, plants } from './support/chaos-plants.ts';

/** Busy machines take that long to start a process. */
const recoveryMs = 60_000;

void t.test('faults on the split topology lose and double nothing acknowledged', async (t) => {
  const stores = await testStores(t);
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-test-chaos-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  await stores.clickhouse.ping();
  const result = await runChaos(stores, {
    stations: 40,
    seed: 1,
    calmMs: 2000,
    faultMs: 1500,
    recoveryMs,
    everyMs: 0,
    directory,
    chooseFaults(sites) {
      const all = new Map(faultsOf(sites, null).map((fault) => [fault.name, fault]));
      const fault = (name: string) => all.get(name)!;
      const fullDisk = all.get('fill the disk of gateway-1');
      return [
        pairOf(fault('kill gateway-1'), fault('kill api-1')),
        pairOf(fault('freeze gateway-2'), fault('step the clock of gateway-1 forward')),
        pairOf(fault('cut ClickHouse'), fault('cut gateway-1 from PostgreSQL')),
        // No fault where the account may not mount a small disk.
        fullDisk === undefined ? fault('stall Redis') : pairOf(fault('stall Redis'), fullDisk),
      ];
    },
    onProgress: (text) => t.comment(text),
  });
  t.same(totals(result.audit), { lost: 0, doubled: 0 }, JSON.stringify(result.audit));
  t.same(result.unexpectedExits, []);
  for (const [kind, { count }] of findingsOf(result.audit)) t.ok(count > 10, `${kind}: ${count} compared`);
  t.same(result.evidence.promises.openCredits, new Set(), 'every repeated credit is acknowledged');
  t.equal(result.faults.length, 4);
  for (const { name, recovered, slowest } of result.faults)
    t.ok(recovered < recoveryMs / 1000, `${name}: ${slowest} recovered after ${recovered.toFixed(1)} s`);

  await t.test('the auditor reports planted losses and doublings', async (t) => {
    for (const plant of plants) await checkPlant(t, stores, result.evidence, plant);
    await checkPlantedReadings(t, stores, result.evidence);
  });
});

/** Plants a loss or a doubling, and expects it in the report. The stored rows are restored. */
async function checkPlant(t: Test, { sql, clickhouse }: TestStores, evidence: Evidence, plant: Plant) {
  const undo = new Error('undone');
  await sql
    .begin(async (transaction) => {
      // The tables refuse changes of what is final.
      await transaction`set local session_replication_role = replica`;
      const { reported, changed } = await plant.plant(transaction, evidence);
      const found = await audit({ sql: transaction, clickhouse }, { ...evidence, ...changed });
      const names = found[plant.kind][plant.side] ?? [];
      t.ok(
        names.some((name) => name.includes(reported)),
        `${plant.title}: ${plant.side} ${plant.kind}`,
      );
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
}

/** Plants lost, detached and doubled readings. ClickHouse has no transactions, so they stay. */
async function checkPlantedReadings(t: Test, stores: TestStores, evidence: Evidence): Promise<void> {
  const { clickhouse } = stores;
  const { chargers, promises } = evidence;
  const [lost, detached, doubled] = [...promises.readings].map((key) => {
    const [uid = '', timeMs = '', energyWh = ''] = key.split(' ');
    const chargerId = chargers.find((charger) => charger.uid === uid)?.id ?? 0;
    const where = `charger_id = ${chargerId} and time = fromUnixTimestamp64Milli(${timeMs}) and energy_wh = ${energyWh}`;
    return { key, where };
  });
  if (lost === undefined || detached === undefined || doubled === undefined) throw new Error('no readings');
  const copy = (where: string, column: string) =>
    clickhouse.command({
      query: `insert into meter_samples select * replace(${column}) from meter_samples where ${where} limit 1`,
    });
  const remove = (where: string) => clickhouse.command({ query: `delete from meter_samples where ${where}` });
  await copy(doubled.where, 'toUInt16(connector + 1000) as connector');
  await remove(lost.where);
  await copy(detached.where, "toUUID('00000000-0000-0000-0000-000000000000') as session_id");
  await remove(`${detached.where} and session_id != toUUID('00000000-0000-0000-0000-000000000000')`);
  const { readings } = await audit(stores, evidence);
  t.same(new Set(readings.lost), new Set([lost.key, detached.key]), 'a lost and a detached reading');
  t.same(readings.doubled, [doubled.key], 'a reading that is stored twice');
}
