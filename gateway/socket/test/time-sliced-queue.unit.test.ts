import t from 'tap';
import { TimeSlicedQueue } from '#gateway/socket/time-sliced-queue.ts';

/** Serves events as the socket server does. */
function offer(queue: TimeSlicedQueue, serve: () => void): void {
  if (queue.hasTime()) serve();
  else queue.enqueue(serve);
}

function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

void t.test('serves events at once while the slice lasts, then in order in later slices', async (t) => {
  const queue = new TimeSlicedQueue(1);
  const served: string[] = [];
  const event = (name: string) => () => {
    served.push(name);
    work(2);
  };
  for (const name of ['first', 'second', 'third']) offer(queue, event(name));
  t.strictSame(served, ['first'], 'it took the whole turn');
  // Other work that waits for the loop runs between two turns.
  setTimeout(() => served.push('a timer'), 0);
  await new Promise<void>((resolve) => queue.enqueue(resolve));
  t.strictSame(
    served.filter((name) => name !== 'a timer'),
    ['first', 'second', 'third'],
  );
  t.ok(served.indexOf('a timer') < served.indexOf('third'), 'a timer had its turn before the last event');
});

void t.test('queues a new event behind waiting ones', async (t) => {
  const queue = new TimeSlicedQueue(1);
  const served: number[] = [];
  offer(queue, () => work(2));
  queue.enqueue(() => served.push(1));
  t.notOk(queue.hasTime());
  offer(queue, () => served.push(2));
  await new Promise<void>((resolve) => queue.enqueue(resolve));
  t.strictSame(served, [1, 2]);
  // The turn that served them is over.
  await new Promise((resolve) => setImmediate(resolve));
  t.ok(queue.hasTime());
});

void t.test('slows a fast sender down instead of buffering its events', async (t) => {
  const queue = new TimeSlicedQueue(0);
  let served = 0;
  const most = 2000;
  for (let sent = 0; sent < most; sent += 1) queue.enqueue(() => (served += 1));
  t.equal(served, 0);
  queue.enqueue(() => (served += 1));
  t.equal(served, most + 1);

  const longest = 1024 * 1024;
  for (let sent = 0; sent < 16; sent += 1) queue.enqueue(() => (served += 1), longest);
  t.equal(served, most + 1, 'few may be long');
  queue.enqueue(() => (served += 1), longest);
  t.equal(served, most + 18);
});

void t.test('serves all waiting events at the end', async (t) => {
  const queue = new TimeSlicedQueue(0);
  let served = 0;
  offer(queue, () => (served += 1));
  offer(queue, () => (served += 1));
  t.equal(served, 0);
  queue.flush();
  t.equal(served, 2);
});
