import t from 'tap';
import { watchForAlerts } from '#api/jobs/alerts.job.ts';
import { closeAbandonedSessions } from '#api/jobs/session-closer.ts';
import { beatShard } from '#shared/postgres/fleet/connections.ts';
import { seedConnection } from '#shared/testing/seed.ts';
import {
  items,
  type Json,
  mintKey,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';
import { addTariff, endSession, startSession } from '#api/test/support/records.ts';

const url = '/cpms/v1/alerts';
const text = (json: Json | undefined) => json as unknown as string;

async function scene(api: TestApi) {
  const key = await mintKey(api);
  const charger = await register(api, key, { serial: 'CP-1' });
  return {
    key,
    charger,
    watch: () => watchForAlerts(api.deps),
    /** The alerts that are not resolved, as `kind status`. */
    list: async (query = '') => items((await api.call(key, { url: `${url}${query}` })).json['data']),
    say: (alert: Json | undefined, action: 'acknowledge' | 'resolve', payload?: object) =>
      api.call(key, {
        method: 'POST',
        url: `${url}/${text(alert?.['id'])}/${action}`,
        ...(payload !== undefined && { payload }),
      }),
  };
}

const kinds = (alerts: Json[]) => alerts.map(({ kind, status }) => `${text(kind)} ${text(status)}`);

void t.test('raises an alert for a charger that is offline or faulted until it recovers', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { watch, list, say, charger, key } = await scene(api);
  const { id } = charger;
  await watch();
  t.strictSame(await list(), [], 'it has never been here');
  await seedConnection(sql, id);
  await watch();
  const gone = (minutes: number) =>
    sql`update chargers set disconnected_at = now() - make_interval(mins => ${minutes}) where uuid = ${id}`;
  await gone(14);
  await watch();
  t.strictSame(await list(), [], 'not for a quarter of an hour yet');
  await gone(16);
  await Promise.all([watch(), watch(), watch()]);
  const [offline] = await list();
  t.match(offline, {
    kind: 'charger-offline',
    severity: 'warning',
    status: 'open',
    networkId: api.network.id,
    resourceType: 'charger',
    resourceId: id,
    resourceName: 'CP-1',
    chargerId: id,
    acknowledgedAt: null,
    resolvedAt: null,
  });
  t.equal((await list()).length, 1, 'of many watchers one opens it');

  const seen = await say(offline, 'acknowledge', { note: 'A technician is on the way' });
  t.match(seen.json['data'], { status: 'acknowledged', acknowledgedBy: 'test', note: /technician/ });
  t.match(await say(offline, 'acknowledge'), { status: 200, json: { data: { note: /technician/ } } });
  await watch();
  t.strictSame(kinds(await list()), ['charger-offline acknowledged']);

  await sql`update chargers set disconnected_at = null, station_status = 'Faulted' where uuid = ${id}`;
  await sql`
    insert into connectors (charger_id, number, evse_number, status, error_code, vendor_error_code, status_at)
    select id, 2, 2, 'Faulted', 'GroundFailure', 'E42', now() from chargers where uuid = ${id}`;
  await watch();
  t.strictSame(kinds(await list()).toSorted(), [
    'charger-faulted open',
    'charger-offline resolved',
    'connector-faulted open',
  ]);
  t.match(await list('?kind=connector-faulted'), [
    { resourceName: 'CP-1/2', message: /E42/, details: { errorCode: 'GroundFailure', connectorNumber: 2 } },
  ]);
  t.match(await list('?kind=charger-offline'), [{ resolvedBy: null, resolvedAt: String }]);
  t.match(await say(offline, 'acknowledge'), { status: 409, json: { error: { code: 'ALERT_RESOLVED' } } });

  const [faulted] = await list('?severity=critical&status=open');
  t.match(await say(faulted, 'resolve', { note: 'Known' }), {
    status: 200,
    json: { data: { status: 'resolved', resolvedBy: 'test' } },
  });
  await watch();
  t.equal((await list('?kind=charger-faulted')).length, 1, 'the same occurrence is not opened again');
  await sql`update chargers set updated_at = now() where uuid = ${id}`;
  await watch();
  t.equal((await list('?kind=charger-faulted')).length, 2, 'a new one is');

  t.equal((await list(`?chargerId=${id}&status=resolved`)).length, 2);
  t.equal((await list('?pageSize=1')).length, 1);
  await sql`update chargers set deleted_at = now() where uuid = ${id}`;
  await watch();
  t.strictSame(await list('?status=open'), [], 'a removed charger raises no alerts');
  t.match(
    await sql`select action, resource_name, description, network_id from audit_log where category = 'alert' order by id`,
    [
      {
        action: 'acknowledge',
        resource_name: 'charger-offline CP-1',
        description: /technician/,
        network_id: api.network.id,
      },
      { action: 'acknowledge' },
      { action: 'resolve' },
    ],
  );
  t.equal((await api.call(key, { url: `${url}?kind=fire` })).status, 400);
});

void t.test(
  'raises alerts for sessions without a price or with an assumed end until they are corrected',
  async (t) => {
    const api = await startTestApi(t);
    const { sql } = api.stores;
    const { watch, list, charger, key } = await scene(api);
    const first = await startSession(sql, { chargerUuid: charger.id });
    await endSession(sql, first, 1000);
    await watch();
    t.match(await list(), [
      { kind: 'session-without-tariff', details: { sessionId: first.uuid }, resourceId: charger.id },
    ]);
    const second = await startSession(sql, {
      chargerUuid: charger.id,
      startedAt: new Date(Date.now() - 60_000),
    });
    await watch();
    t.match(
      await list(),
      [{ status: 'open', details: { sessionId: second.uuid } }],
      'one alert for a charger',
    );
    await addTariff(sql, api.network.id);
    const third = await startSession(sql, {
      chargerUuid: charger.id,
      startedAt: new Date(Date.now() - 30_000),
    });
    await watch();
    t.match(await list(), [{ status: 'resolved' }]);

    await sql`update sessions set start_received_at = now() - interval '2 days', started_at = now() - interval '2 days'
    where uuid = ${third.uuid}`;
    await closeAbandonedSessions(sql, { delayMs: 0, offlineMs: 1000 });
    await watch();
    const [estimated] = await list(`?kind=session-estimated&status=open&resourceId=${third.uuid}`);
    t.match(estimated, {
      resourceType: 'session',
      resourceId: third.uuid,
      chargerId: charger.id,
      details: { flags: ['energy-unmeasured', 'estimated', 'closed-next-start'] },
    });
    await api.call(key, {
      method: 'POST',
      url: `/cpms/v1/sessions/${third.uuid}/amend`,
      payload: { reason: 'Read from the meter', energyKwh: 3, endedAt: new Date().toISOString() },
    });
    await watch();
    const resolved = [{ status: 'resolved' }, { status: 'resolved' }];
    t.match(await list(`?resourceId=${third.uuid}`), resolved, 'of the estimate and of the review');
    await watch();
    t.equal((await list(`?resourceId=${third.uuid}`)).length, 2);
  },
);

void t.test('keeps an alert of a single event until an operator or a success ends it', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { watch, list, say, charger } = await scene(api);
  const [row] = await sql<{ id: number }[]>`select id from chargers where uuid = ${charger.id}`;
  const report = (type: string, seconds: number) => sql`
    insert into security_events (charger_id, type, occurred_at, received_at)
    values (${row!.id}, ${type}, now() - make_interval(secs => ${seconds}), now() - make_interval(secs => ${seconds}))`;
  await report('TamperDetectionActivated', 100);
  await report('StartupOfTheDevice', 100);
  await report('MemoryExhaustion', 100);
  await watch();
  t.strictSame(
    kinds(await list()),
    ['security-event open', 'security-event open'],
    'each type, but no routine',
  );
  const [tamper] = (await list()).filter(({ message }) => text(message).includes('Tamper'));
  await say(tamper, 'acknowledge');
  await watch();
  t.equal((await list('?status=acknowledged')).length, 1);
  await report('TamperDetectionActivated', 50);
  await watch();
  t.equal((await list('?status=open')).length, 2, 'it was opened again');
  await say(tamper, 'resolve');
  await watch();
  t.equal((await list('?status=open')).length, 1);
  await report('TamperDetectionActivated', 0);
  await watch();
  t.equal((await list('?status=open')).length, 2, 'a third time is a new alert');

  await sql`
    insert into unmatched_stops (charger_id, ocpp_transaction_id, stop, received_at)
    values (${row!.id}, '99', '{"endedAt": "2026-11-20T10:00:00Z", "meterStopWh": 5}', now())`;
  const update = (status: string, outcome: string, seconds: number) => sql`
    insert into firmware_updates (charger_id, location, status, outcome, closed_at)
    values (${row!.id}, 'http://files.example/f', ${status}, ${outcome}, now() - make_interval(secs => ${seconds}))`;
  await update('InstallationFailed', 'failed', 10);
  await watch();
  t.match(await list('?kind=unmatched-stop'), [{ details: { transactionId: '99' } }]);
  t.match(await list('?kind=firmware-failed'), [{ message: /InstallationFailed/, status: 'open' }]);
  await update('Installed', 'succeeded', 0);
  await watch();
  t.match(await list('?kind=firmware-failed'), [{ status: 'resolved' }]);
});

void t.test('hides alerts of other networks, and system alerts from third parties', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { watch, list, charger } = await scene(api);
  const shard = '5f6f1d2e-0d8e-4a83-9a53-0a4ad0a5ac3b';
  await beatShard(sql, shard, 3);
  await sql`update gateway_shards set spooling_since = now() - interval '2 minutes'`;
  await beatShard(sql, shard, 7);
  await startSession(sql, { chargerUuid: charger.id });
  await watch();
  t.strictSame(kinds(await list()), ['session-without-tariff open']);
  const owner = await mintKey(api, { unrestricted: true, networkIds: [] });
  const all = items((await api.call(owner, { url })).json['data']);
  t.match(all, [
    { kind: 'gateway-spooling', networkId: null, details: { batches: 7 }, severity: 'critical' },
    {},
  ]);
  await beatShard(sql, shard, 0);
  await watch();
  t.match(items((await api.call(owner, { url: `${url}?kind=gateway-spooling` })).json['data']), [
    { status: 'resolved' },
  ]);

  const id = text((await list())[0]?.['id']);
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const poor = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  const system = text(all[0]?.['id']);
  t.equal((await api.call(await mintKey(api), { url: `${url}/${system}` })).status, 404);
  for (const request of [
    { url: `${url}/${id}` },
    { method: 'POST', url: `${url}/${id}/acknowledge` },
    { method: 'POST', url: `${url}/${id}/resolve`, payload: { note: 'x' } },
  ] as const) {
    t.match(await api.call(foreign, request), { status: 404, json: { error: { code: 'ALERT_NOT_FOUND' } } });
    t.equal((await api.call(poor, request)).status, 403);
    t.equal((await api.call(null, request)).status, 401);
  }
  t.strictSame((await api.call(foreign, { url })).json['data'], []);
  t.equal((await api.call(poor, { url })).status, 403);
});
