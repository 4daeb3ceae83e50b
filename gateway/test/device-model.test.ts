import t from 'tap';
import { listConnectors } from '#shared/testing/connectors.ts';
import { startRig } from './support/rig.ts';

const variable = (name: string, value: string, evse?: { id: number; connectorId?: number }) => ({
  component: { name: evse === undefined ? 'OCPPCommCtrlr' : 'EVSE', ...(evse === undefined ? {} : { evse }) },
  variable: { name },
  variableAttribute: [
    { value, mutability: 'ReadWrite', persistent: true },
    { type: 'MaxSet', value: '900', mutability: 'ReadOnly' },
  ],
  variableCharacteristics: { dataType: 'integer', unit: 's', supportsMonitoring: true, maxLimit: 900 },
});

const connector = (connectorId: number) => ({ name: 'Connector', evse: { id: 1, connectorId } });

const monitoringReport = (value: number) => ({
  requestId: 1,
  seqNo: 0,
  generatedAt: new Date().toISOString(),
  monitor: [
    {
      component: { name: 'EVSE', evse: { id: 1 } },
      variable: { name: 'Power' },
      variableMonitoring: [
        { id: 4, transaction: false, value, type: 'UpperThreshold', severity: 3 },
        { id: 5, transaction: true, value: 1, type: 'Delta', severity: 9 },
      ],
    },
  ],
});

// One gateway for all of these: each has chargers of its own.
const rig = await startRig(t);
const { sql } = rig.stores;

void t.test('stores a device model part by part and keeps the newer of two reports', async (t) => {
  const { charger, client } = await rig.connect('ocpp2.0.1');
  const reports = () => sql`
    select request_id as id, received_parts as parts, is_complete as "isComplete" from charger_reports
    where charger_id = ${charger.id} order by request_id`;
  const report = { requestId: 7, generatedAt: new Date(Date.now() - 60_000).toISOString() };
  const first = { ...report, seqNo: 0, tbc: true, reportData: [variable('HeartbeatInterval', '60')] };
  await client.call('NotifyReport', first);
  t.same(await reports(), [{ id: 7, parts: [0], isComplete: false }]);
  await client.call('NotifyReport', first);
  const second = { ...report, seqNo: 1, reportData: [variable('Power', '11', { id: 2, connectorId: 1 })] };
  await client.call('NotifyReport', second);
  t.same(await reports(), [{ id: 7, parts: [0, 1], isComplete: true }]);

  const older = {
    ...report,
    requestId: 8,
    generatedAt: new Date(Date.now() - 120_000).toISOString(),
    seqNo: 0,
  };
  await client.call('NotifyReport', { ...older, reportData: [variable('HeartbeatInterval', '1')] });
  // A report with the number of an older one.
  const newer = {
    ...first,
    generatedAt: new Date().toISOString(),
    reportData: [variable('HeartbeatInterval', '90')],
  };
  await client.call('NotifyReport', newer);
  t.same((await reports())[0], { id: 7, parts: [0], isComplete: false });

  const rows = await sql`
    select component, evse, connector, variable, attribute, value, mutability, persistent, unit, data_type, max_limit
    from device_variables where charger_id = ${charger.id} order by component, attribute`;
  const common = { unit: 's', data_type: 'integer', max_limit: 900 };
  const power = { ...common, component: 'EVSE', evse: 2, connector: 1, variable: 'Power' };
  const interval = {
    ...common,
    component: 'OCPPCommCtrlr',
    evse: 0,
    connector: 0,
    variable: 'HeartbeatInterval',
  };
  const set = { mutability: 'ReadWrite', persistent: true, attribute: 'Actual' };
  const most = { mutability: 'ReadOnly', persistent: false, attribute: 'MaxSet', value: '900' };
  t.same(rows, [
    { ...power, ...set, value: '11' },
    { ...power, ...most },
    { ...interval, ...set, value: '90' },
    { ...interval, ...most },
  ]);
  const broken = { ...report, seqNo: 0, reportData: [{ component: { name: 'EVSE' } }] };
  await t.rejects(client.call('NotifyReport', broken));
});

void t.test('stores monitors under the identifier of the station', async (t) => {
  const { charger, client } = await rig.connect('ocpp2.0.1');
  await client.call('NotifyMonitoringReport', monitoringReport(11_000));
  await client.call('NotifyMonitoringReport', monitoringReport(22_000));
  const rows = await sql`
    select monitor_id as id, component, evse, variable, type, value, severity, transaction_only as "onlyInTransaction"
    from variable_monitors where charger_id = ${charger.id} order by monitor_id`;
  const place = { component: 'EVSE', evse: 1, variable: 'Power' };
  t.same(rows, [
    { id: 4, ...place, type: 'UpperThreshold', value: 22_000, severity: 3, onlyInTransaction: false },
    { id: 5, ...place, type: 'Delta', value: 1, severity: 9, onlyInTransaction: true },
  ]);
  const [parts] = await sql`select action, is_complete from charger_reports where charger_id = ${charger.id}`;
  t.same(parts, { action: 'NotifyMonitoringReport', is_complete: true });
});

void t.test('stores events once and updates connector states from them', async (t) => {
  const { charger, client } = await rig.connect('ocpp2.0.1');
  const timestamp = new Date().toISOString();
  const event = (eventId: number, component: object, name: string, actualValue: string) => ({
    eventId,
    timestamp,
    trigger: 'Delta',
    actualValue,
    eventNotificationType: 'HardWiredNotification',
    component,
    variable: { name },
  });
  const request = {
    generatedAt: timestamp,
    seqNo: 0,
    eventData: [
      event(1, connector(1), 'AvailabilityState', 'Occupied'),
      event(2, connector(2), 'AvailabilityState', 'Unheard-of'),
      { ...event(3, { name: 'ChargingStation' }, 'Problem', 'true'), techCode: 'E7', cleared: false },
    ],
  };
  await client.call('NotifyEvent', request);
  await client.call('NotifyEvent', request);
  const rows = await sql`
    select event_id::integer as id, component, variable, actual_value as value, tech_code as "techCode", cleared
    from device_events where charger_id = ${charger.id} order by event_id`;
  const available = { component: 'Connector', variable: 'AvailabilityState', techCode: null, cleared: null };
  t.same(rows, [
    { id: 1, ...available, value: 'Occupied' },
    { id: 2, ...available, value: 'Unheard-of' },
    {
      id: 3,
      component: 'ChargingStation',
      variable: 'Problem',
      value: 'true',
      techCode: 'E7',
      cleared: false,
    },
  ]);
  const connectors = await listConnectors(sql, [charger.id]);
  t.equal(connectors.find(({ number }) => number === 1)?.status, 'Occupied');
  t.notOk(connectors.some(({ status }) => status === 'Unheard-of'));
});

void t.test('stores a device model of many parts at the limit of rows', async (t) => {
  const { charger, client } = await rig.connect('ocpp2.0.1');
  const generatedAt = new Date().toISOString();
  for (let seqNo = 0; seqNo < 10; seqNo += 1) {
    const reportData = Array.from({ length: 50 }, (_, n) =>
      variable(`V${seqNo}-${n}`, String(n), { id: n + 1 }),
    );
    await client.call('NotifyReport', { requestId: 1, generatedAt, seqNo, tbc: seqNo < 9, reportData });
  }
  const [counted] = await sql`
    select count(*)::integer as variables from device_variables where charger_id = ${charger.id}`;
  t.equal(counted?.variables, 1000);
  const [report] = await sql`select is_complete from charger_reports where charger_id = ${charger.id}`;
  t.equal(report?.is_complete, true);
});

const cut = (id: number) => sql`
  select device_model_cut_at is not null as "isCut",
    (select count(*)::integer from device_variables where charger_id = ${id}) as variables
  from chargers where id = ${id}`;

const monitors = (from: number) =>
  Array.from({ length: 5_100 }, (_, n) => ({
    id: from + n,
    transaction: false,
    value: 1,
    type: 'Delta',
    severity: 3,
  }));

void t.test('truncates and marks a device model of more than 20,000 rows', async (t) => {
  const { charger, client } = await rig.connect('ocpp2.0.1');
  const { charger: other, client: otherClient } = await rig.connect('ocpp2.0.1');
  const generatedAt = new Date().toISOString();
  const report = (seqNo: number, value: string, count = 1050) => ({
    requestId: 1,
    generatedAt: new Date(Date.parse(generatedAt) + seqNo).toISOString(),
    seqNo,
    tbc: true,
    reportData: Array.from({ length: count }, (_, n) => variable(`V${seqNo}-${n}`, value)),
  });
  for (let seqNo = 0; seqNo < 10; seqNo += 1) await client.call('NotifyReport', report(seqNo, '1'));
  t.same(await client.call('NotifyReport', report(0, '2')), {}, 'a row that is stored can still change');
  await otherClient.call('NotifyReport', report(0, '1', 2));
  t.same(await cut(charger.id), [{ isCut: true, variables: 20_000 }]);
  t.same(await cut(other.id), [{ isCut: false, variables: 4 }]);
});

void t.test('truncates and marks more than 20,000 monitors', async (t) => {
  const { charger, client } = await rig.connect('ocpp2.0.1');
  const generatedAt = new Date().toISOString();
  for (let seqNo = 0; seqNo < 4; seqNo += 1) {
    const [monitor] = monitoringReport(1).monitor;
    const variableMonitoring = monitors(seqNo * 5_100);
    const part = {
      ...monitoringReport(1),
      generatedAt,
      seqNo,
      monitor: [{ ...monitor, variableMonitoring }],
    };
    t.same(await client.call('NotifyMonitoringReport', part), {});
  }
  const [counted] = await sql`
    select (select count(*)::integer from variable_monitors where charger_id = c.id) as monitors,
      device_model_cut_at is not null as "isCut" from chargers c where id = ${charger.id}`;
  t.same(counted, { monitors: 20_000, isCut: true });
});

void t.test('keeps the newest 1,000 reports of a charger', async (t) => {
  const { charger, client } = await rig.connect('ocpp2.0.1');
  await sql`
    insert into charger_reports (charger_id, action, request_id, generated_at, received_parts, updated_at)
    select ${charger.id}, 'NotifyReport', n, now(), array[0], now() - interval '1 hour' + n * interval '1 second'
    from generate_series(1, 1000) n`;
  await client.call('NotifyReport', { requestId: 5000, generatedAt: new Date().toISOString(), seqNo: 0 });
  const [known] = await sql`
    select count(*)::integer as count, min(request_id) as oldest, max(request_id) as newest
    from charger_reports where charger_id = ${charger.id}`;
  t.same(known, { count: 1000, oldest: 2, newest: 5000 });
});
