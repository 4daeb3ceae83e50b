import type { Test } from 'tap';
import { NoResponderError } from '#shared/bus/contract.ts';
import { until } from '#shared/testing/until.ts';
import { eventually } from './rigs.ts';
import type { Rig } from './rigs.ts';

/**
 * Tests the lifetime of presence on an implementation of the bus; the members of `rig` have `presenceTtlMs`.
 */
export async function lifetimeContract(t: Test, rig: Rig): Promise<void> {
  const a = await rig.open('a');
  const b = await rig.open('b');
  t.teardown(async () => {
    await a.close();
    await b.close();
  });

  await t.test('removes the claims of a killed member, and keeps those of a living one', async (t) => {
    await a.presence.claim('CP-6', 'one');
    let lapses = 1;
    // Again where this thread itself stood still for too long to keep its claim.
    for (let attempt = 0; attempt < 3 && lapses > 0; attempt += 1) {
      lapses = 0;
      const foreign = await rig.openForeign('foreign');
      const found = await eventually(async () => (await a.presence.lookup('foreign-key')) ?? undefined);
      t.equal(found.node, 'foreign');
      await foreign.kill();
      await until('the end of the claims of the killed member', async () => {
        if ((await b.presence.lookup('CP-6'))?.node !== 'a') lapses += 1;
        return (await a.presence.lookup('foreign-key')) === null;
      });
    }
    t.equal(lapses, 0, 'the claim of the living member outlives them');
    t.notOk((await a.presence.list()).some(({ key }) => key === 'foreign-key'));
    await t.rejects(a.request('foreign-echo', 1, { timeoutMs: 10_000 }), NoResponderError);
  });
}
