import type { Test } from 'tap';
import { NoResponderError } from '#shared/bus/contract.ts';
import { elapsed, eventually, longestPause, presenceTtlMs, soonMs } from './rigs.ts';
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

  await t.test('keeps the claims of a living member', async (t) => {
    await a.presence.claim('CP-6', 'one');
    // Again where this thread itself stood still for too long to keep anything.
    const kept = await eventually(async () => {
      const paused = await longestPause(2 * presenceTtlMs);
      const entry = await b.presence.lookup('CP-6');
      return entry !== null || paused < presenceTtlMs / 3 ? { entry } : undefined;
    });
    t.equal(kept.entry?.node, 'a');
  });

  await t.test('removes a killed member within the time to live', async (t) => {
    const foreign = await rig.openForeign('foreign');
    const found = await eventually(async () => (await a.presence.lookup('foreign-key')) ?? undefined);
    t.equal(found.node, 'foreign');
    await foreign.kill();
    const gone = async () => ((await a.presence.lookup('foreign-key')) === null ? true : undefined);
    const took = await elapsed(() => eventually(gone));
    t.ok(took < presenceTtlMs + soonMs, `gone after ${took} ms`);
    t.notOk((await a.presence.list()).some(({ key }) => key === 'foreign-key'));
    await t.rejects(a.request('foreign-echo', 1, { timeoutMs: 10_000 }), NoResponderError);
  });
}
