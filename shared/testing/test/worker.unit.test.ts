import t from 'tap';
import { WorkerProcess } from '#shared/testing/run/worker-process.ts';

void t.test('fails the test that began the work for an error that no code handles', async (t) => {
  const worker = new WorkerProcess({});
  t.teardown(() => worker.end());
  const { passed, tap } = await worker.run('shared/testing/test/support/late-failures.ts', 600);
  t.equal(passed, false);
  const results = tap.matchAll(/^ *((?:not )?ok) \d+ - ([^#\n]+?)(?: # time.*)?$/gm);
  t.same(
    [...results].map(([, ok, name]) => [ok, name?.replace(/(?<=error of ).*> /, '')]),
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
