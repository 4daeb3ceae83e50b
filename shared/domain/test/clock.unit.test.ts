import t from 'tap';
import { chargerTime, noticeTime } from '#shared/domain/kernel/clock.ts';

const receivedAt = new Date('2026-05-04T12:00:00Z');

void t.test('a plausible time is taken as said, whatever its spelling', (t) => {
  for (const said of ['2026-05-04T11:30:00Z', '2026-05-04T13:30:00+02', '2026-05-04 11:30']) {
    t.same(
      chargerTime(said, receivedAt),
      { time: new Date('2026-05-04T11:30:00Z'), flag: null, said: null },
      said,
    );
  }
  t.end();
});

void t.test('a time without zone is UTC', (t) => {
  t.same(chargerTime('2026-05-04T11:30:00', receivedAt).time, new Date('2026-05-04T11:30:00Z'));
  t.end();
});

void t.test('an impossible clock is replaced by the time of receipt, and flagged', (t) => {
  const impossible: [string | undefined, string][] = [
    [undefined, 'time-missing'],
    ['', 'time-missing'],
    ['yesterday', 'time-unreadable'],
    ['1970-01-01T00:00:07Z', 'time-past'],
    ['2018-01-01T00:00:00Z', 'time-past'],
    ['2025-11-05T11:59:59Z', 'time-past'],
    ['2026-05-04T12:05:01Z', 'time-future'],
  ];
  for (const [said, flag] of impossible) {
    t.same(chargerTime(said, receivedAt), { time: receivedAt, flag, said: said || null }, flag);
  }
  t.end();
});

void t.test('accepts times of a charger that was offline for months', (t) => {
  const said = '2025-11-05T12:00:00Z';
  t.same(chargerTime(said, receivedAt), { time: new Date(said), flag: null, said: null });
  t.end();
});

void t.test('accepts a clock that runs ahead by five minutes', (t) => {
  const { time, flag } = chargerTime('2026-05-04T12:05:00Z', receivedAt);
  t.same(time, new Date('2026-05-04T12:05:00Z'));
  t.equal(flag, null);
  t.end();
});

void t.test('limits the age of a current state to 15 minutes', (t) => {
  t.same(noticeTime('2026-05-04T11:45:00Z', receivedAt), new Date('2026-05-04T11:45:00Z'));
  t.same(noticeTime('2026-05-04T11:44:59Z', receivedAt), receivedAt);
  t.same(noticeTime('2016-01-01T00:00:00Z', receivedAt), receivedAt);
  t.same(noticeTime(undefined, receivedAt), receivedAt);
  t.end();
});
