import { randomUUID } from 'node:crypto';
import t from 'tap';
import { notificationDays } from '#api/jobs/fleet.jobs.ts';
import { deliverAlerts } from '#api/services/fleet/alert-notifier.ts';
import { removeOldNotifications } from '#shared/postgres/fleet/alert-notifications.ts';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import { openMailTransport } from '#api/services/mail/transport.ts';
import { createLogger } from '#shared/log/log.ts';
import { beatShard } from '#shared/postgres/fleet/connections.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { findWaitingMail } from '#shared/postgres/mail/mails.ts';
import { until } from '#shared/testing/until.ts';
import { readMail, startMailServer } from '#api/test/support/mailbox.ts';
import {
  addOperator,
  connectedCharger,
  connectedSite,
  cutOff,
  putRule,
  recipientsOf,
  setFaulted,
  staffedScene,
} from '#api/test/support/alert-scene.ts';

const log = createLogger('test', 'silent');

void t.test('writes in the language of the recipient, else of the network', async (t) => {
  const site = await staffedScene(t);
  await site.api.stores.sql`update networks set language = 'de' where id = ${site.api.network.id}`;
  const list = [
    { email: 'a@duty.example' },
    { email: 'b@duty.example', language: 'fr' },
    { email: 'c@duty.example', language: 'nl' },
    { email: 'd@duty.example', language: 'en' },
  ];
  t.match(await putRule(site, 'charger-faulted', { recipients: list }), { status: 200 });
  await setFaulted(site, await connectedCharger(site, 'CP-1'), true);
  await site.watch();
  await site.deliver(0);
  t.same((await site.deliver()).toSorted(), [
    'Borne en panne: CP-1',
    'Charger faulted: CP-1',
    'Laadpaal in storing: CP-1',
    'Ladestation gestört: CP-1',
  ]);
  t.same(
    (await recipientsOf(site)).toSorted(),
    list.map(({ email }) => email),
  );
});

void t.test(
  'sends nothing for a rule without recipients, and notifies operators only of their networks',
  async (t) => {
    const site = await staffedScene(t);
    await putRule(site, 'charger-faulted', { recipients: [] });
    await putRule(site, 'connector-faulted', { notify: false });
    const charger = await connectedCharger(site, 'CP-1');
    await setFaulted(site, charger, true);
    await site.api.stores.sql`
    insert into connectors (charger_id, number, evse_number, status, error_code, vendor_error_code, status_at)
    select id, 2, 2, 'Faulted', 'GroundFailure', 'E42', now() from chargers where uuid = ${charger}`;
    await site.watch();
    await site.deliver(0);
    t.same(await site.deliver(), []);
    await site.api.stores.sql`update operators set is_disabled = true where email = 'ada@north.example'`;
    const owner = await addOperator(site, 'owner@all.example', { role: 'Owner', networkIds: [] });
    t.ok(owner);
    await site.api.stores.sql`update chargers set security_profile = 1`;
    const other = await connectedSite(site, 'Theirs', 3, site.api.otherNetwork.id);
    await cutOff(site, other.id);
    await cutOff(site, (await connectedSite(site, 'Ours', 3)).id);
    await site.watch();
    await site.deliver(0);
    await site.deliver();
    t.same(
      (await recipientsOf(site)).toSorted(),
      ['bob@south.example', 'owner@all.example'],
      'a network without administrators of its own has those of all networks',
    );
  },
);

void t.test('queues each e-mail once when several processes deliver', async (t) => {
  const site = await staffedScene(t);
  const sql = openPostgres(site.api.stores.databaseUrl, { name: 'second', connections: 2 });
  t.teardown(() => sql.end());
  for (let number = 0; number < 5; number += 1) {
    const { id } = await connectedSite(site, `Site${number}`, 3);
    await cutOff(site, id);
  }
  await site.watch();
  await site.deliver(0);
  await site.api.stores.sql`update alert_notifications set collects_until = now()`;
  const other = { ...site.api.deps, log, sql };
  await Promise.all([
    deliverAlerts(other),
    deliverAlerts(site.api.deps),
    deliverAlerts(other),
    deliverAlerts(site.api.deps),
  ]);
  t.same(await recipientsOf(site), ['ada@north.example']);
});

void t.test('sends an acknowledged alert again when its event occurs again', async (t) => {
  const site = await staffedScene(t);
  const { api, key } = site;
  const charger = await connectedCharger(site, 'CP-1');
  const tamper = () => api.stores.sql`
    insert into security_events (charger_id, type, occurred_at, received_at)
    select id, 'TamperDetectionActivated', clock_timestamp(), clock_timestamp() from chargers where uuid = ${charger}`;
  const subject = 'Security event: CP-1 (TamperDetectionActivated)';
  await tamper();
  await site.watch();
  await site.deliver(0);
  t.same(await site.deliver(), [subject]);
  await tamper();
  await site.watch();
  await site.deliver(0);
  t.same(await site.deliver(), [], 'an open one is known');
  const [alert] = await site.list();
  const id = alert?.['id'] as unknown as string;
  await api.call(key, { method: 'POST', url: `/cpms/v1/alerts/${id}/acknowledge` });
  await tamper();
  await site.watch();
  await site.deliver(0);
  t.same(await site.deliver(), [subject]);
  t.match(await site.list(), [{ delivery: 'notified', notifiedAt: String, notificationId: String }]);
});

void t.test('delivers over SMTP, from the network', async (t) => {
  const site = await staffedScene(t);
  const { api } = site;
  const server = await startMailServer(t);
  const mailer = await openMailTransport({
    smtpUrl: server.url,
    from: 'alerts@example.com',
    outboxDir: '/nonexistent',
  });
  t.teardown(() => mailer.close());
  startQueuedJobs(t, { ...api.deps, mailer }, ['send-mail']);
  await cutOff(site, (await connectedSite(site, 'Quay', 3)).id);
  await site.watch();
  await site.deliver(0);
  await site.deliver();
  await until('it is sent', async () => server.taken.length > 0);
  const [mail] = server.taken;
  t.same(mail?.to, ['ada@north.example']);
  t.match(readMail(mail?.raw ?? '').headers, {
    from: 'North <alerts@example.com>',
    subject: 'Location offline: Quay, Rotterdam',
    'auto-submitted': 'auto-generated',
  });
});

void t.test('sends alerts of the whole system to the administrators of all networks', async (t) => {
  const site = await staffedScene(t);
  await addOperator(site, 'owner@all.example', { role: 'Owner', networkIds: [] });
  const { sql } = site.api.stores;
  await beatShard(sql, randomUUID(), 3);
  await sql`update gateway_shards set spooling_since = now() - interval '2 minutes'`;
  await site.watch();
  await site.deliver(0);
  t.same(await site.deliver(), ['Readings queued on a gateway: spool']);
  t.same(await recipientsOf(site), ['owner@all.example']);
  const [mail] = await sql<{ id: number }[]>`select id from mails`;
  t.match(await findWaitingMail(sql, mail!.id), { networkName: 'chargeway', supportEmail: null });
});

void t.test('deletes notifications that are over after a month, with their addresses', async (t) => {
  const site = await staffedScene(t);
  const charger = await connectedCharger(site, 'CP-1');
  await setFaulted(site, charger, true);
  await site.watch();
  await site.deliver(0);
  await site.deliver();
  await setFaulted(site, charger, false);
  await site.watch();
  await site.deliver();
  const { sql } = site.api.stores;
  await removeOldNotifications(site.api.deps.sql, notificationDays);
  t.equal((await sql`select from alert_notices`).length, 2);
  await sql`update alert_notifications set created_at = now() - interval '31 days'`;
  await removeOldNotifications(site.api.deps.sql, notificationDays);
  t.equal((await sql`select from alert_notices`).length, 0);
  t.equal((await site.list()).length, 1, 'the alert stays');
});
