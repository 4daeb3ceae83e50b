import t from 'tap';
import { askForFirmware, firmwareOf, historyOf, tell } from './support/firmware.ts';
import { startRig } from './support/rig.ts';

const profile = (id: number, limit: number) => ({
  id,
  stackLevel: 0,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Absolute',
  chargingSchedule: [{ id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit }] }],
});

// One gateway for all of these: each has chargers of its own.
const rig = await startRig(t);
const { sql } = rig.stores;

void t.test('stores the progress of a firmware update once when its report is repeated', async (t) => {
  const { charger, client } = await rig.connect('ocpp1.6');
  const old = await askForFirmware(sql, charger.id, null);
  const update = await askForFirmware(sql, charger.id, null);
  await tell(client, 'FirmwareStatusNotification', [
    { status: 'Idle' },
    { status: 'Downloading' },
    { status: 'Downloading' },
    { status: 'DownloadFailed' },
  ]);
  t.same(await firmwareOf(sql, update), [{ status: 'DownloadFailed', outcome: 'failed', isOpen: false }]);
  // It retries.
  await tell(client, 'FirmwareStatusNotification', [{ status: 'Downloading' }]);
  t.same(await firmwareOf(sql, update), [{ status: 'Downloading', outcome: null, isOpen: true }]);
  await tell(client, 'FirmwareStatusNotification', [
    { status: 'Downloaded' },
    { status: 'Installing' },
    { status: 'Installed' },
    { status: 'Installed' },
  ]);
  t.same(await firmwareOf(sql, update), [{ status: 'Installed', outcome: 'succeeded', isOpen: false }]);
  t.same(await historyOf(sql, charger.id, 'firmware_update_statuses'), [
    ['Idle', false],
    ['Downloading', true],
    ['DownloadFailed', true],
    ['Downloading', true],
    ['Downloaded', true],
    ['Installing', true],
    ['Installed', true],
    // Said of the older one, for all that can be known.
    ['Installed', true],
  ]);
  t.same(await firmwareOf(sql, old), [{ status: 'Installed', outcome: 'succeeded', isOpen: false }]);
});

void t.test('updates the firmware request that a status names, in both versions', async (t) => {
  for (const [version, action] of [
    ['ocpp1.6', 'SignedFirmwareStatusNotification'],
    ['ocpp2.0.1', 'FirmwareStatusNotification'],
  ] as const) {
    const { charger, client } = await rig.connect(version);
    const first = await askForFirmware(sql, charger.id, 1);
    const second = await askForFirmware(sql, charger.id, 2);
    await tell(client, action, [
      { status: 'InvalidSignature', requestId: 1 },
      { status: 'SignatureVerified', requestId: 2 },
      { status: 'Downloading', requestId: 77 },
      { status: 'Installed', requestId: 2 },
      { status: 'Installed', requestId: 2 },
    ]);
    t.same(await firmwareOf(sql, first), [{ status: 'InvalidSignature', outcome: 'failed', isOpen: false }]);
    t.same(await firmwareOf(sql, second), [{ status: 'Installed', outcome: 'succeeded', isOpen: false }]);
    t.same(
      await historyOf(sql, charger.id, 'firmware_update_statuses'),
      [
        ['InvalidSignature', true],
        ['SignatureVerified', true],
        ['Downloading', false],
        ['Installed', true],
      ],
      version,
    );
    await t.rejects(client.call(action, { status: 'Sideways', requestId: 1 }));
  }
});

void t.test('separates firmware that a local controller publishes from its own', async (t) => {
  const { charger, client } = await rig.connect('ocpp2.0.1');
  const own = await askForFirmware(sql, charger.id, 1);
  const [published] = await sql<{ id: bigint }[]>`
    insert into firmware_updates (charger_id, kind, request_id, location)
    values (${charger.id}, 'Publish', 1, 'https://firmware.example/2.bin') returning id`;
  await client.call('PublishFirmwareStatusNotification', {
    status: 'Published',
    location: ['https://controller.example/2.bin'],
    requestId: 1,
  });
  t.same(await firmwareOf(sql, own), [{ status: 'Requested', outcome: null, isOpen: true }]);
  t.same(await firmwareOf(sql, published?.id ?? 0n), [
    { status: 'Published', outcome: 'succeeded', isOpen: false },
  ]);
});

void t.test('separates diagnostics uploads from log uploads', async (t) => {
  const { charger, client } = await rig.connect('ocpp1.6');
  await sql`
    insert into log_uploads (charger_id, kind, request_id, location)
    values (${charger.id}, 'Diagnostics', null, 'ftp://logs.example/'),
      (${charger.id}, 'Log', 5, 'ftp://logs.example/')`;
  await tell(client, 'DiagnosticsStatusNotification', [{ status: 'Uploading' }, { status: 'UploadFailed' }]);
  await tell(client, 'LogStatusNotification', [
    { status: 'Uploading', requestId: 5 },
    { status: 'Uploaded', requestId: 5 },
  ]);
  t.same(
    await sql`select kind, status, outcome from log_uploads where charger_id = ${charger.id} order by id`,
    [
      { kind: 'Diagnostics', status: 'UploadFailure', outcome: 'failed' },
      { kind: 'Log', status: 'Uploaded', outcome: 'succeeded' },
    ],
  );
  t.same(await historyOf(sql, charger.id, 'log_upload_statuses'), [
    ['Uploading', true],
    ['UploadFailure', true],
    ['Uploading', true],
    ['Uploaded', true],
  ]);
  const newer = await rig.connect('ocpp2.0.1');
  await newer.client.call('LogStatusNotification', { status: 'Idle' });
  t.same(await historyOf(sql, newer.charger.id, 'log_upload_statuses'), [['Idle', false]]);
});

void t.test('stores a security event once with its own time, in both versions', async (t) => {
  for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
    const { charger, client } = await rig.connect(version);
    const event = {
      type: 'TamperDetectionActivated',
      timestamp: new Date(Date.now() - 30 * 86_400_000).toISOString(),
      techInfo: 'lid open',
    };
    await tell(client, 'SecurityEventNotification', [event, event, { ...event, techInfo: 'lid shut' }]);
    await client.call('SecurityEventNotification', {
      type: 'SettingSystemTime',
      timestamp: '1970-01-01T00:00:00Z',
    });
    const rows = await sql`
      select type, tech_info as "techInfo", time_flag as "timeFlag", occurred_at = ${event.timestamp} as "isOld"
      from security_events where charger_id = ${charger.id} order by id`;
    t.same(rows, [
      { type: event.type, techInfo: 'lid open', timeFlag: null, isOld: true },
      { type: event.type, techInfo: 'lid shut', timeFlag: null, isOld: true },
      { type: 'SettingSystemTime', techInfo: null, timeFlag: 'time-past', isOld: false },
    ]);
    await t.rejects(client.call('SecurityEventNotification', { timestamp: event.timestamp }));
  }
});

void t.test('ends a reservation that the station reports as ended', async (t) => {
  const { charger, client } = await rig.connect('ocpp2.0.1');
  await sql`
    insert into reservations (charger_id, reservation_id, evse, id_token, expires_at, status)
    values (${charger.id}, 1, 1, 'TAG', now(), 'Active'), (${charger.id}, 2, 2, 'TAG', now(), 'Cancelled')`;
  await tell(client, 'ReservationStatusUpdate', [
    { reservationId: 1, reservationUpdateStatus: 'Expired' },
    { reservationId: 1, reservationUpdateStatus: 'Removed' },
    { reservationId: 2, reservationUpdateStatus: 'Removed' },
    { reservationId: 3, reservationUpdateStatus: 'Removed' },
  ]);
  t.same(await sql`select reservation_id, status from reservations order by reservation_id`, [
    { reservation_id: 1, status: 'Expired' },
    { reservation_id: 2, status: 'Cancelled' },
  ]);
});

void t.test('stores installed charging profiles as reported', async (t) => {
  const { charger, client } = await rig.connect('ocpp2.0.1');
  const report = { requestId: 1, chargingLimitSource: 'CSO', evseId: 1 };
  await tell(client, 'ReportChargingProfiles', [
    { ...report, tbc: true, chargingProfile: [profile(1, 16), profile(2, 10)] },
    { ...report, chargingProfile: [profile(1, 32)] },
  ]);
  const rows = await sql`
    select profile_id as id, purpose, profile #>> '{chargingSchedule,0,chargingSchedulePeriod,0,limit}' as limit
    from charging_profiles where charger_id = ${charger.id} and evse = 1 order by profile_id`;
  t.same(rows, [
    { id: 1, purpose: 'TxDefaultProfile', limit: '32' },
    { id: 2, purpose: 'TxDefaultProfile', limit: '10' },
  ]);
});

void t.test('stores notifications without a table of their own unchanged', async (t) => {
  const { charger, client } = await rig.connect('ocpp2.0.1');
  const generatedAt = new Date().toISOString();
  const part = (seqNo: number) => ({
    data: `part ${seqNo}`,
    seqNo,
    generatedAt,
    requestId: 3,
    tbc: seqNo === 0,
  });
  await tell(client, 'NotifyCustomerInformation', [part(0), part(0), part(1)]);
  const limit = { chargingLimit: { chargingLimitSource: 'EMS' } };
  const cleared = { chargingLimitSource: 'EMS' };
  await tell(client, 'NotifyChargingLimit', [limit]);
  await tell(client, 'ClearedChargingLimit', [cleared]);
  await tell(client, 'NotifyChargingLimit', [limit, limit]);
  const needs = { evseId: 1, chargingNeeds: { requestedEnergyTransfer: 'AC_three_phase' } };
  t.same(await client.call('NotifyEVChargingNeeds', needs), { status: 'Rejected' });
  const exi = { iso15118SchemaVersion: 'urn:iso:15118:2:2013:MsgDef', action: 'Install', exiRequest: 'AA==' };
  t.same(await client.call('Get15118EVCertificate', exi), { status: 'Failed', exiResponse: '' });
  const rows = await sql<{ action: string; request_id: number | null; seq_no: number | null }[]>`
    select action, request_id, seq_no from charger_notifications where charger_id = ${charger.id} order by id`;
  t.same(
    rows.map((row) => [row.action, row.request_id, row.seq_no]),
    [
      ['NotifyCustomerInformation', 3, 0],
      ['NotifyCustomerInformation', 3, 1],
      ['NotifyChargingLimit', null, null],
      ['ClearedChargingLimit', null, null],
      ['NotifyChargingLimit', null, null],
      ['NotifyEVChargingNeeds', null, null],
      ['Get15118EVCertificate', null, null],
    ],
    'each once; a repetition after another status counts again',
  );
  const [kept] = await sql`select payload from charger_notifications where action = 'Get15118EVCertificate'`;
  t.same(kept?.payload, exi);
});
