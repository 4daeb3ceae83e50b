import type { Test } from 'tap';
import { BusClosedError } from '#shared/bus/contract.ts';
import { eventually, type Rig } from './rigs.ts';

/** Tests `count` on an implementation of the bus. */
export async function countingContract(t: Test, rig: Rig): Promise<void> {
  const a = await rig.open('a');
  const b = await rig.open('b');
  t.teardown(async () => {
    await a.close();
    await b.close();
  });

  await t.test('counts each key once over all members', async (t) => {
    const counts = await Promise.all(
      Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? a : b).count('together', 60_000)),
    );
    t.strictSame(
      counts.map(({ count }) => count).toSorted((x, y) => x - y),
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
    t.equal((await b.count('another', 60_000)).count, 1);
  });

  await t.test('starts the window at the first count and keeps it for later ones', async (t) => {
    const first = await a.count('window', 60_000);
    t.ok(first.resetInMs > 55_000 && first.resetInMs <= 60_000, `${first.resetInMs} ms`);
    const next = await b.count('window', 3_600_000);
    t.equal(next.count, 2);
    t.ok(next.resetInMs <= first.resetInMs, `${next.resetInMs} ms`);
  });

  await t.test('starts a new window after the end of the last', async (t) => {
    t.equal((await a.count('short', 100)).count, 1);
    const restartedMs = await eventually(async () => {
      const { count, resetInMs } = await a.count('short', 100);
      return count === 1 ? resetInMs : undefined;
    });
    t.ok(restartedMs > 0 && restartedMs <= 100, `${restartedMs} ms`);
  });

  await t.test('counts nothing for a closed member', async (t) => {
    const c = await rig.open('c');
    await c.close();
    await t.rejects(c.count('closed', 1000), BusClosedError);
    t.equal((await a.count('closed', 1000)).count, 1);
  });
}
