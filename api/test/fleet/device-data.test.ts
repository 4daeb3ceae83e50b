import t from 'tap';
import { removePastEvents } from '#api/jobs/event-retention.ts';
import { items, type Json, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { connectedCharger } from '#api/test/support/held-charger.ts';

const text = (json: Json | undefined) => json as unknown as string;

/** A charger that reported three variables, three events and two security events. */
async function tellingCharger(api: TestApi) {
  const rig = await connectedCharger(api);
  const { sql } = api.stores;
  const [charger] = await sql<{ id: number }[]>`select id from chargers where uuid = ${rig.id}`;
  const id = charger?.id ?? 0;
  await sql`
    insert into device_variables (charger_id, component, component_instance, evse, connector, variable,
      variable_instance, attribute, value, mutability, persistent, constant, unit, reported_at)
    select ${id}, component, '', evse, 0, variable, '', 'Actual', value, 'ReadWrite', true, false, unit, now()
    from (values ('EVSE', 1, 'Power', '22000', 'W'), ('EVSE', 2, 'Power', '50000', 'W'),
      ('SecurityCtrlr', 0, 'BasicAuthPassword', 'hush', null)) v (component, evse, variable, value, unit)`;
  await sql`
    insert into device_events (charger_id, event_id, occurred_at, received_at, trigger, notification_type, component,
      component_instance, evse, connector, variable, variable_instance, actual_value)
    select ${id}, n, ${'2026-05-04T00:00:00Z'}::timestamptz + n * interval '1 hour', now() - n * interval '40 days', 'Alerting',
      'HardWiredMonitor', case n when 3 then 'SecurityCtrlr' else 'Connector' end, '', 1, 0,
      case n when 3 then 'BasicAuthPassword' else 'Problem' end, '', case n when 3 then 'hush' else 'true' end
    from generate_series(1, 3) n`;
  await sql`
    insert into security_events (charger_id, type, tech_info, occurred_at, received_at)
    select ${id}, type, null, date_trunc('milliseconds', now()), now() - make_interval(days => age)
    from (values ('FirmwareUpdated', 1), ('TamperDetectionActivated', 40)) v (type, age)`;
  await sql`
    insert into charger_notifications (charger_id, action, payload, received_at)
    select ${id}, 'NotifyDisplayMessages', '{}', now() - n * interval '40 days' from generate_series(0, 2) n`;
  return rig;
}

void t.test('reports a truncated device model', async (t) => {
  const api = await startTestApi(t);
  const { key, id } = await tellingCharger(api);
  const cutAt = async () => {
    const answer = await api.call(key, { url: `/cpms/v1/chargers/${id}` });
    return answer.json['data']?.['deviceModelCutAt'];
  };
  t.equal(await cutAt(), null);
  await api.stores.sql`update chargers set device_model_cut_at = '2030-01-01T00:00:00Z' where uuid = ${id}`;
  t.equal(await cutAt(), '2030-01-01T00:00:00.000Z');
});

void t.test('the device model, events and security events of a charger are read', async (t) => {
  const api = await startTestApi(t);
  const { ask } = await tellingCharger(api);
  const list = async (path: string) => items((await ask('GET', path)).json['data']);

  t.match(await list('device-model'), [
    {
      component: 'EVSE',
      componentInstance: null,
      evseId: 1,
      connectorId: null,
      variable: 'Power',
      attributeType: 'Actual',
      value: '22000',
      unit: 'W',
    },
    { evseId: 2 },
    { component: 'SecurityCtrlr', evseId: null, value: '***' },
  ]);
  t.match(await list('device-model?component=evse&evseId=2'), [{ value: '50000' }]);
  t.same(await list('device-model?variable=none'), []);
  t.equal((await list('device-model?pageSize=1000')).length, 3);
  const page = await ask('GET', 'device-model?pageSize=2');
  t.match(await list(`device-model?cursor=${text(page.json['nextCursor'])}`), [
    { component: 'SecurityCtrlr' },
  ]);

  t.match(await list('events'), [
    { eventId: 3, actualValue: '***' },
    { eventId: 2, actualValue: 'true', occurredAt: '2026-05-04T02:00:00.000Z', component: 'Connector' },
    { eventId: 1 },
  ]);
  t.match(await list('events?from=2026-05-04T01:00:00Z&to=2026-05-04T02:00:00Z&pageSize=1'), [
    { eventId: 2 },
  ]);
  const newest = await ask('GET', 'events?component=connector&pageSize=1');
  t.match(await list(`events?component=connector&cursor=${text(newest.json['nextCursor'])}`), [
    { eventId: 1 },
  ]);

  t.equal((await list('security-events')).length, 2);
  t.match(await list('security-events?type=FirmwareUpdated'), [{ type: 'FirmwareUpdated', techInfo: null }]);
  const one = await ask('GET', 'security-events?pageSize=1');
  t.equal((await list(`security-events?cursor=${text(one.json['nextCursor'])}`)).length, 1);

  for (const path of [
    'events?cursor=nonsense',
    'device-model?cursor=nonsense',
    'events?from=2026-05-05T00:00:00Z&to=2026-05-04T00:00:00Z',
    'security-events?pageSize=0',
    'device-model?evseId=x',
    'device-model?pageSize=1001',
  ]) {
    t.match(await ask('GET', path), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, path);
  }
});

void t.test('the state of a 2.1 station and its notifications are read', async (t) => {
  const api = await startTestApi(t);
  const { ask, id } = await tellingCharger(api);
  const { sql } = api.stores;
  const state = async () => (await ask('GET', 'station')).json['data'];
  t.same(await state(), { tariffs: [], eventStreams: [], derControls: [], derAlarms: [] });
  const [charger] = await sql<{ id: number }[]>`select id from chargers where uuid = ${id}`;
  const chargerId = charger?.id ?? 0;
  await sql`
    insert into station_tariffs (charger_id, evse, tariff_id, status, reason, sent_at)
    values (${chargerId}, 1, 'T:1:1', 'NotExpressible', 'STEP_SIZE', now())`;
  await sql`
    insert into event_streams (charger_id, stream_id, monitor_id, interval_seconds, opened_at)
    values (${chargerId}, 1, 7, 5, now()), (${chargerId}, 2, 8, null, now())`;
  await sql`
    insert into variable_monitors (charger_id, monitor_id, component, component_instance, evse, connector, variable,
      variable_instance, type, value, severity, transaction_only, reported_at)
    values (${chargerId}, 7, 'EVSE', '', 1, 0, 'Power', '', 'Periodic', 5, 8, false, now())`;
  for (const [action, payload] of [
    ['NotifyDERStartStop', { controlId: 'c', started: true }],
    ['NotifyDERStartStop', { controlId: 'c', started: false }],
    ['NotifyDERStartStop', { controlId: 'old', started: true }],
    ['NotifyDERStartStop', { controlId: 'new', started: true, supersededIds: ['old', 'older'] }],
    ['NotifyDERAlarm', { controlType: 'VoltWatt', gridEventFault: 'OverVoltage' }],
    ['NotifySettlement', { pspRef: 'p', password: 'hush' }],
  ] as const) {
    await sql`
      insert into charger_notifications (charger_id, action, payload, received_at)
      values (${chargerId}, ${action}, ${sql.json(payload)}, now())`;
  }
  t.match(await state(), {
    tariffs: [{ evseId: 1, tariffId: 'T:1:1', status: 'NotExpressible', reason: 'STEP_SIZE' }],
    eventStreams: [
      { streamId: 1, intervalSeconds: 5, component: 'EVSE', evseId: 1, variable: 'Power' },
      { streamId: 2, monitorId: 8, component: null, variable: null },
    ],
    derControls: [
      { controlId: 'c', isActive: false },
      { controlId: 'new', isActive: true },
      { controlId: 'old', isActive: false },
      { controlId: 'older', isActive: false },
    ],
    derAlarms: [{ controlType: 'VoltWatt', gridEventFault: 'OverVoltage', isActive: true }],
  });
  const first = await ask('GET', 'notifications?pageSize=2');
  t.match(items(first.json['data']), [
    { action: 'NotifySettlement', payload: { pspRef: 'p', password: '***' } },
    { action: 'NotifyDERAlarm' },
  ]);
  const rest = await ask('GET', `notifications?pageSize=9&cursor=${text(first.json['nextCursor'])}`);
  t.equal(items(rest.json['data']).length, 7);
  t.equal(items((await ask('GET', 'notifications?action=NotifyDERStartStop')).json['data']).length, 4);
  t.match(await ask('GET', 'notifications?cursor=nonsense'), { status: 400 });
});

void t.test('removes each kind of event after its retention period', async (t) => {
  const api = await startTestApi(t);
  await tellingCharger(api);
  const { sql } = api.stores;
  const left = async () => {
    const [row] = await sql`
      select (select count(*)::integer from device_events) as device,
        (select count(*)::integer from security_events) as security,
        (select count(*)::integer from charger_notifications) as notifications`;
    return row;
  };
  await removePastEvents(sql, { logDays: 50, recordDays: null, outboxDays: 7 });
  t.same(await left(), { device: 1, security: 2, notifications: 2 });
  await removePastEvents(sql, { logDays: 50, recordDays: 10, outboxDays: 7 });
  t.same(await left(), { device: 1, security: 1, notifications: 2 });
});

void t.test(
  'hides reservations, profiles, lists, certificates and device data of other networks',
  async (t) => {
    const api = await startTestApi(t);
    const { id, ask } = await tellingCharger(api);
    const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
    const unscoped = await mintKey(api, { scopes: ['cpms:read:chargers'] });
    const unknown = '00000000-0000-4000-8000-000000000000';
    const profile = {
      connectorNumber: 1,
      stackLevel: 1,
      purpose: 'TxDefault',
      kind: 'Relative',
      rateUnit: 'A',
      periods: [{ startSeconds: 0, limit: 16 }],
    };
    const reservation = {
      chargerId: id,
      idTag: 'TAG',
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    };
    const charger = `/cpms/v1/chargers/${id}`;
    const requests = [
      { url: `${charger}/device-model` },
      { url: `${charger}/events` },
      { url: `${charger}/security-events` },
      { url: `${charger}/station` },
      { url: `${charger}/notifications` },
      { url: `${charger}/certificates` },
      { method: 'POST', url: `${charger}/certificates`, payload: { use: 'CSMSRoot', certificate: 'PEM' } },
      { method: 'DELETE', url: `${charger}/certificates/${unknown}` },
      { url: `${charger}/local-list` },
      { method: 'POST', url: `${charger}/local-list` },
      { url: `${charger}/charging-profiles` },
      { method: 'POST', url: `${charger}/charging-profiles`, payload: profile },
      { method: 'DELETE', url: `${charger}/charging-profiles` },
      { method: 'POST', url: `${charger}/charging-profiles/1/limit`, payload: { limit: 6 } },
      { url: `${charger}/composite-schedule?connectorNumber=0&durationSeconds=60` },
      { method: 'POST', url: '/cpms/v1/reservations', payload: reservation },
      { url: `/cpms/v1/reservations/${unknown}` },
      { method: 'DELETE', url: `/cpms/v1/reservations/${unknown}` },
    ] as const;
    for (const request of requests) {
      const about = JSON.stringify(request);
      t.equal((await api.call(foreign, request)).status, 404, about);
      t.match(
        await api.call(unscoped, request),
        { status: 403, json: { error: { code: 'SCOPE_MISSING' } } },
        about,
      );
      t.equal((await api.call(null, request)).status, 401, about);
    }
    t.same((await api.call(foreign, { url: '/cpms/v1/reservations' })).json['data'], []);
    t.equal((await api.call(unscoped, { url: '/cpms/v1/reservations' })).status, 403);
    await api.shard.presence.release('CP-1', (await api.bus.presence.lookup('CP-1'))?.connectionId ?? '');
    t.match(await ask('POST', 'charging-profiles', profile), {
      status: 409,
      json: { error: { code: 'CHARGER_OFFLINE' } },
    });
  },
);
