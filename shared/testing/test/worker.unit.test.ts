import t from 'tap';
import { WorkerProcess } from '#shared/testing/run/worker-process.ts';

void t.test('an error that no code handles fails the test that began the work', async (t) => {
  const worker = new WorkerProcess({});
  t.teardown(() => worker.end());
  const { passed, tap } = await worker.run('shared/testing/test/support/late-failures.ts', 60);
  t.notOk(passed);
  t.same(
    [...tap.matchAll(/^ *((?:not )?ok) \d+ - ([^#\n]+?)(?: # time.*)?$/gm)].map(([, ok, name]) => [
      ok,
      name?.replace(/(?<=error of ).*> /, ''),
    ]),
    [
      ['ok', 'leaves work that fails later'],
      ['not ok', 'unhandled error: not awaited'],
      ['not ok', 'fails meanwhile'],
      ['ok', 'it runs'],
      ['ok', 'waits for its turn'],
      ['not ok', 'unhandled error of leaves work that fails later: a promise is late'],
      ['not ok', 'unhandled error of leaves work that fails later: a timer is late'],
    ],
  );
});

void t.test('a process that ends fails its current file', async (t) => {
  const worker = new WorkerProcess({});
  const running = worker.run('shared/testing/test/support/endless.ts', 60);
  worker.kill();
  t.match(await running, { passed: false, isSpent: true, counts: { fail: 1 }, tap: /SIGKILL/ });
});

void t.test('the environment that a file set is gone for the next', async (t) => {
  const worker = new WorkerProcess({});
  t.teardown(() => worker.end());
  t.match(await worker.run('shared/testing/test/support/environment.ts', 60), { passed: true });
  t.match(await worker.run('shared/testing/test/support/environment.ts?again', 60), { passed: true });
});
