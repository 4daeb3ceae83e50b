import t from 'tap';
import { chargerTime, noticeTime } from '#shared/domain/kernel/clock.ts';

const receivedAt = new Date('2026-05-04T12:00:00Z');
const receipt = { at: receivedAt, localOffsetMs: 0 };

void t.test('a plausible time is taken as said, whatever its spelling', (t) => {
  for (const said of ['2026-05-04T11:30:00Z', '2026-05-04T13:30:00+02', '2026-05-04 11:30']) {
    t.same(
      chargerTime(said, receipt),
      { time: new Date('2026-05-04T11:30:00Z'), flag: null, said: null },
      said,
    );
  }
  t.end();
});

void t.test('a time without zone is UTC', (t) => {
  t.same(chargerTime('2026-05-04T11:30:00', receipt).time, new Date('2026-05-04T11:30:00Z'));
  t.end();
});

void t.test('a time without zone is local where the offset of the charger is known', (t) => {
  const berlin = { at: receivedAt, localOffsetMs: 2 * 3_600_000 };
  for (const [said, time, flag] of [
    ['2026-05-04T13:30:00', '2026-05-04T11:30:00Z', 'time-local'],
    ['2026-05-04 13:30', '2026-05-04T11:30:00Z', 'time-local'],
    ['2026-05-04T11:30:00Z', '2026-05-04T11:30:00Z', null],
    ['2026-05-04T07:30:00-04:00', '2026-05-04T11:30:00Z', null],
    ['2026-05-04T14:06:00', '2026-05-04T12:00:00Z', 'time-future'],
  ] as const) {
    t.match(chargerTime(said, berlin), { time: new Date(time), flag }, said);
  }
  t.same(noticeTime('2026-05-04T13:55:00', berlin), new Date('2026-05-04T11:55:00Z'));
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
    t.same(chargerTime(said, receipt), { time: receivedAt, flag, said: said || null }, flag);
  }
  t.end();
});

void t.test('accepts times of a charger that was offline for months', (t) => {
  const said = '2025-11-05T12:00:00Z';
  t.same(chargerTime(said, receipt), { time: new Date(said), flag: null, said: null });
  t.end();
});

void t.test('accepts a clock that runs ahead by five minutes', (t) => {
  const { time, flag } = chargerTime('2026-05-04T12:05:00Z', receipt);
  t.same(time, new Date('2026-05-04T12:05:00Z'));
  t.equal(flag, null);
  t.end();
});

void t.test('limits the age of a current state to 15 minutes', (t) => {
  t.same(noticeTime('2026-05-04T11:45:00Z', receipt), new Date('2026-05-04T11:45:00Z'));
  t.same(noticeTime('2026-05-04T11:44:59Z', receipt), receivedAt);
  t.same(noticeTime('2016-01-01T00:00:00Z', receipt), receivedAt);
  t.same(noticeTime(undefined, receipt), receivedAt);
  t.end();
});
