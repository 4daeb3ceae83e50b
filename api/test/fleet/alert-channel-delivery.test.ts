import t from 'tap';
import { type Receiver, startReceiver, validSignatures } from '#api/test/events/support/receiver.ts';
import {
  addChannel,
  bodies,
  channelOf,
  channelsPath,
  channelScene,
  fault,
  routingKey,
  send,
} from '#api/test/support/alert-channels.ts';
import {
  connectedCharger,
  connectedSite,
  cutOff,
  putRule,
  reconnect,
  setFaulted,
} from '#api/test/support/alert-scene.ts';
import type { Json } from '#api/test/support/fixtures.ts';
import { deliverToChannels } from '#api/services/fleet/alert-channel-sender.ts';

const text = (json: Json | undefined) => json as unknown as string;
const kinds = ({ received }: Receiver) => bodies(received).map(({ kind }) => kind);

void t.test('triggers an incident of PagerDuty, and resolves it when the alert is over', async (t) => {
  const { scene, receiver } = await channelScene(t);
  receiver.react = () => ({ status: 202, body: '{"status":"success"}' });
  const id = await addChannel(scene, receiver, { format: 'pagerduty', routingKey });
  const charger = await connectedCharger(scene, 'CP-1');
  await fault(scene, charger);
  await fault(scene, charger, false);
  await send(scene);
  const [alert] = await scene.list();
  const dedup = `chargeway/${text(alert?.['notificationId'])}`;
  t.match(bodies(receiver.received), [
    {
      event_action: 'trigger',
      routing_key: routingKey,
      dedup_key: dedup,
      payload: { summary: 'Charger faulted: CP-1 (critical)', severity: 'critical' },
    },
    { event_action: 'resolve', routing_key: routingKey, dedup_key: dedup },
  ]);
  t.equal(receiver.received.length, 2, 'each once');
  t.match(await channelOf(scene, id), { waiting: 0, failures: 0, lastError: null, lastDeliveredAt: String });
});

void t.test('sends a message to Slack and to Teams, and a signed request to a webhook', async (t) => {
  const { scene, receiver } = await channelScene(t);
  const [slack, teams] = [await startReceiver(t), await startReceiver(t)];
  const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  await addChannel(scene, receiver, { format: 'webhook', signingSecret });
  await addChannel(scene, slack, { format: 'slack', language: 'de' });
  await addChannel(scene, teams, { format: 'teams' });
  const charger = await connectedCharger(scene, 'CP-1');
  await fault(scene, charger);
  await fault(scene, charger, false);
  t.match(bodies(receiver.received), [
    {
      type: 'alert.raised',
      kind: 'charger-faulted',
      title: 'Charger faulted: CP-1 (critical)',
      names: ['CP-1'],
    },
    { type: 'alert.cleared', kind: 'charger-faulted' },
  ]);
  for (const request of receiver.received) t.equal(validSignatures(request, signingSecret).length, 1);
  t.match(bodies(slack.received), [
    { text: 'Ladestation gestört: CP-1 (kritisch)', blocks: Array },
    { text: 'Behoben: Ladestation gestört: CP-1 (kritisch)' },
  ]);
  t.match(bodies(teams.received), [
    { attachments: [{ content: { type: 'AdaptiveCard' } }] },
    { attachments: [{ content: { type: 'AdaptiveCard' } }] },
  ]);
});

void t.test('sends what the filter of a channel takes', async (t) => {
  const { scene, receiver } = await channelScene(t);
  const [critical, offline, off] = [await startReceiver(t), await startReceiver(t), await startReceiver(t)];
  await addChannel(scene, receiver, { format: 'webhook' });
  await addChannel(scene, critical, { format: 'webhook', minimumSeverity: 'critical' });
  await addChannel(scene, offline, { format: 'webhook', kinds: ['charger-offline'] });
  await addChannel(scene, off, { format: 'webhook', isEnabled: false });
  await fault(scene, await connectedCharger(scene, 'CP-1'));
  const gone = await connectedCharger(scene, 'CP-2');
  const { sql } = scene.api.stores;
  await sql`update chargers set disconnected_at = now() - interval '1 hour' where uuid = ${gone}`;
  await scene.watch();
  await scene.deliver(0);
  await send(scene);
  t.same(kinds(receiver), ['charger-faulted', 'charger-offline']);
  t.same(kinds(critical), ['charger-faulted']);
  t.same(kinds(offline), ['charger-offline']);
  t.same(kinds(off), []);
});

void t.test('honours mutes and the notifications of a rule, without e-mail recipients too', async (t) => {
  const { scene, receiver } = await channelScene(t);
  await addChannel(scene, receiver, { format: 'webhook' });
  await putRule(scene, 'charger-faulted', { notify: false });
  const charger = await connectedCharger(scene, 'CP-1');
  await fault(scene, charger);
  t.equal(receiver.received.length, 0, 'notify: false');
  await fault(scene, charger, false);
  await putRule(scene, 'charger-faulted', { recipients: [] });
  await fault(scene, charger);
  t.match(bodies(receiver.received), [{ type: 'alert.raised' }], 'a rule without e-mail recipients');
});

void t.test('repeats a failed request until it is delivered, in order', async (t) => {
  const { scene, receiver } = await channelScene(t);
  const id = await addChannel(scene, receiver, { format: 'pagerduty', routingKey });
  const answers = [{ status: 503 }, { status: 429 }, { status: 400 }];
  receiver.react = () => answers.shift() ?? { status: 202 };
  const charger = await connectedCharger(scene, 'CP-1');
  await fault(scene, charger);
  t.match(await channelOf(scene, id), {
    failures: 1,
    lastError: 'HTTP 503',
    waiting: 1,
    lastDeliveredAt: null,
  });
  await send(scene, 1);
  t.equal(receiver.received.length, 1, 'not before the pause is over');
  await send(scene);
  await send(scene);
  t.match(await channelOf(scene, id), { failures: 3, lastError: 'HTTP 400', waiting: 1 });
  await send(scene);
  t.match(await channelOf(scene, id), { failures: 0, waiting: 0, lastDeliveredAt: String });
  t.same(
    bodies(receiver.accepted).map(({ event_action }) => event_action),
    ['trigger'],
  );
});

void t.test(
  'resolves an incident whose trigger got no answer, and drops a trigger that was never sent',
  async (t) => {
    const { scene, receiver } = await channelScene(t);
    const id = await addChannel(scene, receiver, { format: 'pagerduty', routingKey });
    receiver.react = () => ({ status: 504 });
    const charger = await connectedCharger(scene, 'CP-1');
    await fault(scene, charger);
    receiver.react = () => ({ status: 202 });
    await fault(scene, charger, false);
    await send(scene);
    t.same(
      bodies(receiver.accepted).map(({ event_action }) => event_action),
      ['resolve'],
      'the request without an answer may have arrived',
    );
    const path = `${channelsPath}/${id}`;
    await scene.api.call(scene.key, { method: 'PATCH', url: path, payload: { isEnabled: false } });
    await fault(scene, charger);
    await scene.api.call(scene.key, { method: 'PATCH', url: path, payload: { isEnabled: true } });
    await send(scene);
    t.equal(receiver.accepted.length, 1);
  },
);

void t.test('gives up a notice that its channel refuses at each try', async (t) => {
  const { scene, receiver } = await channelScene(t);
  const id = await addChannel(scene, receiver, { format: 'slack' });
  receiver.react = () => ({ status: 404, body: 'no_service' });
  await fault(scene, await connectedCharger(scene, 'CP-1'));
  for (let round = 0; round < 12; round += 1) await send(scene);
  t.equal(receiver.received.length, 10);
  t.match(await channelOf(scene, id), { waiting: 0, failures: 10, lastError: 'HTTP 404' });
});

void t.test('sends again what a process that died may have sent', async (t) => {
  const { scene, receiver } = await channelScene(t);
  await addChannel(scene, receiver, { format: 'webhook' });
  const charger = await connectedCharger(scene, 'CP-1');
  await setFaulted(scene, charger, true);
  await scene.watch();
  await scene.deliver(0);
  await scene.deliver();
  const { sql } = scene.api.stores;
  // As the process leaves it that dies after its request began.
  await sql`update alert_channel_notices set tries = tries + 1`;
  await sql`update alert_channels set claimed_until = now() + interval '60 seconds'`;
  await deliverToChannels(scene.api.deps);
  t.equal(receiver.received.length, 0, 'while its lease lasts');
  await send(scene, 61);
  t.match(bodies(receiver.received), [{ type: 'alert.raised' }]);
});

void t.test('delivers each notice once while processes deliver side by side', async (t) => {
  const { scene, receiver } = await channelScene(t);
  await addChannel(scene, receiver, { format: 'webhook' });
  for (let number = 0; number < 15; number += 1) {
    const { id } = await connectedSite(scene, `Site${number}`, 3);
    await cutOff(scene, id);
  }
  await scene.watch();
  await scene.deliver(0);
  await scene.deliver();
  const counts = await Promise.all([1, 2, 3].map(() => deliverToChannels(scene.api.deps)));
  t.equal(
    counts.reduce((sum, count) => sum + count, 0),
    15,
  );
  t.equal(new Set(bodies(receiver.received).map(({ notificationId }) => notificationId)).size, 15);
  t.equal(receiver.received.length, 15);
});

void t.test('bounds a storm: chats get one message for all that is due', async (t) => {
  const { scene, receiver } = await channelScene(t);
  const chat = await startReceiver(t);
  await addChannel(scene, receiver, { format: 'webhook' });
  await addChannel(scene, chat, { format: 'slack' });
  const sites: Record<string, number> = {};
  for (let number = 0; number < 30; number += 1) {
    const site = await connectedSite(scene, `Site${number}`, 3);
    sites[`Site${number}, Rotterdam`] = site.id;
    await cutOff(scene, site.id);
  }
  await scene.watch();
  await scene.deliver(0);
  await scene.deliver();
  const round = () => deliverToChannels(scene.api.deps);
  await round();
  await round();
  t.equal(chat.received.length, 1, 'one message, then a pause');
  t.equal(receiver.received.length, 20, 'at most twenty requests without a pause');
  const sent = new Set(bodies(receiver.received).map(({ location }) => location));
  const unsent = Object.entries(sites).filter(([name]) => !sent.has(name));
  for (const [, id] of unsent.slice(5)) await reconnect(scene, id);
  await scene.watch();
  await send(scene, 40);
  t.equal(chat.received.length, 2);
  t.equal(receiver.received.length, 25, 'the last five were over before they were sent');
});

void t.test('ends what it sent of an unstable condition for programs', async (t) => {
  const { scene, receiver } = await channelScene(t);
  const chat = await startReceiver(t);
  receiver.react = () => ({ status: 202 });
  await addChannel(scene, receiver, { format: 'pagerduty', routingKey });
  await addChannel(scene, chat, { format: 'slack' });
  const charger = await connectedCharger(scene, 'CP-1');
  for (let count = 0; count < 6; count += 1) {
    await setFaulted(scene, charger, true);
    await scene.watch();
    await scene.deliver(0);
    await send(scene, 121);
    await setFaulted(scene, charger, false);
    await scene.watch();
    await send(scene, 121);
  }
  const actions = bodies(receiver.received).map(({ event_action }) => event_action);
  t.same(actions, ['trigger', 'resolve', 'trigger', 'resolve', 'trigger', 'resolve', 'trigger', 'resolve']);
  t.equal(chat.received.length, 7, 'readers get no end of it');
});
