import { randomUUID } from 'node:crypto';
import t from 'tap';
import { settleFailed, settleSent } from '#shared/postgres/roaming/ocpi-push-results.ts';
import { refuseRemoteStart } from '#shared/postgres/charging/remote-starts.statements.ts';
import { updateLiveValues } from '#shared/postgres/charging/session-writes/live-values.ts';
import { beatShard } from '#shared/postgres/fleet/connections.ts';
import { pushPolicy } from '#shared/domain/roaming/ocpi-push.ts';
import { contractPki } from '#shared/testing/contract-pki.ts';
import { seedRemoteStart } from '#shared/testing/seed.ts';
import { items, mintKey } from '#api/test/support/fixtures.ts';
import { startSession } from '#api/test/support/records.ts';
import {
  type AlertScene,
  alertScene,
  connectedCharger,
  connectedSite,
  cutOff,
  reconnect,
} from '#api/test/support/alert-scene.ts';

const dayMs = 24 * 60 * 60_000;

/** Sets thresholds of a kind in the first network. */
const setThresholds = ({ api }: AlertScene, kind: string, thresholds: Record<string, number>) =>
  api.stores.sql`
    insert into alert_rules (network_id, kind, is_enabled, severity, thresholds, notifies, group_window_seconds, escalate_to)
    values (${api.network.id}, ${kind}, true, 'critical', ${api.stores.sql.json(thresholds)}, true, 120, '[]')`;

void t.test('raises one alert for a location whose chargers go offline together', async (t) => {
  const scene = await alertScene(t);
  const site = await connectedSite(scene, 'Quay', 10);
  await connectedSite(scene, 'Pier', 10);
  await cutOff(scene, site.id, { minutesAgo: 4, spreadSeconds: 30 });
  await scene.watch();
  t.same(await scene.states(), [], 'not before five minutes');
  await cutOff(scene, site.id, { minutesAgo: 16 });
  await scene.watch();
  const [alert, ...others] = await scene.list();
  t.same(others, []);
  t.match(alert, {
    kind: 'location-offline',
    severity: 'critical',
    resourceType: 'location',
    resourceId: site.uuid,
    resourceName: 'Quay',
    chargerId: null,
    details: { chargerCount: 10, ofChargers: 10 },
  });
  t.equal(items(alert?.['details']?.['chargerIds']).length, 10);
  t.match(alert?.['message'], /10 of 10 chargers at Quay/);

  await reconnect(scene, site.id, 8);
  await scene.watch();
  t.same(
    (await scene.states('?pageSize=100')).toSorted(),
    ['charger-offline open', 'charger-offline open', 'location-offline resolved'],
    'chargers that stay away are alerts of their own',
  );
  await reconnect(scene, site.id);
  await scene.watch();
  t.same(await scene.states('?status=open'), []);
});

void t.test('raises alerts for single chargers when too few go offline together', async (t) => {
  const scene = await alertScene(t);
  const site = await connectedSite(scene, 'Quay', 10);
  await cutOff(scene, site.id, { chargers: 4 });
  await scene.watch();
  t.same(new Set(await scene.states()), new Set(['charger-offline open']));
  t.equal((await scene.list()).length, 4, 'fewer than half');
  await reconnect(scene, site.id);
  await cutOff(scene, site.id, { spreadSeconds: 6 * 3600 });
  await scene.watch();
  t.same(await scene.states('?status=open&kind=location-offline'), [], 'one after the other over hours');
  const small = await connectedSite(scene, 'Two', 2);
  await cutOff(scene, small.id);
  await scene.watch();
  t.same(await scene.states('?status=open&kind=location-offline'), [], 'fewer than three');
});

void t.test('applies the thresholds and severities of each network', async (t) => {
  const scene = await alertScene(t);
  const { api } = scene;
  const mine = await connectedSite(scene, 'Mine', 3);
  const theirs = await connectedSite(scene, 'Theirs', 3, api.otherNetwork.id);
  await setThresholds(scene, 'charger-offline', { offlineMinutes: 30 });
  for (const { id } of [mine, theirs]) await cutOff(scene, id, { chargers: 1, minutesAgo: 20 });
  await scene.watch();
  t.same(await scene.states(), []);
  const all = await mintKey(api, { unrestricted: true, networkIds: [] });
  const seen = items((await api.call(all, { url: '/cpms/v1/alerts' })).json['data']);
  t.match(seen, [{ networkId: api.otherNetwork.id, severity: 'warning' }]);
  t.equal(seen.length, 1);
  await cutOff(scene, mine.id, { chargers: 1, minutesAgo: 31 });
  await scene.watch();
  t.match(await scene.list(), [{ kind: 'charger-offline', severity: 'critical' }]);
  await api.stores.sql`update alert_rules set is_enabled = false`;
  await scene.watch();
  t.same(await scene.states(), ['charger-offline resolved'], 'a kind that is off finds nothing');
});

void t.test('raises an alert for a running session without energy until energy flows', async (t) => {
  const scene = await alertScene(t);
  const { sql } = scene.api.stores;
  const charger = await connectedCharger(scene, 'CP-1');
  const session = await startSession(sql, {
    chargerUuid: charger,
    startedAt: new Date(Date.now() - 40 * 60_000),
  });
  const values = (energyWh: number, powerW: number, isCharging: boolean, minutesAgo: number) =>
    updateLiveValues(sql, [
      {
        sessionUuid: session.uuid,
        energyWh,
        meter: { registers: {} },
        meterStartWh: null,
        powerW,
        peakPowerW: powerW,
        socPercent: null,
        isCharging,
        isChargingSince: new Date(Date.now() - minutesAgo * 60_000),
        time: new Date(Date.now() - minutesAgo * 60_000),
      },
    ]);
  const states = () => scene.states('?kind=session-without-energy');
  await scene.watch();
  t.same(await states(), [], 'a charger that sends no reading is unknown');
  await values(0, 0, false, 39);
  await scene.watch();
  t.match(await scene.list('?kind=session-without-energy'), [
    { resourceType: 'session', resourceId: session.uuid, chargerId: charger, status: 'open' },
  ]);
  await sql`update connectors set status = 'SuspendedEV'`;
  await scene.watch();
  t.same(await states(), ['session-without-energy resolved'], 'the vehicle pauses');
  await sql`update connectors set status = 'Charging'`;
  await values(500, 7000, true, 30);
  await scene.watch();
  t.same(await scene.states('?kind=session-without-energy&status=open'), []);
  await values(500, 0, false, 25);
  await scene.watch();
  t.same(await scene.states('?kind=session-without-energy&status=open'), ['session-without-energy open']);
  await values(600, 7000, true, 0);
  await scene.watch();
  t.same(await scene.states('?kind=session-without-energy&status=open'), [], 'energy flows again');
});

void t.test('raises an alert for starts refused in a row until one succeeds', async (t) => {
  const scene = await alertScene(t);
  const { sql } = scene.api.stores;
  const charger = await connectedCharger(scene, 'CP-1');
  const [row] = await sql<{ id: number }[]>`select id from chargers where uuid = ${charger}`;
  const refuse = async (number: number) => {
    await seedRemoteStart(sql, row!.id, { idToken: 'TAG-1', remoteStartId: number });
    const [start] = await sql<
      { uuid: string }[]
    >`select uuid from remote_starts where remote_start_id = ${number}`;
    await refuseRemoteStart(sql, start!.uuid);
  };
  for (const number of [1, 2, 3, 4]) await refuse(number);
  await scene.watch();
  t.same(await scene.states('?kind=starts-refused'), [], 'four are not five');
  const local = await startSession(sql, { chargerUuid: charger, startedAt: new Date() });
  await sql`update sessions set authorization_status = 'Invalid' where uuid = ${local.uuid}`;
  await scene.watch();
  t.match(await scene.list('?kind=starts-refused'), [
    { status: 'open', chargerId: charger, details: { refusedStarts: 5 } },
  ]);
  await startSession(sql, { chargerUuid: charger, startedAt: new Date() });
  await scene.watch();
  t.same(await scene.states('?kind=starts-refused'), ['starts-refused resolved']);
  await refuse(5);
  await scene.watch();
  t.same(await scene.states('?kind=starts-refused&status=open'), [], 'they are counted from the success');
});

void t.test('raises an alert for a wrong clock until the newest session has a right one', async (t) => {
  const scene = await alertScene(t);
  const { sql } = scene.api.stores;
  const charger = await connectedCharger(scene, 'CP-1');
  await sql`update chargers set connected_at = now() - interval '5 hours'`;
  const begin = async (minutesBehind: number, flags: string[] = []) => {
    const { uuid } = await startSession(sql, {
      chargerUuid: charger,
      startedAt: new Date(Date.now() - minutesBehind * 60_000),
    });
    await sql`update sessions set flags = ${flags}, start_received_at = now() where uuid = ${uuid}`;
  };
  const open = () => scene.list('?kind=clock-wrong&status=open');
  await begin(9);
  await scene.watch();
  t.same(await open(), [], 'less than ten minutes');
  await begin(30);
  await scene.watch();
  t.match(await open(), [{ chargerId: charger, details: { offMinutes: 30 } }]);
  await begin(0);
  await scene.watch();
  t.same(await open(), []);
  await begin(0, ['time-future']);
  await scene.watch();
  t.match(await open(), [{ details: { flags: ['time-future'], offMinutes: null } }]);
  await begin(0);
  await scene.watch();
  t.same(await open(), []);
  await sql`update chargers set connected_at = now() - interval '1 minute'`;
  await begin(30);
  await scene.watch();
  t.same(await open(), [], 'the charger was offline when the session began');
});

void t.test('raises alerts for certificates about to expire until they are replaced', async (t) => {
  const scene = await alertScene(t);
  const { api } = scene;
  const { sql } = api.stores;
  const charger = await connectedCharger(scene, 'CP-1');
  const pki = await contractPki(t);
  const install = async (serial: string, days: number | null) => {
    const pem =
      days === null
        ? 'unreadable'
        : (await pki.contract('NLHRBC00000042', { validTo: new Date(Date.now() + days * dayMs) })).pem;
    await sql`
      insert into charger_certificates (charger_id, certificate_type, pem, hash_algorithm, issuer_name_hash,
        issuer_key_hash, serial_number, installed_at)
      select id, 'CSMSRootCertificate', ${pem}, 'SHA256', 'aa', 'bb', ${serial}, now() from chargers where uuid = ${charger}`;
  };
  const open = () => scene.list('?kind=certificate-expiring&status=open');
  await install('01', 31);
  await install('02', null);
  await scene.watch();
  t.same(await open(), []);
  t.same(await sql`select id from charger_certificates where valid_to is null`, [], 'each is read once');
  await sql`delete from charger_certificates`;
  await install('03', 20);
  await scene.watch();
  t.match(await open(), [
    { resourceType: 'certificate', chargerId: charger, details: { serialNumber: '03', expiresAt: String } },
  ]);
  await install('04', 400);
  await scene.watch();
  t.same(await open(), [], 'a later one replaces it');

  await sql`
    insert into trusted_certificates (network_id, pem, subject, valid_from, valid_to, fingerprint256)
    values (${api.otherNetwork.id}, 'x', 'CN=Their root', now(), now() + interval '5 days', 'a'),
      (${api.network.id}, 'x', 'CN=Root', now(), now() + interval '5 days', 'a')`;
  await scene.watch();
  t.match(await open(), [{ resourceName: 'CN=Root', chargerId: null }]);
  t.equal((await open()).length, 1);
  await sql`delete from trusted_certificates`;
  await scene.watch();
  t.same(await open(), []);
});

void t.test('raises an alert for a key about to expire in each of its networks', async (t) => {
  const scene = await alertScene(t);
  const { api } = scene;
  const { sql } = api.stores;
  const both = [api.network.id, api.otherNetwork.id];
  await mintKey(api, { name: 'Partner', networkIds: both, expiresAt: new Date(Date.now() + 10 * dayMs) });
  await mintKey(api, { name: 'Later', expiresAt: new Date(Date.now() + 20 * dayMs) });
  await mintKey(api, {
    name: 'System',
    unrestricted: true,
    networkIds: [],
    expiresAt: new Date(Date.now() + 10 * dayMs),
  });
  await scene.watch();
  t.match(await scene.list(), [{ kind: 'api-key-expiring', resourceName: 'Partner', status: 'open' }]);
  t.equal((await scene.list()).length, 1, 'neither the later one nor that of the system');
  const rows = await sql`select network_id, resource_name from alerts order by network_id nulls last`;
  t.strictSame(
    rows.map((row) => [row['network_id'], row['resource_name']]),
    [...both.toSorted((one, other) => one - other).map((id) => [id, 'Partner']), [null, 'System']],
  );
  await sql`update api_keys set revoked_at = now() where name = 'Partner'`;
  await scene.watch();
  t.same(await scene.states(), ['api-key-expiring resolved']);
});

void t.test('raises an alert for a partner whose breaker is open until it answers', async (t) => {
  const scene = await alertScene(t);
  const { sql } = scene.api.stores;
  const [partner] = await sql<{ id: number }[]>`
    insert into ocpi_partners (network_id, name, status) values (${scene.api.network.id}, 'Plugland', 'REGISTERED')
    returning id`;
  const partnerId = partner!.id;
  await sql`insert into ocpi_push_lanes (partner_id) values (${partnerId})`;
  const push = {
    id: 1n,
    partnerId,
    object: 'location' as const,
    objectId: 1n,
    isWhole: true,
    revision: 1,
    attempts: 1,
    isProbe: false,
  } as unknown as Parameters<typeof settleFailed>[1];
  for (let count = 0; count < pushPolicy.failuresToOpen; count += 1)
    await settleFailed(sql, push, pushPolicy, 'connection refused');
  await scene.watch();
  t.same(await scene.states(), [], 'not before a quarter of an hour');
  await sql`update ocpi_push_lanes set unreachable_since = unreachable_since - interval '16 minutes'`;
  await settleFailed(sql, { ...push, isProbe: true }, pushPolicy, 'connection refused');
  await scene.watch();
  t.match(await scene.list(), [
    {
      kind: 'partner-unreachable',
      resourceName: 'Plugland',
      details: { lastError: 'connection refused', since: String },
    },
  ]);
  await settleSent(sql, push, pushPolicy);
  await scene.watch();
  t.same(await scene.states(), ['partner-unreachable resolved']);
});

void t.test('applies the threshold of the whole system to a growing spool', async (t) => {
  const scene = await alertScene(t);
  const { api } = scene;
  const { sql } = api.stores;
  await sql`
    insert into alert_rules (kind, is_enabled, severity, thresholds, notifies, group_window_seconds, escalate_to)
    values ('gateway-spooling', true, 'warning', '{"spoolingMinutes": 10}', true, 120, '[]')`;
  await beatShard(sql, randomUUID(), 3);
  await sql`update gateway_shards set spooling_since = now() - interval '9 minutes'`;
  await scene.watch();
  const owner = await mintKey(api, { unrestricted: true, networkIds: [] });
  const list = async () => items((await api.call(owner, { url: '/cpms/v1/alerts' })).json['data']);
  t.same(await list(), []);
  await sql`update gateway_shards set spooling_since = now() - interval '11 minutes'`;
  await scene.watch();
  t.match(await list(), [{ kind: 'gateway-spooling', severity: 'warning', networkId: null }]);
});
