import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { totals } from '#deploy/chaos/auditor.ts';
import { runChaos } from '#deploy/chaos/chaos.ts';
import { faultsOf, pairOf } from '#deploy/chaos/faults.ts';
import { testStores } from '#shared/testing/stores.ts';

/** Busy machines take that long to start a process. */
const recoveryMs = 60_000;

void t.test('faults on the split topology lose and double nothing acknowledged', async (t) => {
  const stores = await testStores(t);
  const directory = mkdtempSync(join(tmpdir(), 'chargeway-test-chaos-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  await stores.clickhouse.ping();
  const result = await runChaos(stores, {
    stations: 60,
    seed: 1,
    calmMs: 2000,
    faultMs: 1500,
    recoveryMs,
    durationMs: 120_000,
    directory,
    chooseFaults(topology) {
      const all = new Map(faultsOf(topology, null).map((fault) => [fault.name, fault]));
      const fault = (name: string) => all.get(name)!;
      return [
        pairOf(fault('kill gateway-1'), fault('kill api-1')),
        fault('freeze gateway-2'),
        pairOf(fault('cut ClickHouse'), fault('cut gateway-1 from PostgreSQL')),
        fault('stall Redis'),
      ];
    },
    onProgress: (text) => t.comment(text),
  });
  t.same(totals(result.audit), { lost: 0, doubled: 0 }, JSON.stringify(result.audit));
  t.same(result.unexpectedExits, []);
  t.ok(result.promises.readings.size > 200, `${result.promises.readings.size} readings`);
  t.ok(result.promises.ended.size > 60, `${result.promises.ended.size} ended sessions`);
  t.ok(result.promises.credits.size > 50, `${result.promises.credits.size} credits`);
  t.ok(result.promises.commands > 50, `${result.promises.commands} commands`);
  t.same(result.promises.openCredits, new Set(), 'every repeated credit is acknowledged');
  t.equal(result.faults.length, 4);
  for (const { name, recovered, slowest } of result.faults)
    t.ok(recovered < recoveryMs / 1000, `${name}: ${slowest} recovered after ${recovered.toFixed(1)} s`);
});
