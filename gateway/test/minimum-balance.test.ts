import { randomUUID } from 'node:crypto';
import t from 'tap';
import { seedTariff, seedToken, seedUser } from '#shared/testing/seed.ts';
import { startRig } from './support/rig.ts';
import { scripted16, sessionOf } from './support/scripted16.ts';
import { seedDriver } from './support/wallet-drivers.ts';

void t.test('a network with a minimum balance', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  await seedTariff(sql, rig.network.id);
  const cardWithoutWallet = async () =>
    seedToken(sql, rig.network.id, { userId: (await seedUser(sql, rig.network.id)).id });
  const { charger, client } = await rig.connect('ocpp1.6');
  const authorize = async (idTag: string) =>
    ((await client.call('Authorize', { idTag })) as { idTagInfo: { status: string; expiryDate?: string } })
      .idTagInfo;

  await t.test(
    '1.6: blocks the card of a driver without a wallet, and lets no charger remember it',
    async (t) => {
      const tag = await cardWithoutWallet();
      const info = await authorize(tag);
      t.match(info, { status: 'Blocked' });
      t.ok(Date.parse(info.expiryDate ?? '') <= Date.now());
      t.strictSame([...(await sql`select 1 from id_token_caches`)], []);
      t.match(
        await client.call('StartTransaction', {
          connectorId: 1,
          idTag: tag,
          meterStart: 0,
          timestamp: new Date().toISOString(),
        }),
        { idTagInfo: { status: 'Blocked' } },
      );
    },
  );

  await t.test('2.0.1: answers NoCredit', async (t) => {
    const { client: newer } = await rig.connect('ocpp2.0.1');
    const idToken = { idToken: await cardWithoutWallet(), type: 'ISO14443' };
    t.match(await newer.call('Authorize', { idToken }), { idTokenInfo: { status: 'NoCredit' } });
  });

  await t.test('blocks a driver with less than the minimum, and accepts one with as much', async (t) => {
    t.match(await authorize((await seedDriver(rig, 499n)).tag), { status: 'Blocked' });
    t.match(await authorize((await seedDriver(rig, 500n)).tag), { status: 'Accepted' });
  });

  await t.test('counts what is held for a start of the driver', async (t) => {
    const driver = await seedDriver(rig, 600n);
    await driver.hold(charger.id, 500n);
    t.match(await authorize(driver.tag), { status: 'Accepted' });
    const transactionId = await scripted16(client, Date.now()).start(driver.tag, 0, 0, 2);
    t.match(await sessionOf(rig, transactionId), { authorizationStatus: 'Accepted' });
  });

  await t.test('accepts cards without a driver', async (t) => {
    t.match(await authorize(await seedToken(sql, rig.network.id)), { status: 'Accepted' });
  });

  await t.test(
    'accepts every driver once its minimum is 0, except an empty wallet that was used',
    async (t) => {
      await sql`update networks set minimum_balance_minor = 0 where id = ${rig.network.id}`;
      t.match(await authorize(await cardWithoutWallet()), { status: 'Accepted' });
      const driver = await seedDriver(rig, 1n);
      t.match(await authorize(driver.tag), { status: 'Accepted' });
      await driver.spend(1n, randomUUID());
      t.match(await authorize(driver.tag), { status: 'Blocked' });
    },
  );
});
