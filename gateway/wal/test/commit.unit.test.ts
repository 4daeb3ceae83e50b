import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { Commit } from '#gateway/wal/commit.ts';
import { append, openWal, walDirectory } from './support/segments.ts';
import { meterRow } from '#shared/testing/meter-rows.ts';

const row = meterRow({ networkId: 1, chargerId: 7, sessionId: null }, new Date(), { energyWh: 1 });

void t.test('refuses its waiters when it lasts too long, and those that join later', async (t) => {
  const commit = new Commit(20);
  await t.rejects(commit.durable(), { name: 'DeadlinePassed' });
  await t.rejects(commit.durable(), { name: 'DeadlinePassed' });
  commit.end('durable');
  await t.rejects(commit.durable(), { name: 'DeadlinePassed' }, 'each waiter has one answer');
});

void t.test('has no deadline before its first waiter', async (t) => {
  const commit = new Commit(1);
  await wait(20);
  const done = commit.durable();
  commit.end('durable');
  await done;
  t.pass('it is not refused');
});

void t.test('answers a reading that waits behind an operation on a disk that hangs', async (t) => {
  const hung = Promise.withResolvers<void>();
  const wal = openWal(walDirectory(t), {
    space: { take: () => hung.promise },
    answerWithinMs: 50,
  });
  await t.rejects(append(wal, [row]), { name: 'DeadlinePassed' });
  hung.resolve();
  await wal.close();
});
