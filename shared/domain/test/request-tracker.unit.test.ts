import t from 'tap';
import { RequestTracker } from '#shared/domain/kernel/request-tracker.ts';

const late = () => new Error('late');

void t.test('fails a request at its deadline when no reply comes', async (t) => {
  const { reply } = new RequestTracker().open(10, late);
  await t.rejects(reply, { message: 'late' });
});

void t.test('reads a waiting reply before it times out a request after a blocked event loop', async (t) => {
  const tracker = new RequestTracker<string>();
  const { id, reply } = tracker.open(10, late);
  // Timers that are due run before input is read.
  setImmediate(() => tracker.settle(id, 'reply'));
  for (const end = performance.now() + 300; performance.now() < end;);
  t.equal(await reply, 'reply');

  const unanswered = tracker.open(10, late).reply;
  for (const end = performance.now() + 300; performance.now() < end;);
  await t.rejects(unanswered, { message: 'late' }, 'the extension is bounded');
});

void t.test('fails every open request at once', async (t) => {
  const tracker = new RequestTracker<string>();
  const replies = [tracker.open(10_000, late).reply, tracker.open(10_000, late).reply];
  tracker.failAll(() => new Error('closed'));
  for (const reply of replies) await t.rejects(reply, { message: 'closed' });
});
