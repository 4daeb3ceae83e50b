import t from 'tap';
import { items, startTestApi } from '#api/test/support/fixtures.ts';
import { until } from '#shared/testing/until.ts';
import { startReceiver } from './support/receiver.ts';
import {
  addWebhook,
  inNetwork,
  startDeliverer,
  subjects,
  textOf,
  untilHealth,
  writeEvents,
} from './support/webhooks.ts';

const shared = await startTestApi(t);
const base = '/cpms/v1/webhooks';

void t.test('follows no redirect, and keeps a kilobyte of an answer with its secrets masked', async (t) => {
  const api = await inNetwork(shared);
  const [receiver, other] = [await startReceiver(t), await startReceiver(t)];
  const { id } = await addWebhook(api, { url: receiver.url });
  receiver.react = () => ({
    status: 302,
    headers: { location: other.url },
    body: `{"password": "hunter2"} ${'x'.repeat(5000)}`,
  });
  const tested = await api.call(api.key, { method: 'POST', url: `${base}/${id}/test` });
  t.match(tested, { status: 200, json: { data: { outcome: 'refused', httpStatus: 302, error: null } } });
  t.equal(other.received.length, 0);
  const answer = textOf(tested.json['data']?.['answer']);
  t.ok(answer.length <= 1024 && !answer.includes('hunter2'), answer.slice(0, 40));
});

void t.test('logs each attempt, and the test that an operator sends', async (t) => {
  const api = await inNetwork(shared);
  const receiver = await startReceiver(t);
  const { id, secret } = await addWebhook(api, { url: receiver.url, isEnabled: false });
  receiver.react = () => ({ status: 200, body: 'thanks' });
  const tested = await api.call(api.key, { method: 'POST', url: `${base}/${id}/test` });
  t.match(tested.json['data'], {
    type: 'webhook.test',
    outcome: 'delivered',
    httpStatus: 200,
    answer: 'thanks',
  });
  t.match(receiver.received[0]?.event, { type: 'webhook.test', subject: `webhook/${id}` });
  t.ok(secret);
  await api.call(api.key, { method: 'PATCH', url: `${base}/${id}`, payload: { isEnabled: true } });
  startDeliverer(t, api);
  let failures = 1;
  receiver.react = () => (failures-- > 0 ? { status: 400 } : { status: 200 });
  await writeEvents(api.stores.sql, api.network.id, subjects(1));
  await receiver.got(3);
  const log = await until('three attempts in the log', async () => {
    const { json } = await api.call(api.key, { url: `${base}/${id}/deliveries` });
    const rows = items(json['data']);
    return rows.length === 3 && rows;
  });
  t.match(log, [
    { outcome: 'delivered', tryNumber: 2, httpStatus: 200, type: 'driver.updated', eventId: String },
    { outcome: 'refused', tryNumber: 1, httpStatus: 400 },
    { outcome: 'delivered', type: 'webhook.test', eventId: null, answer: 'thanks' },
  ]);
  const filtered = await api.call(api.key, { url: `${base}/${id}/deliveries?outcome=refused&pageSize=1` });
  t.equal(items(filtered.json['data']).length, 1);
  const paged = await api.call(api.key, { url: `${base}/${id}/deliveries?pageSize=2` });
  const next = await api.call(api.key, {
    url: `${base}/${id}/deliveries?pageSize=2&cursor=${textOf(paged.json['nextCursor'])}`,
  });
  t.match(items(next.json['data']), [{ type: 'webhook.test' }]);
});

void t.test('reports a test of a server that does not answer', async (t) => {
  const api = await inNetwork(shared);
  const { id } = await addWebhook(api, { url: 'http://127.0.0.1:1/events' });
  const tested = await api.call(api.key, { method: 'POST', url: `${base}/${id}/test` });
  t.match(tested, {
    status: 200,
    json: { data: { outcome: 'unavailable', httpStatus: null, error: /unreachable/ } },
  });
});

void t.test('sends events again after a sequence and from a time on, with the same ids', async (t) => {
  const api = await inNetwork(shared);
  const receiver = await startReceiver(t);
  const { id } = await addWebhook(api, { url: receiver.url });
  startDeliverer(t, api);
  await writeEvents(api.stores.sql, api.network.id, subjects(5));
  await receiver.got(5);
  await untilHealth(api, id, 'all are counted', ({ delivered }) => delivered === 5);
  const sent = receiver.received.toSorted((a, b) => a.event.sequence.localeCompare(b.event.sequence));
  const replay = (payload: object) =>
    api.call(api.key, { method: 'POST', url: `${base}/${id}/replay`, payload });
  const third = sent[2]?.event.sequence ?? '';
  t.match(await replay({ afterSequence: third }), { status: 200, json: { data: { afterSequence: third } } });
  await receiver.got(7);
  const again = receiver.received.slice(5).map(({ headers }) => String(headers['webhook-id']));
  t.strictSame(
    again.toSorted(),
    sent
      .slice(3)
      .map(({ headers }) => String(headers['webhook-id']))
      .toSorted(),
  );

  t.match(await replay({ from: new Date(Date.now() - 3_600_000).toISOString() }), { status: 200 });
  await receiver.got(12);
  for (const wrong of [
    {},
    { afterSequence: '1', from: new Date().toISOString() },
    { afterSequence: '9'.repeat(18) },
  ]) {
    t.match(await replay(wrong), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  }
});
