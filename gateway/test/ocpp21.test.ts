import { randomBytes } from 'node:crypto';
import t from 'tap';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { findCharger } from '#shared/postgres/fleet/charger-records.ts';
import { listSignedValues } from '#shared/postgres/charging/signed-meter-values.statements.ts';
import { stations } from '#shared/simulator/stations.ts';
import { makeSigningRequest } from '#shared/certificates/test/support/signing-request.ts';
import { seedCharger, seedTariff, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { answerCalls } from './support/answering.ts';
import { connectRaw, type RawCharger } from './support/raw-charger.ts';
import { startRig, type Version } from './support/rig.ts';

const begin = Date.now() - 200_000;
const at = (seconds: number): string => new Date(begin + seconds * 1000).toISOString();
const boot = { reason: 'PowerUp', chargingStation: { vendorName: 'V', model: 'M' } };
const stream = { id: 1, pending: 0, basetime: at(0), data: [{ t: 1, v: '230.4' }] };

/** A TransactionEvent at EVSE 1, `seqNo` tens of seconds after the begin. */
const event = (eventType: string, transactionId: string, seqNo: number, more: object = {}) => ({
  eventType,
  timestamp: at(seqNo * 10),
  triggerReason: 'Trigger',
  seqNo,
  transactionInfo: { transactionId },
  evse: { id: 1, connectorId: 1 },
  ...more,
});

const reading = (value: number, context: string, more: object = {}) => ({
  meterValue: [{ timestamp: at(0), sampledValue: [{ value, context, ...more }] }],
});

void t.test('OCPP 2.1', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  await seedTariff(sql, rig.network.id);
  const register = () => seedCharger(sql, rig.network.id, { connectors: 1 });
  const sessionOf = async (transactionId: string) => {
    const [row] = await sql<{ id: bigint; idToken: string; status: string; chargerId: number }[]>`
      select id, id_token as "idToken", status, charger_id as "chargerId" from sessions
      where ocpp_transaction_id = ${transactionId}`;
    return row;
  };
  const notificationsOf = (chargerId: number) =>
    sql<{ action: string; payload: unknown }[]>`
      select action, payload from charger_notifications where charger_id = ${chargerId} order by id`;

  await t.test('serves a session with a token of 255 characters and signed data of 32,768', async (t) => {
    const uid = 'T'.repeat(255);
    await seedToken(sql, rig.network.id, { uid });
    const { charger, client } = await rig.connect('ocpp2.1');
    t.match(await client.call('BootNotification', boot), { status: 'Accepted' });
    t.match(await findCharger(sql, allNetworks, charger.uuid), { ocppVersion: '2.1' });
    const idToken = { idToken: uid, type: 'ISO14443' };
    t.same(await client.call('Authorize', { idToken }), { idTokenInfo: { status: 'Accepted' } });
    const started = event('Started', 'long', 0, { idToken, ...reading(1000, 'Transaction.Begin') });
    t.same(await client.call('TransactionEvent', started), { idTokenInfo: { status: 'Accepted' } });
    const signedMeterData = randomBytes(16_384).toString('hex');
    t.equal(signedMeterData.length, 32_768);
    // The signing method and the public key are optional from 2.1 on.
    const signed = { signedMeterValue: { signedMeterData, encodingMethod: 'OCMF' } };
    const ended = event('Ended', 'long', 3, reading(6000, 'Transaction.End', signed));
    t.match(await client.call('TransactionEvent', ended), {});
    const session = await sessionOf('long');
    t.match(session, { idToken: uid, status: 'COMPLETED' });
    const values = await listSignedValues(sql, session?.id ?? 0n);
    t.same(
      values.map(({ data }) => data.length),
      [32_768],
    );
  });

  await t.test('stores what a SEND carries, also while a call is outstanding', async (t) => {
    const charger = await register();
    const socket = await connectRaw(rig, charger, 'ocpp2.1');
    const open = { id: 1, variableMonitoringId: 7, params: { interval: 5 } };
    t.match(await socket.call('1', 'OpenPeriodicEventStream', { constantStreamData: open }), [
      3,
      '1',
      { status: 'Accepted' },
    ]);
    // The first call of a connection and a SEND behind it; the answer of the Heartbeat is the next one.
    socket.send(JSON.stringify([2, '2', 'Authorize', { idToken: { idToken: 'X', type: 'Central' } }]));
    socket.send(JSON.stringify([6, '3', 'NotifyPeriodicEventStream', stream]));
    t.match(await socket.next(), [3, '2', Object]);
    t.match(await socket.call('4', 'Heartbeat', {}), [3, '4', Object]);
    const actions = await until('the notifications', async () => {
      const rows = await notificationsOf(charger.id);
      return rows.length === 1 && rows;
    });
    t.match(actions, [{ action: 'NotifyPeriodicEventStream', payload: stream }], 'its monitor is unknown');
  });

  await t.test('goes on after a CALLRESULTERROR to its answer', async (t) => {
    const socket = await connectRaw(rig, await register(), 'ocpp2.1');
    t.match(await socket.call('1', 'Heartbeat', {}), [3, '1', Object]);
    socket.send('[5,"1","FormatViolation","currentTime is unreadable",{}]');
    t.match(await socket.call('2', 'Heartbeat', {}), [3, '2', Object]);
  });

  /** Gives an answer without its status to a Reset; returns the reply of the command, and the id of the call. */
  const answerWrongly = async (socket: RawCharger, uid: string) => {
    const command = rig.command(uid, { type: 'reset', kind: 'Soft' });
    const [, id] = await socket.next();
    socket.send(JSON.stringify([3, id, {}]));
    return { reply: await command, id };
  };

  await t.test('refuses an invalid answer with a CALLRESULTERROR', async (t) => {
    const charger = await register();
    const socket = await connectRaw(rig, charger, 'ocpp2.1');
    await until('presence', () => rig.bus.presence.lookup(charger.uid));
    const { reply, id } = await answerWrongly(socket, charger.uid);
    t.match(reply, { ok: false, code: 'CHARGER_REFUSED' });
    t.same(await socket.next(), [5, id, 'OccurrenceConstraintViolation', '/status is missing', {}]);
    const next = rig.command(charger.uid, { type: 'clear-cache' });
    const [type, nextId] = await socket.next();
    t.equal(type, 2);
    socket.send(JSON.stringify([3, nextId, { status: 'Accepted' }]));
    t.match(await next, { ok: true });
  });

  for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
    await t.test(
      `${version}: ignores an invalid answer, as the version has no CALLRESULTERROR`,
      async (t) => {
        const charger = await register();
        const socket = await connectRaw(rig, charger, version);
        await until('presence', () => rig.bus.presence.lookup(charger.uid));
        const { reply } = await answerWrongly(socket, charger.uid);
        t.match(reply, { ok: false, code: 'CHARGER_REFUSED' });
        t.match(await socket.call('alive', 'Heartbeat', {}), [3, 'alive', Object], 'nothing came before');
      },
    );
  }

  await t.test('keeps the data of a charger that changes its version', async (t) => {
    const charger = await register();
    const tag = await seedToken(sql, rig.network.id);
    const idToken = { idToken: tag, type: 'ISO14443' };
    const connect = async (version: Version) => {
      const client = rig.client(charger, version);
      await client.connect();
      await until('presence', () => rig.bus.presence.lookup(charger.uid));
      await client.call('BootNotification', boot);
      return client;
    };
    const older = await connect('ocpp2.0.1');
    await older.call(
      'TransactionEvent',
      event('Started', 'upgraded', 0, { idToken, ...reading(1000, 'Transaction.Begin') }),
    );
    await older.call('NotifyReport', {
      requestId: 1,
      generatedAt: at(0),
      seqNo: 0,
      reportData: [
        {
          component: { name: 'TxCtrlr' },
          variable: { name: 'EVConnectionTimeOut' },
          variableAttribute: [{ value: '60' }],
        },
      ],
    });
    answerCalls(older, () => ({ status: 'Accepted' }));
    const profile = {
      profileId: 5,
      stackLevel: 0,
      purpose: 'TxDefault',
      kind: 'Absolute',
      recurrency: null,
      updateIntervalSeconds: null,
      validFrom: null,
      validTo: null,
      transactionId: null,
      startsAt: null,
      durationSeconds: null,
      rateUnit: 'A',
      minChargingRate: null,
      periods: [{ startSeconds: 0, limit: 16, phases: null }],
    } as const;
    t.match(await rig.command(charger.uid, { type: 'set-charging-profile', evse: 1, profile }), { ok: true });
    const list = { type: 'send-local-list', version: 4, isFull: true, entries: [] } as const;
    t.match(await rig.command(charger.uid, list), { ok: true });
    const kept = async () => {
      const [row] = await sql`
        select local_list_version as "listVersion",
          (select count(*)::integer from device_variables v where v.charger_id = c.id) as variables,
          (select count(*)::integer from charging_profiles p where p.charger_id = c.id) as profiles,
          (select count(*)::integer from sessions s where s.charger_id = c.id) as sessions
        from chargers c where id = ${charger.id}`;
      return row;
    };
    const before = await kept();
    t.match(before, { listVersion: 4, variables: 1, profiles: 1, sessions: 1 });
    await older.close();

    const newer = await connect('ocpp2.1');
    t.same(await kept(), before);
    await newer.call('TransactionEvent', event('Ended', 'upgraded', 3, reading(6000, 'Transaction.End')));
    t.match(await sessionOf('upgraded'), { status: 'COMPLETED', chargerId: charger.id });
    t.same(await kept(), before, 'the session is the same one');
    t.match(await findCharger(sql, allNetworks, charger.uuid), { ocppVersion: '2.1' });
  });

  await t.test('continues a session that the station resumes after a reset', async (t) => {
    const tag = await seedToken(sql, rig.network.id);
    const idToken = { idToken: tag, type: 'ISO14443' };
    const { charger, client } = await rig.connect('ocpp2.1');
    answerCalls(client, () => ({ status: 'Accepted' }));
    await client.call('BootNotification', boot);
    await client.call(
      'TransactionEvent',
      event('Started', 'resumed', 0, { idToken, ...reading(1000, 'Transaction.Begin') }),
    );
    const reset = { type: 'ocpp', action: 'Reset', payload: { type: 'ImmediateAndResume' } } as const;
    t.match(await rig.command(charger.uid, reset), { ok: true });
    await client.close();
    const back = rig.client(charger, 'ocpp2.1');
    await back.connect();
    await back.call('BootNotification', { ...boot, reason: 'RemoteReset' });
    const resumed = event('Updated', 'resumed', 1, { triggerReason: 'TxResumed' });
    t.same(await back.call('TransactionEvent', resumed), {});
    t.match(await sessionOf('resumed'), { status: 'ACTIVE' });
    await back.call('TransactionEvent', event('Ended', 'resumed', 3, reading(6000, 'Transaction.End')));
    t.match(await sessionOf('resumed'), { status: 'COMPLETED', idToken: tag });
  });

  await t.test('repeats the number of a signing request with the certificate', async (t) => {
    const { charger, client } = await rig.connect('ocpp2.1');
    const delivered = Promise.withResolvers<unknown>();
    answerCalls(client, (action, payload) => {
      if (action === 'CertificateSigned') delivered.resolve(payload);
      return { status: 'Accepted' };
    });
    const csr = await makeSigningRequest(`CN=${charger.uid}`);
    t.same(await client.call('SignCertificate', { csr, requestId: 12 }), { status: 'Accepted' });
    t.match(await delivered.promise, { requestId: 12, certificateChain: /BEGIN CERTIFICATE/ });
  });

  await t.test('serves a simulated station', async (t) => {
    const charger = await register();
    const tag = await seedToken(sql, rig.network.id);
    const { uid, password } = charger;
    const options = { ocppUrl: rig.ocppUrl, uid, password, connectors: 1, vendor: 'V', model: 'M' };
    const station = stations['2.1']({ ...options, offersCompression: true });
    t.teardown(() => station.close());
    await station.connect();
    await station.boot();
    await until('presence', () => rig.bus.presence.lookup(uid));
    const monitored = {
      component: { name: 'EVSE', evse: { id: 1 } },
      variable: { name: 'Power' },
      type: 'Periodic',
      value: 1,
      severity: 8,
      periodicEventStream: { values: 1 },
    };
    const payload = { setMonitoringData: [monitored] };
    t.match(await rig.command(uid, { type: 'ocpp', action: 'SetVariableMonitoring', payload }), { ok: true });
    await until('the stream', async () => {
      const rows = await sql`select from event_streams where charger_id = ${charger.id}`;
      return rows.length === 1;
    });
    const { transactionId } = await station.startSession({ idToken: tag });
    await station.sendMeterValues(1, { time: new Date(), energyWh: 500, powerW: 7000 });
    const [session] = await sql<{ uuid: string }[]>`
      select uuid from sessions where ocpp_transaction_id = ${String(transactionId)}`;
    await until('the readings of the event and of the stream', async () => {
      const rows = await rig.storedSamples({ chargerId: charger.id, sessionId: session?.uuid ?? '' });
      const registers = rows.filter(({ powerW }) => powerW === 7000).map(({ energyWh }) => energyWh !== null);
      return registers.includes(true) && registers.includes(false);
    });
    await station.stopSession({ meterStopWh: 1000 });
    t.match(await sessionOf(String(transactionId)), { status: 'COMPLETED', idToken: tag });
  });
});
