import t from 'tap';
import { RequestClock } from '#gateway/socket/request-clock.ts';

void t.test('orders the requests of a millisecond', (t) => {
  const clock = new RequestClock();
  const now = Date.UTC(2040, 0);
  const times = Array.from({ length: 1000 }, () => clock.next(now));
  t.ok(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0)));
  t.ok(times.every((time) => Math.floor(time) === now));
  t.same(JSON.parse(JSON.stringify(times)), times);
  t.equal(clock.next(now + 1), now + 1);
  t.end();
});

void t.test('follows a clock that is stepped back by more than a second', (t) => {
  const clock = new RequestClock();
  const now = Date.now();
  clock.next(now);
  t.ok(clock.next(now - 900) > now, 'a small step is passed over');
  t.equal(clock.next(now - 60_000), now - 60_000);
  t.end();
});
