import t from 'tap';
import { seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { dialects } from './support/dialect.ts';
import { charging, openScene, start } from './support/scene.ts';

/** Returns the token's authorization in an answer, in either version. */
function authorizationOf(answer: unknown): { status: string; until: string | undefined } {
  const { idTagInfo, idTokenInfo } = answer as {
    idTagInfo?: { status: string; expiryDate?: string };
    idTokenInfo?: { status: string; cacheExpiryDateTime?: string };
  };
  const status = idTagInfo?.status ?? idTokenInfo?.status ?? '';
  return { status, until: idTagInfo?.expiryDate ?? idTokenInfo?.cacheExpiryDateTime };
}

void t.test('field notes 2 and 3: repeated starts', async (t) => {
  const scene = await openScene(t);

  for (const dialect of dialects) {
    await t.test(
      `${dialect.version}: answers a repeat with the same message id as the first time`,
      async (t) => {
        const charger = await scene.charger();
        const socket = await scene.socket(charger, dialect);
        const call = dialect.start(charging(scene));
        const first = await socket.call('s', ...call);
        t.equal(first[0], 3);
        t.same(await socket.call('s', ...call), first, 'later');
        for (let n = 0; n < 5; n += 1) socket.send(JSON.stringify([2, 's', ...call]));
        for (let n = 0; n < 5; n += 1) t.same(await socket.next(), first, 'at once');
        t.equal((await scene.sessions(charger)).length, 1);
      },
    );

    await t.test(
      `${dialect.version}: creates one session for concurrent repeats over two sockets`,
      async (t) => {
        for (let round = 0; round < 10; round += 1) {
          const charger = await scene.charger();
          const call = dialect.start(charging(scene));
          const old = await scene.socket(charger, dialect);
          // Two sockets that open within a millisecond may replace each other in either order.
          await old.call('settled', 'Heartbeat', {});
          const opening = scene.socket(charger, dialect);
          // The old socket is closed once the new one is open, but what came over it is stored.
          for (let n = 0; n < 3; n += 1) old.send(JSON.stringify([2, `old-${n}`, ...call]));
          const fresh = await opening;
          const answers = await Promise.all([0, 1, 2].map((n) => fresh.call(`fresh-${n}`, ...call)));
          const [first] = answers;
          for (const answer of answers) t.same(answer[2], first?.[2]);
          t.equal((await scene.sessions(charger)).length, 1);
        }
      },
    );

    await t.test(
      `${dialect.version}: answers a repeat after its token was blocked, without caching the token`,
      async (t) => {
        const { sql } = scene.rig.stores;
        const token = await seedToken(sql, scene.rig.network.id);
        const charger = await scene.charger();
        const call = dialect.start(charging(scene, { token }));
        const socket = await scene.socket(charger, dialect);
        const authorization = async (id: string) => authorizationOf((await socket.call(id, ...call))[2]);
        const first = await authorization('s');
        t.match(first, { status: 'Accepted', until: undefined });
        await sql`update id_tokens set is_valid = false where uid = ${token}`;
        const again = await authorization('again');
        t.equal(again.status, 'Accepted');
        t.ok(again.until !== undefined && new Date(again.until) <= new Date());
      },
    );

    await t.test(
      `${dialect.version}: recognizes a repeat with a new message id on another shard`,
      async (t) => {
        const charger = await scene.charger();
        const said = charging(scene);
        const shards = new Set<string>();
        const transactions = new Set<string | number>();
        let connectionId = '';
        for (let attempt = 0; shards.size < 2 && attempt < 50; attempt += 1) {
          const socket = await scene.socket(charger, dialect);
          const held = await until('the claim of the new socket', async () => {
            const now = await scene.rig.bus.presence.lookup(charger.uid);
            return now !== null && now.connectionId !== connectionId && now;
          });
          connectionId = held.connectionId;
          shards.add(held.node);
          transactions.add(await start(socket, dialect, said, `start-${attempt}`));
        }
        t.equal(shards.size, 2, 'both shards were asked');
        t.equal(transactions.size, 1);
        t.equal((await scene.sessions(charger)).length, 1);
      },
    );
  }
});
