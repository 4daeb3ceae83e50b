import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
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
  await leaveDeadLock(directory, async () =>
    t.equal(await DirectoryLock.take(directory), null, 'while that lives'),
  );
  const lock = await DirectoryLock.take(directory);
  t.ok(lock);
  t.equal(readdirSync(directory).length, 1, 'the dead socket is removed');
  await lock?.release();
  t.same(readdirSync(directory), []);
});

void t.test('gives the lock of a killed process to at most one of many that start at once', async (t) => {
  const directory = walDirectory(t);
  for (let round = 0; round < 10; round += 1) {
    await leaveDeadLock(directory);
    const locks = await Promise.all(Array.from({ length: 8 }, () => DirectoryLock.take(directory)));
    const held = locks.filter((lock) => lock !== null);
    t.ok(held.length <= 1, `${held.length} have it`);
    for (const lock of held) {
      t.equal(await DirectoryLock.take(directory), null, 'no second process gets it');
      await lock.release();
    }
  }
});

void t.test('respects the lock of an earlier release', async (t) => {
  const directory = walDirectory(t);
  const server = createServer((socket) => socket.destroy());
  server.listen(join(directory, 'lock'));
  await once(server, 'listening');
  t.equal(await DirectoryLock.take(directory), null);
  await new Promise((resolve) => server.close(resolve));
  const lock = await DirectoryLock.take(directory);
  t.ok(lock);
  await lock?.release();
});

void t.test('takes a socket that answers with an unknown error for a live one', async (t) => {
  const directory = walDirectory(t);
  symlinkSync('lock-loop', join(directory, 'lock-loop'));
  t.equal(await DirectoryLock.take(directory), null);
  t.ok(readdirSync(directory).includes('lock-loop'));
});

/** Leaves the socket of a process that was killed while it had the lock. */
async function leaveDeadLock(directory: string, whileAlive?: () => Promise<unknown>): Promise<void> {
  const entry = 'gateway/wal/test/support/lock-holder.ts';
  const holder = spawn(process.execPath, ['deploy/run.js', entry, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [answer] = (await once(holder.stdout, 'data')) as [Buffer];
  if (String(answer) !== 'locked') throw new Error('the directory is locked already');
  await whileAlive?.();
  holder.kill('SIGKILL');
  await once(holder, 'exit');
}
