import { Registry } from 'prom-client';
import t from 'tap';
import { measureInstallation } from '#api/plugins/installation-metrics.ts';
import { startReceiver } from '#api/test/events/support/receiver.ts';
import { addWebhook, subjects, writeEvents } from '#api/test/events/support/webhooks.ts';
import { openStream } from '#api/test/support/event-stream.ts';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { addUser } from '#api/test/support/records.ts';
import { addConnectors, addRunning } from '#api/test/support/session-rows.ts';
import { newestMovement, sumMovements } from '#shared/postgres/money/moved-money.ts';
import { assignPositions } from '#shared/postgres/kernel/outbox.statements.ts';
import { seedCharger } from '#shared/testing/seed.ts';

void t.test('metrics count chargers by state and waiting jobs', async (t) => {
  const api = await startTestApi(t, {}, { fresh: true });
  const { sql } = api.stores;
  for (let index = 0; index < 3; index += 1) await seedCharger(sql, api.network.id, { connectors: 1 });
  await sql`insert into queued_jobs (name, payload, due_at)
    values ('send-mail', '{"mailId": 1}', now() - interval '90 seconds')`;
  const { text } = await api.call(null, { url: '/metrics' });
  const counts = [...text.matchAll(/^chargeway_chargers\{.*\} (\d+)$/gm)];
  t.equal(
    counts.reduce((sum, [, count]) => sum + Number(count), 0),
    Number((await sql`select count(*)::integer as n from chargers`)[0]?.['n']),
  );
  t.match(text, /^chargeway_jobs_waiting\{name="send-mail"\} 1$/m);
  const [, seconds] = /^chargeway_job_lag_seconds\{name="send-mail"\} (\S+)$/m.exec(text) ?? [];
  t.ok(Number(seconds) >= 90 && Number(seconds) < 600, `${seconds} s`);
});

void t.test('metrics have the age of due work, and of the latest success of hourly jobs', async (t) => {
  const api = await startTestApi(t, {}, { fresh: true });
  const { sql } = api.stores;
  const idle = await api.call(null, { url: '/metrics' });
  for (const name of ['session-pricer', 'cdrs', 'session-facts'])
    t.match(idle.text, new RegExp(`^chargeway_due_work_age_seconds\\{name="${name}"\\} 0$`, 'm'));

  const [connector] = await addConnectors(sql, { id: api.network.id, currency: 'EUR' }, 1);
  if (connector === undefined) throw new Error('the charger has no connector');
  const id = await addRunning(sql, connector, new Date());
  await sql`
    update sessions set status = 'COMPLETED', ended_at = now(), price_state = 'PENDING', flags = '{cost-pending}' where id = ${id}::bigint`;
  await sql`insert into cdr_marks (session_id) values (${id}::bigint)`;
  await sql`update sessions set updated_at = now() - interval '100 seconds' where id = ${id}::bigint`;
  await sql`update outbox set occurred_at = now() - interval '200 seconds'`;
  await sql`insert into periodic_runs (name, due_at, succeeded_at) values ('late-job', now(), now() - interval '300 seconds')`;
  const due = new Registry();
  await measureInstallation(due, { sql })();
  const text = await due.metrics();
  const age = (metric: string, name: string): number =>
    Number(new RegExp(`^chargeway_${metric}_age_seconds\\{name="${name}"\\} (\\S+)$`, 'm').exec(text)?.[1]);
  for (const [metric, name, seconds] of [
    ['due_work', 'session-pricer', 100],
    ['due_work', 'cdrs', 200],
    ['due_work', 'session-facts', 200],
    ['hourly_job', 'late-job', 300],
  ] as const) {
    t.ok(age(metric, name) >= seconds && age(metric, name) < seconds + 60, `${name}: ${age(metric, name)} s`);
  }
});

void t.test('metrics count event streams, and requests, backlog and dead letters of webhooks', async (t) => {
  const api = await startTestApi(t, {}, { fresh: true });
  const { sql } = api.stores;
  const key = await mintKey(api);
  const receiver = await startReceiver(t);
  const { id } = await addWebhook({ ...api, key }, { url: receiver.url });
  receiver.react = () => ({ status: 500 });
  await api.call(key, { method: 'POST', url: `/cpms/v1/webhooks/${id}/test` });
  await writeEvents(sql, api.network.id, subjects(2));
  await assignPositions(sql);
  await sql`update outbox set occurred_at = now() - interval '70 seconds'`;
  await sql`
    insert into webhook_retries (endpoint_id, lane_key, position, event_id, type, body, created_at)
    select endpoint_id, 'driver/x', 1, 1, 'driver.updated', '{}', now() - interval '90 seconds' from webhook_lanes`;
  await sql`
    insert into webhook_dead_letters (endpoint_id, reason, after_position, position, event_id, type, body)
    select endpoint_id, 'refused', 0, 1, 1, 'driver.updated', '{}' from webhook_lanes`;
  await openStream(t, api.app, key, '/cpms/v1/events');
  const { text } = await api.call(null, { url: '/metrics' });
  t.match(text, /^chargeway_event_streams 1$/m);
  t.match(text, /^chargeway_webhook_requests_total\{outcome="refused"\} 1$/m);
  t.match(text, /^chargeway_webhook_endpoints\{breaker="closed"\} 1$/m);
  t.match(text, /^chargeway_webhook_waiting\{breaker="closed"\} 1$/m);
  t.match(text, /^chargeway_webhook_dead_letters\{reason="refused"\} 1$/m);
  const lag = (state: string): number =>
    Number(
      new RegExp(`^chargeway_webhook_lag_seconds\\{breaker="closed",state="${state}"\\} (\\S+)$`, 'm').exec(
        text,
      )?.[1],
    );
  t.ok(lag('new') >= 70 && lag('new') < 90, `${lag('new')} s`);
  t.ok(lag('failed') >= 90 && lag('failed') < 600, `${lag('failed')} s`);
});

void t.test('movements of wallets are summed by cause and currency', async (t) => {
  const api = await startTestApi(t, {}, { fresh: true });
  const { sql } = api.stores;
  const key = await mintKey(api);
  const { uuid: userId } = await addUser(sql, api.network.id, 'ada@example.org');
  const wallet = await api.call(key, { method: 'POST', url: '/cpms/v1/wallets', payload: { userId } });
  const id = wallet.json['data']?.['id'] as unknown as string;
  for (const [way, amount] of [
    ['credit', 20.5],
    ['credit', 1],
    ['debit', 0.25],
  ] as const) {
    const payload = { amount, reason: 'Correction' };
    t.match(await api.call(key, { method: 'POST', url: `/cpms/v1/wallets/${id}/${way}`, payload }), {
      status: 200,
    });
  }
  const [newest] = await sql<{ id: bigint }[]>`select max(id) as id from ledger_transactions`;
  const [oldest] = await sql<{ id: bigint }[]>`select min(id) as id from ledger_transactions`;
  const sums = await sumMovements(sql, 0n, newest?.id ?? 0n);
  t.strictSame(
    sums.toSorted((one, other) => one.cause.localeCompare(other.cause)),
    [
      { cause: 'CREDIT', currency: 'EUR', movements: 2, minor: 2150n },
      { cause: 'DEBIT', currency: 'EUR', movements: 1, minor: 25n },
    ],
  );
  t.equal(
    await newestMovement(sql),
    (oldest?.id ?? 0n) - 1n,
    'those of the last minute may still get earlier companions',
  );
});
