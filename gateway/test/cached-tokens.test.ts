import t from 'tap';
import { seedCharger, seedToken } from '#shared/testing/seed.ts';
import { dialects } from './field-notes/support/dialect.ts';
import { connectRaw } from './support/raw-charger.ts';
import { startRig } from './support/rig.ts';

const minute = 60_000;

/** Until when an answer lets a charger remember its token, ms since 1970; null: for as long as it likes. */
function rememberedUntil(answer: unknown): number | null {
  const { idTagInfo, idTokenInfo } = answer as {
    idTagInfo?: { status: string; expiryDate?: string };
    idTokenInfo?: { status: string; cacheExpiryDateTime?: string };
  };
  if ((idTagInfo ?? idTokenInfo)?.status !== 'Accepted') throw new Error(JSON.stringify(answer));
  const said = idTagInfo?.expiryDate ?? idTokenInfo?.cacheExpiryDateTime;
  return said === undefined ? null : Date.parse(said);
}

void t.test('a token that requires online authorization', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  for (const dialect of dialects) {
    const charger = await seedCharger(sql, rig.network.id, { connectors: 1 });
    const socket = await connectRaw(rig, charger, dialect.version);
    const answersTo = async (token: string) => {
      const start = { connector: 1, token, startedAt: new Date(), meterStartWh: 0, name: token };
      const calls = [dialect.authorize(token), dialect.start(start)];
      const answers: unknown[] = [];
      for (const [index, call] of calls.entries()) {
        answers.push((await socket.call(`${token} ${index}`, ...call))[2]);
      }
      return answers.map(rememberedUntil);
    };

    await t.test(
      `${dialect.version}: expires in the cache after the start window, with a margin for fast clocks`,
      async (t) => {
        const never = await seedToken(sql, rig.network.id, { whitelist: 'NEVER' });
        for (const until of await answersTo(never)) {
          t.ok(until !== null && until > Date.now() + 4 * minute && until < Date.now() + 6 * minute);
        }
      },
    );

    await t.test(`${dialect.version}: expires in the cache no later than the token itself`, async (t) => {
      const expiresAt = new Date(Date.now() + minute);
      const expiring = await seedToken(sql, rig.network.id, { whitelist: 'NEVER', expiresAt });
      t.same(await answersTo(expiring), [expiresAt.getTime(), expiresAt.getTime()]);
      const late = new Date(Date.now() + 60 * minute);
      const lasting = await seedToken(sql, rig.network.id, { whitelist: 'NEVER', expiresAt: late });
      for (const until of await answersTo(lasting)) t.ok(until !== null && until < Date.now() + 6 * minute);
    });

    await t.test(`${dialect.version}: caches any other token until it expires`, async (t) => {
      t.same(await answersTo(await seedToken(sql, rig.network.id)), [null, null]);
    });
  }
});
