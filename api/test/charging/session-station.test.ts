import t from 'tap';
import { billingScene } from '#api/test/support/billing.ts';
import { accepted, holdCharger, mintKey } from '#api/test/support/fixtures.ts';
import { endSession, startSession } from '#api/test/support/records.ts';
import { seedApiKey, seedNetwork } from '#shared/testing/seed.ts';

void t.test('the limits and the cost of a session at its station', async (t) => {
  const { api, chargerUuid } = await billingScene(t);
  const key = await mintKey(api);
  const { sql } = api.stores;
  const session = await startSession(sql, { chargerUuid, startedAt: new Date(Date.now() - 3_600_000) });
  const read = (by: string | null = key, uuid = session.uuid) =>
    api.call(by, { url: `/cpms/v1/sessions/${uuid}/station` });

  await t.test('are null where the station reported nothing', async (t) => {
    const { status, json } = await read();
    t.equal(status, 200);
    t.match(json['data'], {
      sessionId: session.uuid,
      limitsSent: null,
      limitReached: null,
      cost: null,
      isCostDifferent: false,
    });
  });

  await t.test('are shown next to our price', async (t) => {
    const cost = { currency: 'EUR', totalExclVat: 10, totalInclVat: 12.1, failure: null, details: { a: 1 } };
    await sql`
      insert into station_transactions (session_id, limits_sent, limits_sent_at, limit_reached, limit_reached_at, cost, cost_at)
      select id, ${sql.json({ maxEnergy: 30_500, maxTime: 5400 })}, now(), 'maxEnergy', now(), ${sql.json(cost)}, now()
      from sessions where uuid = ${session.uuid}`;
    const { json } = await read();
    t.match(json['data'], {
      limitsSent: { maxCost: null, maxEnergyKwh: 30.5, maxDurationMinutes: 90, maxSocPercent: null },
      limitReached: 'maxEnergy',
      cost,
    });
  });

  await t.test('priority charging is requested while the session runs (K21)', async (t) => {
    const ask = (payload: object = { isActive: true }, by: string | null = key) =>
      api.call(by, { method: 'POST', url: `/cpms/v1/sessions/${session.uuid}/priority-charging`, payload });
    t.match(await ask(), { status: 409, json: { error: { code: 'COMMAND_NOT_SUPPORTED' } } }, 'OCPP 1.6');
    await sql`update chargers set ocpp_version = '2.1' where uuid = ${chargerUuid}`;
    t.match((await read()).json['data'], { isSupported: true, isPriorityCharging: null });
    const [{ uid } = { uid: '' }] = await sql<
      { uid: string }[]
    >`select uid from chargers where uuid = ${chargerUuid}`;
    const sent: unknown[] = [];
    await holdCharger(api, uid, ({ command }) => {
      sent.push(command);
      return accepted;
    });
    t.match(await ask(), { status: 200, json: { data: { accepted: true } } });
    t.match(sent, [
      { type: 'ocpp', action: 'UsePriorityCharging', payload: { transactionId: String, activate: true } },
    ]);
    t.match(await ask({}), { status: 400 });
    const other = await seedNetwork(sql);
    const scopes = ['cpms:read:sessions', 'cpms:command:charging-profile'];
    const foreign = await seedApiKey(sql, 'cpms', { networkIds: [other.id], scopes });
    t.match(await ask(undefined, foreign), { status: 404, json: { error: { code: 'SESSION_NOT_FOUND' } } });
    t.match(await ask(undefined, null), { status: 401 });
    const narrow = await seedApiKey(sql, 'cpms', {
      networkIds: [api.network.id],
      scopes: ['cpms:read:sessions'],
    });
    t.match(await ask(undefined, narrow), { status: 403 });
    await sql`update station_transactions set priority_charging = true`;
    t.match((await read()).json['data'], { isPriorityCharging: true });
    await endSession(sql, session, 1000);
    t.match((await read()).json['data'], { isPriorityCharging: null }, 'no session, no priority');
    t.match(await ask(), { status: 409, json: { error: { code: 'NO_ACTIVE_SESSION' } } });
  });

  await t.test("are hidden from another network's key, and from anonymous callers", async (t) => {
    const other = await seedNetwork(sql);
    const foreign = await seedApiKey(sql, 'cpms', { networkIds: [other.id], scopes: ['cpms:read:sessions'] });
    t.match(await read(foreign), { status: 404, json: { error: { code: 'SESSION_NOT_FOUND' } } });
    t.match(await read(null), { status: 401 });
    const narrow = await seedApiKey(sql, 'cpms', {
      networkIds: [api.network.id],
      scopes: ['cpms:read:chargers'],
    });
    t.match(await read(narrow), { status: 403 });
  });
});
