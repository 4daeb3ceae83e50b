import { randomInt, randomUUID } from 'node:crypto';
import t from 'tap';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { findStart } from '#shared/postgres/charging/remote-start-records.ts';
import { claimRemoteStart } from '#shared/postgres/charging/remote-starts.statements.ts';
import { insertAuthorization } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import { insertPartner } from '#shared/postgres/roaming/ocpi-partners.statements.ts';
import { seedTariff, seedToken } from '#shared/testing/seed.ts';
import { seedDriver } from './support/wallet-drivers.ts';
import { type Rig, startRig } from './support/rig.ts';
import { minute, scripted16, sessionOf } from './support/scripted16.ts';

/** A 1.6 charger, and what a driver asks of it over the API. */
async function connectAsked(rig: Rig) {
  const { sql } = rig.stores;
  const { charger, client } = await rig.connect('ocpp1.6');
  client.handle('RemoteStartTransaction', async () => ({ status: 'Accepted' }));
  const [connector] = await sql<{ id: number }[]>`
    select id from connectors where charger_id = ${charger.id} and number = 1`;
  const connectorId = connector?.id ?? 0;
  return {
    charger,
    scripted: (begin: number) => scripted16(client, begin),
    /** Asks for a session of at most 7 kWh, which a wallet holds money for; answers how to follow it. */
    ask: async (by: { tag: string; userId: number | null; holdId: bigint | null }) => {
      const chargerId = charger.id;
      const expiresAt = new Date(Date.now() + 5 * minute);
      const remoteStartId = randomInt(1, 2 ** 31 - 1);
      const limits = { maxCostMinor: null, maxDurationSeconds: null, maxEnergyWh: 7000 };
      const at = { uuid: randomUUID(), chargerId, connectorId, evse: 1 };
      const claim = { ...at, userId: by.userId, idToken: by.tag, remoteStartId, limits, expiresAt };
      const start = await sql.begin((transaction) => claimRemoteStart(transaction, claim));
      if (start === null) throw new Error('another start waits');
      await sql`update wallet_holds set remote_start_id = ${start.id} where id = ${by.holdId}`;
      const position = { evse: 1, connector: 1 };
      const named = { idToken: by.tag, remoteStartId, startUuid: start.uuid };
      const reply = await rig.command(charger.uid, { type: 'remote-start', position, ...named });
      t.match(reply, { ok: true, result: { accepted: true } });
      return async () => {
        const found = await findStart(sql, { networks: allNetworks, userId: by.userId }, start.uuid);
        return [found?.status, found?.sessionUuid ?? null];
      };
    },
  };
}

void t.test('remote starts and replayed sessions', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  await seedTariff(sql, rig.network.id);

  // By a clock that is right, and by one that is five hours behind.
  for (const behind of [0, 5 * 60 * minute]) {
    const now = () => Date.now() - behind;
    const clock = behind === 0 ? 'a right clock' : 'a clock that is hours behind';

    await t.test(
      `${clock}: links a remote start to the session after it, with its limits and hold`,
      async (t) => {
        const driver = await seedDriver(rig, 2000n);
        const { scripted, ask } = await connectAsked(rig);
        const hold = await driver.setAside(500n);
        const started = await ask({ tag: driver.tag, userId: driver.id, holdId: hold.id });

        const kept = scripted(now() - 60 * minute);
        const old = await kept.start(driver.tag, 0, 1000);
        await kept.meter(old, 10, 5000);
        await kept.stop(old, 30, 6000);
        t.strictSame(await started(), ['pending', null], 'it waits on');
        t.match(await sessionOf(rig, old), { status: 'COMPLETED', maxEnergyWh: null });
        t.strictSame(await driver.balances(), [1137, 500, 0], 'the old one is paid, and the hold kept');
        await kept.start(driver.tag, 0, 1000);
        t.strictSame(await started(), ['pending', null], 'and so it does when the old one is sent again');

        const live = scripted(now());
        const asked = await live.start(driver.tag, 0, 6000);
        const { uuid } = await sessionOf(rig, asked);
        t.strictSame(await started(), ['started', uuid]);
        t.match(await sessionOf(rig, asked), { maxEnergyWh: 7000 });
        await live.stop(asked, 0, 6500);
        t.strictSame(await started(), ['started', uuid]);
        t.strictSame(await driver.balances(), [1492, 0, 0], 'from its hold');
      },
    );

    await t.test(`${clock}: links a remotely started session that is reported late`, async (t) => {
      const driver = await seedDriver(rig, 2000n);
      const { scripted, ask } = await connectAsked(rig);
      const started = await ask({ tag: driver.tag, userId: driver.id, holdId: null });
      const live = scripted(now());
      const asked = await live.start(driver.tag, 0, 1000);
      const { uuid } = await sessionOf(rig, asked);
      // Half an hour later, for all that the database knows.
      await sql`update remote_starts set requested_at = requested_at - interval '30 minutes' where id_token = ${driver.tag}`;
      await sql`update sessions set start_received_at = start_received_at - interval '30 minutes', started_at = started_at - interval '30 minutes' where uuid = ${uuid}`;
      await live.stop(asked, 0, 6000);
      t.strictSame(await started(), ['started', uuid], 'reported as it happened');

      const again = await ask({ tag: driver.tag, userId: driver.id, holdId: null });
      await sql`update remote_starts set requested_at = requested_at - interval '40 minutes' where status = 'pending'`;
      const late = scripted(now() - 38 * minute);
      const second = await late.start(driver.tag, 0, 6000);
      await late.stop(second, 30, 9000);
      t.strictSame(
        await again(),
        ['started', (await sessionOf(rig, second)).uuid],
        'the charger was offline meanwhile',
      );
    });
  }

  await t.test('links an expired remote start to a session that is reported late', async (t) => {
    const driver = await seedDriver(rig, 2000n);
    const { scripted, ask } = await connectAsked(rig);
    const started = await ask({ tag: driver.tag, userId: driver.id, holdId: null });
    const kept = scripted(Date.now() - 60 * minute);
    const old = await kept.start(driver.tag, 0, 1000);
    await sql`update remote_starts set expires_at = now() where id_token = ${driver.tag}`;
    await kept.stop(old, 30, 6000);
    t.strictSame(await started(), ['expired', null]);
    const asked = await scripted(Date.now()).start(driver.tag, 0, 6000);
    t.strictSame(await started(), ['started', (await sessionOf(rig, asked)).uuid]);
  });

  await t.test("links a partner's command to the session after it", async (t) => {
    const rest = {
      parties: [{ countryCode: 'DE', partyId: 'EMS' }],
      writeScopes: [],
      quirks: {},
      rateLimitPerHour: null,
    };
    const made = { networkId: rig.network.id, name: 'eMSP', tokenHash: null, ...rest };
    const partnerUuid = await sql.begin((transaction) => insertPartner(transaction, made));
    const [partner] = await sql<{ id: number }[]>`
      update ocpi_partners set status = 'REGISTERED' where uuid = ${partnerUuid} returning id`;
    const partnerId = partner?.id ?? 0;
    const { scripted, ask, charger } = await connectAsked(rig);
    const tag = `P${await seedToken(sql, rig.network.id)}`;
    const token = {
      country_code: 'DE',
      party_id: 'EMS',
      uid: tag,
      type: 'RFID',
      contract_id: 'C-1',
    } as const;
    await insertAuthorization(sql, {
      partnerId,
      chargerId: charger.id,
      token,
      authMethod: 'COMMAND',
      authorizationReference: 'REF-1',
      groupId: null,
      expiresAt: new Date(Date.now() + 5 * minute),
    });
    const started = await ask({ tag, userId: null, holdId: null });
    const wordOf = async (transactionId: number) => {
      const [row] = await sql`
        select s.auth_method, s.authorization_reference, s.ocpi_partner_id = ${partnerId} as is_theirs,
          exists (select 1 from ocpi_authorizations a where a.session_id = s.id) as has_word
        from sessions s where s.ocpp_transaction_id = ${String(transactionId)}`;
      return row && Object.values(row);
    };
    const kept = scripted(Date.now() - 60 * minute);
    const old = await kept.start(tag, 0, 1000);
    await kept.stop(old, 30, 6000);
    t.strictSame(await wordOf(old), ['WHITELIST', null, true, false], 'the partner was not asked');
    await kept.start(tag, 0, 1000);
    const asked = await scripted(Date.now()).start(tag, 0, 6000);
    t.strictSame(await wordOf(asked), ['COMMAND', 'REF-1', true, true]);
    t.strictSame(await wordOf(old), ['WHITELIST', null, true, false]);
    t.strictSame(await started(), ['started', (await sessionOf(rig, asked)).uuid]);
  });
});
