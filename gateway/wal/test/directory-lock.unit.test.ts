import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { DirectoryLock } from '#gateway/wal/directory-lock.ts';
import { walDirectory } from './support/segments.ts';

void t.test('locks a directory for one holder at a time', async (t) => {
  const directory = walDirectory(t);
  const lock = await DirectoryLock.take(directory);
  t.ok(lock);
  t.equal(await DirectoryLock.take(directory), null);
  await lock?.release();
  const next = await DirectoryLock.take(directory);
  t.ok(next, 'it can be taken after its release');
  await next?.release();
});

void t.test('takes the lock of a killed process', async (t) => {
  const directory = walDirectory(t);
  const entry = 'gateway/wal/test/support/lock-holder.ts';
  const holder = spawn(process.execPath, ['deploy/run.js', entry, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  t.equal(await DirectoryLock.take(directory), null);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const lock = await DirectoryLock.take(directory);
  t.ok(lock);
  await lock?.release();
});
