import { execFileSync } from 'node:child_process';
import t from 'tap';
import { optionsWithoutTap } from '#shared/testing/plain-node.ts';

void t.test('tests and the processes that they start run without the loaders of tap', async (t) => {
  const script = 'console.log(JSON.stringify([process.execArgv, process.env.NODE_OPTIONS ?? ""]))';
  const child = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  for (const [name, options] of Object.entries({
    'this process': process.execArgv,
    'its environment': process.env['NODE_OPTIONS'] ?? '',
    'a child': child,
  })) {
    t.notMatch(JSON.stringify(options), '@tapjs', name);
  }
});

void t.test('options that are not from tap are kept', async (t) => {
  const tap = '"--import=file:///app/node_modules/@tapjs/processinfo/dist/esm/import.mjs"';
  t.equal(
    optionsWithoutTap(`--max-old-space-size=512 ${tap} --import=./own.ts`),
    '--max-old-space-size=512 --import=./own.ts',
  );
  t.equal(optionsWithoutTap(tap), '');
  t.equal(optionsWithoutTap(''), '');
});
