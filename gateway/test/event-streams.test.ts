import t from 'tap';
import { seedCharger, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { connectRaw } from './support/raw-charger.ts';
import { startRig } from './support/rig.ts';

const monitor = (component: object, variable: object) => ({
  component,
  variable,
  value: 1,
  type: 'Periodic',
  severity: 8,
  transaction: false,
  periodicEventStream: { interval: 5 },
});

void t.test('periodic event streams of a 2.1 station (N11 to N15)', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const charger = await seedCharger(sql, rig.network.id, { connectors: 1 });
  const begin = Date.now() - 60_000;
  const at = (seconds: number) => new Date(begin + seconds * 1000).toISOString();
  const command = (action: string, payload: object) =>
    rig.command(charger.uid, { type: 'ocpp', action, payload });
  const streams = () =>
    sql`select stream_id as id, monitor_id as "monitorId", interval_seconds as interval, max_values as "maxValues"
      from event_streams where charger_id = ${charger.id} order by stream_id`;

  /** Sends values of a stream over a raw socket: the client has no SEND. */
  const socket = await connectRaw(rig, charger, 'ocpp2.1');
  let frames = 0;
  const send = async (id: number, values: [t: number, v: string][]) => {
    const data = values.map(([offset, v]) => ({ t: offset, v }));
    frames += 1;
    socket.send(
      JSON.stringify([
        6,
        `s${frames}`,
        'NotifyPeriodicEventStream',
        { id, pending: 0, basetime: at(0), data },
      ]),
    );
    const reply = await socket.call(`h${frames}`, 'Heartbeat', {});
    t.match(reply, [3, `h${frames}`, Object], 'a SEND is never answered');
  };
  const serve = async (action: string, payload: object) => {
    frames += 1;
    return socket.call(`c${frames}`, action, payload);
  };
  /** Answers the next call of ours with this action; the limits of messages that are read before are unknown. */
  const respond = async (action: string, payload: object): Promise<void> => {
    const [, id, called, request] = await socket.next();
    if (called === action) return socket.send(JSON.stringify([3, id, payload]));
    const { getVariableData } = request as { getVariableData: object[] };
    const getVariableResult = getVariableData.map((variable) => ({
      ...variable,
      attributeStatus: 'UnknownVariable',
    }));
    socket.send(JSON.stringify([3, id, { getVariableResult }]));
    return respond(action, payload);
  };
  const open = (id: number, variableMonitoringId: number, params: object = { interval: 5 }) =>
    serve('OpenPeriodicEventStream', { constantStreamData: { id, variableMonitoringId, params } });

  await t.test('are accepted and known by the monitor that we set', async (t) => {
    const evse = { id: 1 };
    const items = [
      monitor({ name: 'EVSE', evse }, { name: 'Power' }),
      monitor({ name: 'EVSE', evse }, { name: 'ACCurrent', instance: 'L2' }),
      monitor({ name: 'CoolingSystem' }, { name: 'FanSpeed' }),
    ];
    const set = command('SetVariableMonitoring', { setMonitoringData: items });
    await respond('SetVariableMonitoring', {
      setMonitoringResult: items.map(({ component, variable, type, severity }, index) => ({
        id: index + 11,
        status: 'Accepted',
        component,
        variable,
        type,
        severity,
      })),
    });
    t.match(await set, { ok: true });
    for (const [id, monitorId] of [
      [1, 11],
      [2, 12],
      [3, 13],
    ] as const) {
      t.match(await open(id, monitorId), [3, String, { status: 'Accepted' }]);
    }
    t.match(await streams(), [{ id: 1, monitorId: 11, interval: 5, maxValues: null }, {}, {}]);
  });

  await t.test('are stored as readings of the session at the EVSE, with live values', async (t) => {
    const tag = await seedToken(sql, rig.network.id);
    const started = await serve('TransactionEvent', {
      eventType: 'Started',
      timestamp: at(0),
      triggerReason: 'Authorized',
      seqNo: 0,
      transactionInfo: { transactionId: 'streamed' },
      evse: { id: 1, connectorId: 1 },
      idToken: { idToken: tag, type: 'ISO14443' },
    });
    t.match(started, [3, String, { idTokenInfo: { status: 'Accepted' } }]);
    await send(1, [
      [1, '7200'],
      [2.5, '7300.5'],
    ]);
    await send(2, [[3, '16']]);
    const [session] = await sql<
      { uuid: string }[]
    >`select uuid from sessions where ocpp_transaction_id = 'streamed'`;
    const samples = await until('the readings', async () => {
      const rows = await rig.storedSamples({ chargerId: charger.id, sessionId: session?.uuid ?? '' });
      return rows.length === 3 && rows;
    });
    t.match(samples, [{ powerW: 7200 }, { powerW: 7300.5 }, { currentA: 16 }]);
    t.same(samples[1]?.time, at(2.5));
    await until('the live power', async () => {
      const [row] = await sql`select power_w as power from sessions where ocpp_transaction_id = 'streamed'`;
      return row?.['power'] === 7300.5;
    });
  });

  await t.test('have the time of receipt where an offset is no possible time', async (t) => {
    const [session] = await sql<{ uuid: string }[]>`
      select uuid from sessions where ocpp_transaction_id = 'streamed'`;
    const startedAt = Date.now();
    await send(1, [
      [1e300, '7400'],
      [4e9, '7500'],
      [4, '7600'],
    ]);
    const samples = await until('the readings', async () => {
      const rows = await rig.storedSamples({ chargerId: charger.id, sessionId: session?.uuid ?? '' });
      const found = rows.filter(({ powerW }) => (powerW ?? 0) >= 7400);
      return found.length === 3 && found;
    });
    const byPower = new Map(samples.map((sample) => [sample.powerW, sample]));
    for (const [power, flag] of [
      [7400, 'time-unreadable'],
      [7500, 'time-future'],
    ] as const) {
      const { time = '', flags = [] } = byPower.get(power) ?? {};
      t.ok(Date.parse(time) >= startedAt - 1000, `${power}: ${time}`);
      t.ok(flags.includes(flag), flags.join());
    }
    t.equal(byPower.get(7600)?.time, at(4));
  });

  await t.test('are stored as events where the variable is no measurand', async (t) => {
    const { periodicEventStream: _, ...hardWired } = monitor({ name: 'CoolingSystem' }, { name: 'FanSpeed' });
    const variableMonitoring = [{ ...hardWired, id: 13, eventNotificationType: 'HardWiredMonitor' }];
    await serve('NotifyMonitoringReport', {
      requestId: 1,
      seqNo: 0,
      generatedAt: new Date().toISOString(),
      monitor: [{ component: hardWired.component, variable: hardWired.variable, variableMonitoring }],
    });
    await send(3, [
      [1, '1200'],
      [2, '1250'],
    ]);
    const events = await until('the events', async () => {
      const rows = await sql`
        select component, variable, actual_value as value, trigger, notification_type as type, monitor_id as "monitorId"
        from device_events where charger_id = ${charger.id} order by occurred_at`;
      return rows.length === 2 && rows;
    });
    t.match(events, [
      {
        component: 'CoolingSystem',
        variable: 'FanSpeed',
        value: '1200',
        trigger: 'Periodic',
        type: 'HardWiredMonitor',
        monitorId: 13,
      },
      { value: '1250' },
    ]);
  });

  await t.test('are stored as received where stream or monitor is unknown', async (t) => {
    await open(8, 99);
    await send(8, [[1, '1']]);
    await send(9, [[1, '2']]);
    const rows = await until('the notifications', async () => {
      const found =
        await sql`select payload from charger_notifications where charger_id = ${charger.id} order by id`;
      return found.length === 2 && found;
    });
    t.match(rows, [{ payload: { id: 8 } }, { payload: { id: 9 } }]);
  });

  await t.test('are adjusted, read and closed', async (t) => {
    const adjust = command('AdjustPeriodicEventStream', { id: 1, params: { interval: 60, values: 10 } });
    await respond('AdjustPeriodicEventStream', { status: 'Accepted' });
    t.match(await adjust, { ok: true });
    t.match((await streams())[0], { id: 1, interval: 60, maxValues: 10 });
    const read = command('GetPeriodicEventStream', {});
    await respond('GetPeriodicEventStream', {
      constantStreamData: [{ id: 2, variableMonitoringId: 12, params: { values: 3 } }],
    });
    t.match(await read, { ok: true });
    t.match(await streams(), [{ id: 2, monitorId: 12, interval: null, maxValues: 3 }]);
    t.match(await serve('ClosePeriodicEventStream', { id: 2 }), [3, String, {}]);
    t.same(await streams(), []);
  });
});
