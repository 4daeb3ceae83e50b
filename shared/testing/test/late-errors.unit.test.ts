import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { plainNodeArguments } from '#shared/testing/plain-node.ts';

void t.test('an error that no code handles fails the test that began the work', async (t) => {
  const file = new URL('support/late-failures.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, plainNodeArguments(file), { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = await text(child.stdout);
  t.same(
    [...output.matchAll(/^ *((?:not )?ok) \d+ - ([^#\n]+?)(?: # time.*)?$/gm)].map(([, ok, name]) => [
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
