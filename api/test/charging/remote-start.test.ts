import t from 'tap';
import { expireRemoteStarts } from '#shared/postgres/charging/remote-starts.statements.ts';
import { answerCalls } from '#gateway/test/support/answering.ts';
import { seedToken } from '#shared/testing/seed.ts';
import { startOperatedRig } from '#api/test/support/operated-rig.ts';

/** Remote start as shown to the operator. */
interface RemoteStart {
  status: string;
  idTag: string;
  connectorNumber: number | null;
  sessionId: string | null;
}

const accepted = () => ({ status: 'Accepted' });

void t.test('remote starts (field note 21)', async (t) => {
  const rig = await startOperatedRig(t);
  const { sql } = rig.stores;
  const idTag = await seedToken(sql, rig.network.id);
  const startsOf = async (uuid: string) =>
    (await rig.ask('GET', `/chargers/${uuid}/remote-starts`)) as unknown as RemoteStart[];
  const sessionsOf = (chargerId: number) =>
    sql<{ uuid: string }[]>`select uuid from sessions where charger_id = ${chargerId} order by id`;
  let meterStart = 0;
  const start16 = (connectorId: number, tag = idTag) => {
    meterStart += 1;
    return { connectorId, idTag: tag, timestamp: new Date().toISOString(), meterStart };
  };

  await t.test('1.6: are matched by token and connector', async (t) => {
    const { charger, client } = await rig.connect('ocpp1.6');
    answerCalls(client, accepted);
    const path = `/chargers/${charger.uuid}/remote-start`;
    await rig.ask('POST', path, { idTag, connectorNumber: 2 });
    const pending = { status: 'pending', idTag, connectorNumber: 2, sessionId: null };
    t.match(await startsOf(charger.uuid), [pending]);
    await client.call('StartTransaction', start16(1));
    t.match(await startsOf(charger.uuid), [pending], 'another connector');
    await client.call('StartTransaction', start16(2, 'SOMEBODY'));
    t.match(await startsOf(charger.uuid), [pending], 'another token');
    const start = start16(2, idTag.toLowerCase());
    await client.call('StartTransaction', start);
    const bound = (await sessionsOf(charger.id)).at(-1)?.uuid;
    t.match(await startsOf(charger.uuid), [{ ...pending, status: 'started', sessionId: bound }]);
    await rig.ask('POST', path, { idTag });
    await client.call('StartTransaction', start);
    t.match(
      await startsOf(charger.uuid),
      [{ status: 'pending', connectorNumber: null }, { status: 'started' }],
      'does not bind a repeated start to the next remote start',
    );
  });

  await t.test('1.6: match the newest of several attempts, with its limits', async (t) => {
    const { charger, client } = await rig.connect('ocpp1.6');
    const ask = (maxEnergyKwh: number) =>
      rig.call('POST', `/chargers/${charger.uuid}/remote-start`, { idTag, maxEnergyKwh });
    answerCalls(client, () => {
      throw new Error('out of order');
    });
    t.match(await ask(1), { status: 502 });
    answerCalls(client, accepted);
    await ask(2);
    await sql`update remote_starts set expires_at = now() where charger_id = ${charger.id}`;
    await expireRemoteStarts(sql);
    await ask(3);
    await client.call('StartTransaction', start16(1));
    await client.call('StartTransaction', start16(1));
    t.match(await startsOf(charger.uuid), [
      { status: 'started' },
      { status: 'expired', sessionId: null },
      { status: 'refused' },
    ]);
    const limits = await sql`
        select max_energy_wh as wh from sessions where charger_id = ${charger.id} order by id`;
    t.same(limits, [{ wh: 3000 }, { wh: null }], 'what came before it is no longer asked for');
  });

  await t.test('2.0.1: are matched by remoteStartId', async (t) => {
    const { charger, client } = await rig.connect('ocpp2.0.1');
    const ids: number[] = [];
    answerCalls(client, (_action, payload) => {
      ids.push((payload as { remoteStartId: number }).remoteStartId);
      return { status: 'Accepted' };
    });
    await rig.ask('POST', `/chargers/${charger.uuid}/remote-start`, { idTag });
    await rig.ask('POST', `/chargers/${charger.uuid}/remote-start`, { idTag });
    await client.call('TransactionEvent', {
      eventType: 'Started',
      timestamp: new Date().toISOString(),
      triggerReason: 'RemoteStart',
      seqNo: 0,
      transactionInfo: { transactionId: 'tx-1', remoteStartId: ids[1] },
      evse: { id: 1, connectorId: 1 },
      idToken: { idToken: idTag, type: 'Central' },
    });
    const [session] = await sessionsOf(charger.id);
    t.match(await startsOf(charger.uuid), [
      { status: 'started', sessionId: session?.uuid },
      { status: 'pending', sessionId: null },
    ]);
  });

  await t.test('2.0.1: match a transaction that a plugged cable began (E02)', async (t) => {
    const { charger, client } = await rig.connect('ocpp2.0.1');
    let remoteStartId = 0;
    answerCalls(client, (_action, payload) => {
      ({ remoteStartId } = payload as { remoteStartId: number });
      return { status: 'Accepted' };
    });
    const event = (eventType: string, triggerReason: string, seqNo: number, more: object) =>
      client.call('TransactionEvent', {
        eventType,
        triggerReason,
        seqNo,
        timestamp: new Date().toISOString(),
        evse: { id: 1, connectorId: 1 },
        ...more,
      });
    const transactionInfo = { transactionId: 'tx-2' };
    await event('Started', 'CablePluggedIn', 0, { transactionInfo });
    await rig.ask('POST', `/chargers/${charger.uuid}/remote-start`, { idTag });
    await event('Updated', 'RemoteStart', 1, {
      transactionInfo: { ...transactionInfo, remoteStartId },
      idToken: { idToken: idTag, type: 'Central' },
    });
    const sessions = await sessionsOf(charger.id);
    t.equal(sessions.length, 1);
    t.match(await startsOf(charger.uuid), [{ status: 'started', sessionId: sessions[0]?.uuid }]);
  });

  await t.test('are refused when the charger rejects them', async (t) => {
    const { charger, client } = await rig.connect('ocpp1.6');
    answerCalls(client, () => ({ status: 'Rejected' }));
    await rig.ask('POST', `/chargers/${charger.uuid}/remote-start`, { idTag });
    t.match(await startsOf(charger.uuid), [{ status: 'refused' }]);
    await client.call('StartTransaction', start16(1));
    t.match(await startsOf(charger.uuid), [{ status: 'refused', sessionId: null }]);
  });

  await t.test('expire without a session and still match a late one', async (t) => {
    const { charger, client } = await rig.connect('ocpp1.6');
    answerCalls(client, accepted);
    await rig.ask('POST', `/chargers/${charger.uuid}/remote-start`, { idTag });
    const [row] = await sql`
      select extract(epoch from expires_at - requested_at)::float as seconds from remote_starts
      where charger_id = ${charger.id}`;
    t.ok(row?.['seconds'] > 119 && row?.['seconds'] < 200, `it waits for ${row?.['seconds']} s`);
    await expireRemoteStarts(sql);
    t.match(await startsOf(charger.uuid), [{ status: 'pending' }], 'its time has not come');
    await sql`update remote_starts set expires_at = now() where charger_id = ${charger.id}`;
    await expireRemoteStarts(sql);
    t.match(await startsOf(charger.uuid), [{ status: 'expired', sessionId: null }]);
    await client.call('StartTransaction', start16(1));
    const [session] = await sessionsOf(charger.id);
    t.match(await startsOf(charger.uuid), [{ status: 'started', sessionId: session?.uuid }]);
  });
});
