import t from 'tap';
import { Commit } from '#gateway/wal/commit.ts';
import { append, openWal, walDirectory } from './support/segments.ts';
import { meterRow } from '#shared/testing/meter-rows.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

const row = meterRow({ networkId: 1, chargerId: 7, sessionId: null }, new Date(), { energyWh: 1 });

void t.test('refuses its waiters when it lasts too long, and those that join later', async (t) => {
  const clock = new VirtualClock();
  const commit = new Commit(20, clock);
  const first = commit.durable();
  clock.advance(19);
  const second = commit.durable();
  clock.advance(1);
  for (const waiter of [first, second, commit.durable()]) await t.rejects(waiter, { name: 'DeadlinePassed' });
  commit.end('durable');
  await t.rejects(commit.durable(), { name: 'DeadlinePassed' }, 'each waiter has one answer');
});

void t.test('has no deadline before its first waiter', async (t) => {
  const clock = new VirtualClock();
  const commit = new Commit(20, clock);
  clock.advance(1000);
  const done = commit.durable();
  clock.advance(19);
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
