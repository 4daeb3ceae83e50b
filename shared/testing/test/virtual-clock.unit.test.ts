import t from 'tap';
import { pause } from '#shared/domain/kernel/system-clock.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

void t.test('calls timers in the order of their times, with those that they set', (t) => {
  const clock = new VirtualClock();
  const startedAt = clock.now();
  const calls: [string, number][] = [];
  const note = (name: string) => calls.push([name, clock.steady()]);
  clock.after(30, () => note('later'));
  clock.after(10, () => {
    note('sooner');
    clock.after(5, () => note('follows'));
  });
  const repeated = clock.every(10, () => note('repeated'));
  clock.after(20, () => note('cancelled')).cancel();
  clock.advance(30);
  t.same(calls, [
    ['sooner', 10],
    ['repeated', 10],
    ['follows', 15],
    ['repeated', 20],
    ['later', 30],
    ['repeated', 30],
  ]);
  repeated.cancel();
  clock.advance(1000);
  t.equal(calls.length, 6);
  t.equal(clock.now() - startedAt, 1030);
  t.end();
});

void t.test('stands still until it is advanced', async (t) => {
  const clock = new VirtualClock();
  let isOver = false;
  const waiting = pause(clock, 100).then(() => (isOver = true));
  clock.advance(99);
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(isOver, false);
  clock.advance(1);
  await waiting;
  t.equal(isOver, true);
});
