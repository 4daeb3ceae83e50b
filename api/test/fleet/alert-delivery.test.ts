import t from 'tap';
import { alertDelivery } from '#shared/domain/fleet/alert-delivery.ts';
import type { Json } from '#api/test/support/fixtures.ts';
import {
  addOperator,
  connectedCharger,
  connectedSite,
  cutOff,
  newestMail,
  putRule,
  recipientsOf,
  reconnect,
  setFaulted,
  staffedScene,
} from '#api/test/support/alert-scene.ts';

const idOf = (alert: Json | undefined) => alert?.['id'] as unknown as string;

/** Returns the time of day in UTC, hours from now. */
function hour(offset: number): string {
  return new Date(Date.now() + offset * 3_600_000).toISOString().slice(11, 16);
}

void t.test(
  'sends one e-mail when 500 chargers of a site are cut off, and one when they are back',
  async (t) => {
    const site = await staffedScene(t);
    const quay = await connectedSite(site, 'Quay', 500);
    await cutOff(site, quay.id);
    await site.watch();
    t.same(await site.deliver(0), [], 'not before the window ends');
    t.same(await site.deliver(), ['Location offline: Quay, Rotterdam']);
    t.same(await recipientsOf(site), ['ada@north.example'], 'only the administrator of the network');
    const mail = await newestMail(site);
    t.match(mail.text, /Location offline \(critical\)/);
    t.match(mail.text, /Location: Quay, Rotterdam/);
    t.match(mail.text, /Affected \(500\): Quay-1, Quay-10, .* and 490 more/);
    t.match(mail.text, /Since: \w{3}/);
    const [alert] = await site.list();
    t.match(mail.text, `http://chargeway.test/console/alerts?alert=${idOf(alert)}`);
    t.match(mail.text, 'http://chargeway.test/console/alerts?tab=rules');
    t.match(mail.html, '<strong>Location offline (critical)</strong>');
    t.same(await site.deliver(), [], 'and nothing more');

    await reconnect(site, quay.id, 499);
    await site.watch();
    t.same(await site.deliver(), ['Cleared: Location offline: Quay, Rotterdam']);
    t.match((await newestMail(site)).text, /Still offline: 1/);
    t.same(
      await site.deliver(),
      ['Charger offline: Quay-500'],
      'a charger that stayed away is an alert of its own',
    );
  },
);

void t.test('joins alerts of one kind at one location that open within the window', async (t) => {
  const site = await staffedScene(t);
  const quay = await connectedSite(site, 'Quay', 10);
  const pier = await connectedSite(site, 'Pier', 10);
  const fault = (locationId: number, count: number) =>
    site.api.stores.sql`
      update chargers set station_status = 'Faulted' where id in (
        select id from chargers where location_id = ${locationId} order by id limit ${count})`;
  await fault(quay.id, 2);
  await site.watch();
  await site.deliver(0);
  await fault(quay.id, 4);
  await fault(pier.id, 1);
  await site.watch();
  await site.deliver(60);
  t.same(await site.deliver(70), ['4 chargers faulted: Quay, Rotterdam']);
  t.same(await site.deliver(60), [], 'the next e-mail waits for the interval');
  t.same(await site.deliver(70), ['Charger faulted: Pier-1']);
});

void t.test('sends one e-mail for notifications that are due together', async (t) => {
  const site = await staffedScene(t);
  for (let number = 0; number < 25; number += 1) {
    const { id } = await connectedSite(site, `Site${number}`, 3);
    await cutOff(site, id);
  }
  await site.watch();
  await site.deliver(0);
  t.same(await site.deliver(), ['25 notifications: Location offline']);
  const { text } = await newestMail(site);
  t.equal(text.match(/Location: /g)?.length, alertDelivery.entriesPerMail);
  t.match(text, /And 5 more/);
});

void t.test('sends a bounded number of e-mails for one noisy charger', async (t) => {
  const site = await staffedScene(t);
  const charger = await connectedCharger(site, 'CP-1');
  const subjects: string[] = [];
  const { sql } = site.api.stores;
  // As the job opens and resolves them, without its search: a thousand times within an hour.
  const open = () => sql`
    insert into alerts (network_id, kind, severity, resource_type, resource_id, resource_name, charger_id, message, details,
      occurred_at, last_occurred_at)
    select network_id, 'charger-faulted', 'critical', 'charger', uuid::text, uid, id, '', '{}', now(), now()
    from chargers where uuid = ${charger}`;
  for (let count = 0; count < 1000; count += 1) {
    await open();
    if (count < 20 || count % 50 === 0) {
      subjects.push(...(await site.deliver(0)), ...(await site.deliver(count < 20 ? 130 : 0)));
    }
    await sql`update alerts set status = 'resolved', resolved_at = now() where status <> 'resolved'`;
    if (count < 20) subjects.push(...(await site.deliver(130)));
  }
  t.same(subjects, [
    'Charger faulted: CP-1',
    'Cleared: Charger faulted: CP-1',
    'Charger faulted: CP-1',
    'Cleared: Charger faulted: CP-1',
    'Charger faulted: CP-1',
    'Cleared: Charger faulted: CP-1',
    'Unstable: Charger faulted: CP-1',
  ]);
  await open();
  t.same([...(await site.deliver(0)), ...(await site.deliver())], []);
  const later = [...(await site.deliver(3700)), ...(await site.deliver())];
  t.same(later, ['Charger faulted: CP-1'], 'what stays open afterwards is reported');
});

void t.test('holds notices beyond the hourly bound and sends them together', async (t) => {
  const site = await staffedScene(t);
  const subjects: string[] = [];
  for (let number = 0; number < alertDelivery.mailsPerHour + 5; number += 1) {
    await setFaulted(site, await connectedCharger(site, `CP-${number + 100}`), true);
    await site.watch();
    await site.deliver(0);
    subjects.push(...(await site.deliver(125)));
  }
  t.equal(subjects.length, alertDelivery.mailsPerHour);
  t.same(await site.deliver(3600), ['5 notifications: Charger faulted']);
});

void t.test('sends nothing for muted alerts, and what is still open when the mute ends', async (t) => {
  const site = await staffedScene(t);
  const { api, key } = site;
  const quay = await connectedSite(site, 'Quay', 3);
  const [first] = await api.stores.sql<{ uuid: string }[]>`select uuid from chargers where uid = 'Quay-1'`;
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const mute = (payload: object) =>
    api.call(key, { method: 'POST', url: '/cpms/v1/alert-mutes', payload: { until, ...payload } });
  const { uuid } = first!;
  for (const payload of [{ chargerId: uuid }, { locationId: quay.uuid }, { kind: 'charger-faulted' }]) {
    t.match(await mute(payload), { status: 201 });
    await setFaulted(site, uuid, true);
    await site.watch();
    await site.deliver(0);
    t.same(await site.deliver(), [], JSON.stringify(payload));
    await api.stores.sql`update alert_mutes set until = now()`;
    await site.deliver(0);
    t.same(await site.deliver(), ['Charger faulted: Quay-1'], 'after the mute');
    await setFaulted(site, uuid, false);
    await site.watch();
    t.same(await site.deliver(), ['Cleared: Charger faulted: Quay-1']);
    // An hour later, so that it does not count as unstable.
    await site.deliver(3600);
  }
  await mute({ kind: 'connector-faulted' });
  await setFaulted(site, uuid, true);
  await site.watch();
  await site.deliver(0);
  t.same(await site.deliver(), ['Charger faulted: Quay-1'], 'a mute of another kind');
});

void t.test('escalates an unacknowledged alert once', async (t) => {
  const site = await staffedScene(t);
  const boss = await addOperator(site, 'boss@north.example', { role: 'Manager' });
  const escalateTo = [{ operatorId: boss }, { email: 'night@duty.example', language: 'nl' }];
  t.match(await putRule(site, 'charger-faulted', { escalateAfterMinutes: 30, escalateTo }), { status: 200 });
  await setFaulted(site, await connectedCharger(site, 'CP-1'), true);
  await site.watch();
  await site.deliver(0);
  t.same(await site.deliver(), ['Charger faulted: CP-1']);
  t.same(await site.deliver(29 * 60), []);
  t.same((await site.deliver(120)).toSorted(), [
    'Niet bevestigd: Laadpaal in storing: CP-1',
    'Not acknowledged: Charger faulted: CP-1',
  ]);
  t.same(await site.deliver(3600), [], 'once');
  await setFaulted(site, await connectedCharger(site, 'CP-2'), true);
  await site.watch();
  await site.deliver(0);
  t.same(await site.deliver(), ['Charger faulted: CP-2']);
  const [alert] = await site.list('?status=open');
  await site.api.call(site.key, {
    method: 'POST',
    url: `/cpms/v1/alerts/${idOf(alert)}/acknowledge`,
  });
  t.same(await site.deliver(3600), [], 'an acknowledged alert does not escalate');
});

void t.test('sends no e-mail for what was acknowledged or over before', async (t) => {
  const site = await staffedScene(t);
  const charger = await connectedCharger(site, 'CP-1');
  await setFaulted(site, charger, true);
  await site.watch();
  await site.deliver(0);
  await setFaulted(site, charger, false);
  await site.watch();
  t.same(await site.deliver(), [], 'neither that it opened nor that it is over');
  await setFaulted(site, charger, true);
  await site.watch();
  const [alert] = await site.list('?status=open');
  await site.api.call(site.key, {
    method: 'POST',
    url: `/cpms/v1/alerts/${idOf(alert)}/acknowledge`,
  });
  await site.deliver(0);
  t.same(await site.deliver(), []);
});

void t.test('waits for the end of the quiet hours of a rule', async (t) => {
  const site = await staffedScene(t);
  const quietHours = { from: hour(-1), to: hour(2) };
  t.match(await putRule(site, 'charger-faulted', { quietHours }), { status: 200 });
  const charger = await connectedCharger(site, 'CP-1');
  await setFaulted(site, charger, true);
  await site.watch();
  await site.deliver(0);
  t.same(await site.deliver(), []);
  t.same(await site.deliver(2 * 3600), ['Charger faulted: CP-1']);
});
