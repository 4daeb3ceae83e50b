import type { Test } from 'tap';
import type { Rig } from './rigs.ts';

/** Tests presence on an implementation of the bus. */
export async function presenceContract(t: Test, rig: Rig): Promise<void> {
  const a = await rig.open('a');
  const b = await rig.open('b');
  t.teardown(async () => {
    await a.close();
    await b.close();
  });

  await t.test('shows a claim to all members until it is released', async (t) => {
    t.equal(await a.presence.lookup('CP-1'), null);
    t.equal(await a.presence.claim('CP-1', 'one'), null);
    const entry = { key: 'CP-1', node: 'a', connectionId: 'one' };
    t.strictSame(await a.presence.lookup('CP-1'), entry);
    t.strictSame(await b.presence.lookup('CP-1'), entry);
    t.equal(await a.presence.release('CP-1', 'one'), true);
    t.equal(await b.presence.lookup('CP-1'), null);
    t.equal(await a.presence.release('CP-1', 'one'), false, 'released once');
  });

  await t.test('keeps the newest claim on a late release of the old one', async (t) => {
    await a.presence.claim('CP-2', 'old');
    const replaced = await b.presence.claim('CP-2', 'new');
    t.strictSame(replaced, { key: 'CP-2', node: 'a', connectionId: 'old' });
    t.equal(await a.presence.release('CP-2', 'old'), false);
    t.strictSame(await a.presence.lookup('CP-2'), { key: 'CP-2', node: 'b', connectionId: 'new' });
    t.equal(await b.presence.release('CP-2', 'new'), true);
  });

  await t.test('treats a reconnection to the same member as a newer claim', async (t) => {
    await a.presence.claim('CP-3', 'old');
    t.strictSame(await a.presence.claim('CP-3', 'new'), { key: 'CP-3', node: 'a', connectionId: 'old' });
    t.equal(await a.presence.claim('CP-3', 'new'), null, 'the same connection replaces no other');
    t.equal(await a.presence.release('CP-3', 'old'), false);
    t.equal((await b.presence.lookup('CP-3'))?.connectionId, 'new');
    t.equal(await a.presence.release('CP-3', 'new'), true);
  });

  await t.test('rejects a claim that arrives after a newer one', async (t) => {
    await b.presence.claim('CP-7', 'new');
    t.strictSame(await a.presence.claim('CP-7', 'old', Date.now() - 1000), {
      key: 'CP-7',
      node: 'a',
      connectionId: 'old',
    });
    t.equal((await b.presence.lookup('CP-7'))?.connectionId, 'new');
    t.equal(await a.presence.release('CP-7', 'old'), false, 'nor is it held');
    t.equal(await b.presence.release('CP-7', 'new'), true);
  });

  await t.test('makes many claims at once and returns those that lost', async (t) => {
    const claimedAt = Date.now();
    await b.presence.claim('CP-8', 'older', claimedAt - 1000);
    await b.presence.claim('CP-9', 'newer', claimedAt + 1000);
    const requests = ['CP-8', 'CP-9', 'CP-10'].map((key) => ({ key, connectionId: 'one', claimedAt }));
    t.strictSame(await a.presence.claimAll(requests), [
      { key: 'CP-8', node: 'b', connectionId: 'older' },
      { key: 'CP-9', node: 'a', connectionId: 'one' },
    ]);
    const holders = await Promise.all(requests.map(({ key }) => a.presence.lookup(key)));
    t.strictSame(
      holders.map((entry) => entry?.node),
      ['a', 'b', 'a'],
    );
  });

  await t.test('releases only claims of the same member', async (t) => {
    await a.presence.claim('CP-4', 'one');
    t.equal(await b.presence.release('CP-4', 'one'), false);
    t.equal((await b.presence.lookup('CP-4'))?.node, 'a');
    await a.presence.release('CP-4', 'one');
  });

  await t.test('leaves exactly one holder when members race for a key and reports the loser', async (t) => {
    const rounds = Array.from({ length: 200 }, (_, index) => `race-${index}`);
    await Promise.all(
      rounds.map(async (key) => {
        const [ofA, ofB] = await Promise.all([a.presence.claim(key, 'a1'), b.presence.claim(key, 'b1')]);
        t.equal([ofA, ofB].filter((lost) => lost === null).length, 1, `${key}: one came first`);
        const loser = (ofA ?? ofB)?.node;
        t.equal(
          (await b.presence.lookup(key))?.node,
          loser === 'a' ? 'b' : 'a',
          `${key}: the other holds it`,
        );
        await Promise.all([a.presence.release(key, 'a1'), b.presence.release(key, 'b1')]);
      }),
    );
  });

  await t.test('lists all living entries', async (t) => {
    await Promise.all(
      Array.from({ length: 2500 }, (_, index) =>
        (index % 2 === 0 ? a : b).presence.claim(`list-${index}`, `c${index}`),
      ),
    );
    const entries = (await b.presence.list()).filter(({ key }) => key.startsWith('list-'));
    const byKey = new Map(entries.map((entry) => [entry.key, entry]));
    t.equal(entries.length, 2500);
    t.equal(byKey.size, 2500);
    t.strictSame(byKey.get('list-0'), { key: 'list-0', node: 'a', connectionId: 'c0' });
    t.strictSame(byKey.get('list-2499'), { key: 'list-2499', node: 'b', connectionId: 'c2499' });
  });

  await t.test('removes the claims of a closed member, also when its name returns', async (t) => {
    const c = await rig.open('c');
    await c.presence.claim('CP-5', 'one');
    t.equal((await a.presence.lookup('CP-5'))?.node, 'c');
    await c.close();
    t.equal(await a.presence.lookup('CP-5'), null);
    const again = await rig.open('c');
    t.equal(await a.presence.lookup('CP-5'), null);
    t.equal(await a.presence.claim('CP-5', 'two'), null, 'the dead claim is not answered as replaced');
    await again.close();
  });
}
