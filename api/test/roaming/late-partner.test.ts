import { randomUUID } from 'node:crypto';
import t from 'tap';
import { makeDueCdrs } from '#api/jobs/cdrs.job.ts';
import { testDeps } from '#api/test/support/deps.ts';
import { approve } from '#gateway/test/support/approve.ts';
import { type Rig, startRig } from '#gateway/test/support/rig.ts';
import { sessionOf } from '#gateway/test/support/scripted16.ts';
import { events201, seedDriver } from '#gateway/test/support/wallet-drivers.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedPartner } from '#shared/testing/seed-partner.ts';
import { seedTariff } from '#shared/testing/seed.ts';

/** A partner of the rig's network with a token that may charge without being asked about, and what it is billed. */
async function addPartner({ stores: { sql }, network }: Rig, partyId: string) {
  const tag = `${partyId}-CARD`;
  const { id } = await seedPartner(sql, network.id, { partyId, uid: tag });
  return {
    id,
    tag,
    /** The totals of its CDRs of a session, credits below zero. */
    billed: async (sessionUuid: string) => {
      const rows = await sql<{ minor: number }[]>`
        select c.total_incl_vat_minor::integer as minor from cdrs c join sessions s on s.id = c.session_id
        where s.uuid = ${sessionUuid} and c.partner_id = ${id} order by c.id`;
      return rows.map(({ minor }) => minor);
    },
  };
}

// 1.00 and 0.40 per kWh, 21 % VAT: 5 kWh cost 3.63. A session that only its end is known of costs 1.21 when it is approved.

void t.test('2.0.1: a partner is billed for what its own token started', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  await seedTariff(sql, rig.network.id);
  const deps = await testDeps(t, rig.stores, rig.bus);
  const make = () => makeDueCdrs({ ...deps, log: createLogger('test', 'silent') });
  const [partner, other] = [await addPartner(rig, 'EMS'), await addPartner(rig, 'XYZ')];
  const driver = await seedDriver(rig, 2000n);
  const begin = async () => {
    const { client } = await rig.connect('ocpp2.0.1');
    const transactionId = randomUUID();
    return { transactionId, event: events201(client, transactionId) };
  };

  await t.test('and the driver who stopped it pays nothing', async (t) => {
    const { event, transactionId } = await begin();
    await event('Ended', 20, 6000, driver.tag);
    await approve(rig, transactionId);
    await make();
    t.strictSame(await driver.balances(), [1879, 0, 0]);
    await event('Started', 0, 1000, partner.tag);
    await make();
    const { uuid, userUuid } = await sessionOf(rig, transactionId);
    t.equal(userUuid, null);
    t.strictSame(await partner.billed(uuid), [363]);
    t.strictSame(await driver.balances(), [2000, 0, 0]);
  });

  await t.test('what it was billed for a session that a driver of ours began is credited', async (t) => {
    const { event, transactionId } = await begin();
    await event('Ended', 20, 6000, partner.tag);
    await approve(rig, transactionId);
    await make();
    const { uuid } = await sessionOf(rig, transactionId);
    t.strictSame(await partner.billed(uuid), [121]);
    await event('Started', 0, 1000, driver.tag);
    await Promise.all([make(), make()]);
    await make();
    t.strictSame(await partner.billed(uuid), [121, -121]);
    t.strictSame(await driver.balances(), [1637, 0, 0]);
    t.same(await sql`select ocpi_partner_id from sessions where uuid = ${uuid}`, [{ ocpi_partner_id: null }]);
  });

  await t.test('and what is another partner’s is billed to that one', async (t) => {
    const { event, transactionId } = await begin();
    await event('Ended', 20, 6000, partner.tag);
    await approve(rig, transactionId);
    await make();
    await event('Started', 0, 1000, other.tag);
    await make();
    const { uuid } = await sessionOf(rig, transactionId);
    t.strictSame(await partner.billed(uuid), [121, -121]);
    t.strictSame(await other.billed(uuid), [363]);
    const [cdr] = await sql`
      select document ->> 'cdr_token' as token from cdrs where partner_id = ${other.id} order by id desc limit 1`;
    t.match(cdr, { token: /DE-XYZ-1/ });
  });
  t.same(await sql`select from cdr_marks`, []);
});
