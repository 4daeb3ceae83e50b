import t from 'tap';
import { startReceiver } from '#api/test/events/support/receiver.ts';
import {
  addChannel,
  bodies,
  channelsPath,
  channelScene,
  fault,
  routingKey,
  send,
} from '#api/test/support/alert-channels.ts';
import { connectedCharger, putRule } from '#api/test/support/alert-scene.ts';
import { type Json, mintKey } from '#api/test/support/fixtures.ts';
import { deliverToChannels } from '#api/services/fleet/alert-channel-sender.ts';

const text = (json: Json | undefined) => json as unknown as string;

void t.test(
  'sends escalations, and lists the deliveries of a channel with their last attempts',
  async (t) => {
    const { scene, receiver } = await channelScene(t);
    const pager = await startReceiver(t);
    const id = await addChannel(scene, receiver, { format: 'webhook' });
    await addChannel(scene, pager, { format: 'pagerduty', routingKey });
    const escalateTo = [{ email: 'boss@north.example' }];
    await putRule(scene, 'charger-faulted', { escalateAfterMinutes: 30, escalateTo });
    const charger = await connectedCharger(scene, 'CP-1');
    await fault(scene, charger);
    await send(scene, 31 * 60);
    receiver.react = () => ({ status: 404 });
    await fault(scene, charger, false);
    t.match(bodies(receiver.received), [
      { type: 'alert.raised' },
      { type: 'alert.escalated', title: 'Not acknowledged: Charger faulted: CP-1 (critical)' },
      { type: 'alert.cleared' },
    ]);
    const incident = bodies(pager.received);
    t.match(incident, [
      { event_action: 'trigger' },
      { event_action: 'trigger' },
      { event_action: 'resolve' },
    ]);
    t.equal(new Set(incident.map(({ dedup_key }) => dedup_key)).size, 1, 'one incident');
    const list = (key: string | null, query = '') =>
      scene.api.call(key, { url: `${channelsPath}/${id}/deliveries${query}` });
    const first = await list(scene.key, '?pageSize=2');
    t.match(first.json['data'], [
      {
        cause: 'cleared',
        state: 'waiting',
        tries: 1,
        httpStatus: 404,
        error: 'HTTP 404',
        lastTriedAt: String,
      },
      {
        cause: 'escalated',
        state: 'delivered',
        kind: 'charger-faulted',
        resourceName: 'CP-1',
        httpStatus: 204,
        error: null,
      },
    ]);
    const next = await list(scene.key, `?pageSize=2&cursor=${text(first.json['nextCursor'])}`);
    t.match(next.json['data'], [{ cause: 'raised', state: 'delivered', tries: 1 }]);
    const foreign = await mintKey(scene.api, { networkIds: [scene.api.otherNetwork.id] });
    t.match(await list(foreign), { status: 404, json: { error: { code: 'ALERT_CHANNEL_NOT_FOUND' } } });
    t.equal((await list(await mintKey(scene.api, { scopes: ['cpms:read:chargers'] }))).status, 403);
    t.equal((await list(null)).status, 401);
  },
);

void t.test('resolves the incident of an acknowledged alert that recurs, and triggers another', async (t) => {
  const { scene, receiver } = await channelScene(t);
  receiver.react = () => ({ status: 202 });
  await addChannel(scene, receiver, { format: 'pagerduty', routingKey });
  const { sql } = scene.api.stores;
  const occur = async () => {
    await scene.watch();
    await scene.deliver(0);
    await send(scene);
  };
  const charger = await connectedCharger(scene, 'CP-1');
  const tamper = () => sql`
    insert into security_events (charger_id, type, occurred_at, received_at)
    select id, 'TamperDetectionActivated', clock_timestamp(), clock_timestamp() from chargers where uuid = ${charger}`;
  await tamper();
  await occur();
  await sql`update alerts set status = 'acknowledged', acknowledged_at = now()`;
  await tamper();
  await occur();
  await sql`update alerts set status = 'resolved'`;
  await send(scene);
  const events = bodies(receiver.received);
  t.same(
    events.map(({ event_action }) => event_action),
    ['trigger', 'resolve', 'trigger', 'resolve'],
  );
  const [first, ended, second, last] = events.map(({ dedup_key }) => dedup_key);
  t.equal(ended, first);
  t.equal(last, second);
  t.not(second, first);
});

void t.test('sends a notice once when the target of its channel changes during the request', async (t) => {
  const { scene, receiver } = await channelScene(t);
  const other = await startReceiver(t);
  const id = await addChannel(scene, receiver, { format: 'webhook' });
  let others = 0;
  receiver.react = async () => {
    const payload = { url: other.url };
    await scene.api.call(scene.key, { method: 'PATCH', url: `${channelsPath}/${id}`, payload });
    others = await deliverToChannels(scene.api.deps);
    return { status: 200 };
  };
  await fault(scene, await connectedCharger(scene, 'CP-1'));
  t.equal(receiver.received.length, 1);
  t.equal(others, 0);
  t.equal(other.received.length, 0);
});
