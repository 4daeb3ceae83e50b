import t from 'tap';
import { HashingQueue } from '#api/services/people/hashing-queue.ts';
import { startTestApi } from '#api/test/support/fixtures.ts';

void t.test('the queue runs a bounded number of hashes and refuses what exceeds its length', async (t) => {
  const queue = new HashingQueue({ maxRunning: 2, maxWaiting: 3 });
  let running = 0;
  let highest = 0;
  const gate = Promise.withResolvers<void>();
  const work = async () => {
    running += 1;
    highest = Math.max(highest, running);
    await gate.promise;
    running -= 1;
    return 'hash';
  };
  const all = Array.from({ length: 7 }, () => queue.run(work).catch((error: { code: string }) => error.code));
  const late = await Promise.all(all.slice(5));
  t.same(late, ['RATE_LIMITED', 'RATE_LIMITED'], 'before any of the others ends');
  gate.resolve();
  t.same(await Promise.all(all.slice(0, 5)), ['hash', 'hash', 'hash', 'hash', 'hash']);
  t.equal(highest, 2);
  t.equal(await queue.run(work), 'hash', 'and takes more when it is empty');
});

void t.test('frees the slot of a failed hash', async (t) => {
  const queue = new HashingQueue({ maxRunning: 1, maxWaiting: 1 });
  const failed = queue.run(() => Promise.reject(new Error('no memory')));
  const next = queue.run(async () => 'hash');
  await t.rejects(failed, { message: 'no memory' });
  t.equal(await next, 'hash');
});

void t.test('logins beyond the queue are answered 429 with Retry-After', async (t) => {
  const api = await startTestApi(t);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      api.app.inject({
        method: 'POST',
        url: '/cpms/v1/auth/login',
        remoteAddress: `203.0.113.${n}`,
        payload: { email: `nobody-${n}@example.org`, password: 'a wrong password' },
      }),
    ),
  );
  const statuses = new Set(answers.map(({ statusCode }) => statusCode));
  t.same(
    [...statuses].toSorted((a, b) => a - b),
    [401, 429],
  );
  for (const answer of answers) {
    if (answer.statusCode !== 429) continue;
    t.match(answer.json(), { error: { code: 'RATE_LIMITED' } });
    t.equal(answer.headers['retry-after'], '2');
  }
});
