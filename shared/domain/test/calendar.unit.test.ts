import t from 'tap';
import { bucketsOf, type CalendarPeriod, comparedDay } from '#shared/domain/kernel/calendar.ts';

function buckets(from: string, to: string, period: CalendarPeriod, timeZone: string) {
  return bucketsOf({ from: Date.parse(from), to: Date.parse(to) }, period, timeZone).map((bucket) => [
    bucket.date,
    (bucket.to - bucket.from) / 3_600_000,
  ]);
}

void t.test('days have as many hours as the clock change leaves them', async (t) => {
  t.strictSame(buckets('2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z', 'day', 'Europe/Amsterdam'), [
    ['2026-03-28', 24],
    ['2026-03-29', 23],
    ['2026-03-30', 24],
  ]);
  t.strictSame(buckets('2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z', 'day', 'America/New_York'), [
    ['2026-11-01', 25],
  ]);
  // The clock goes from 24:00 to 01:00: the day begins at one.
  t.strictSame(buckets('2026-04-23T22:00:00Z', '2026-04-24T21:00:00Z', 'day', 'Africa/Cairo'), [
    ['2026-04-24', 23],
  ]);
  // From 00:30 UTC+11 on, by half an hour.
  t.strictSame(buckets('2026-04-03T13:00:00Z', '2026-04-05T13:30:00Z', 'day', 'Australia/Lord_Howe'), [
    ['2026-04-04', 24],
    ['2026-04-05', 24.5],
  ]);
  t.strictSame(buckets('2026-01-01T18:15:00Z', '2026-01-02T18:15:00Z', 'day', 'Asia/Kathmandu'), [
    ['2026-01-02', 24],
  ]);
  t.strictSame(buckets('2011-12-29T10:00:00Z', '2011-12-31T10:00:00Z', 'day', 'Pacific/Apia'), [
    ['2011-12-29', 24],
    ['2011-12-31', 24],
  ]);
});

void t.test('the first and the last bucket are cut to the window', async (t) => {
  t.strictSame(buckets('2026-01-05T10:00:00Z', '2026-01-06T06:00:00Z', 'day', 'UTC'), [
    ['2026-01-05', 14],
    ['2026-01-06', 6],
  ]);
  t.strictSame(buckets('2026-01-05T10:00:00Z', '2026-01-05T10:00:00Z', 'day', 'UTC'), []);
});

void t.test('weeks begin on Monday and months on their first', async (t) => {
  t.strictSame(buckets('2025-12-31T00:00:00Z', '2026-01-13T00:00:00Z', 'week', 'UTC'), [
    ['2025-12-29', 120],
    ['2026-01-05', 168],
    ['2026-01-12', 24],
  ]);
  t.strictSame(buckets('2026-01-31T00:00:00Z', '2026-04-02T00:00:00Z', 'month', 'UTC'), [
    ['2026-01-01', 24],
    ['2026-02-01', 28 * 24],
    ['2026-03-01', 31 * 24],
    ['2026-04-01', 24],
  ]);
  t.throws(() => buckets('2026-01-31T00:00:00Z', '2026-04-02T00:00:00Z', 'month', 'Mars/Base'), RangeError);
});

const compared = (now: string, daysBefore: number, timeZone: string) => {
  const { date, from, sameTime } = comparedDay(Date.parse(now), daysBefore, timeZone);
  return [date, new Date(from).toISOString(), new Date(sameTime).toISOString()];
};

void t.test('compares the same time of day across changes of the clock', async (t) => {
  t.strictSame(compared('2026-05-06T10:20:30Z', 0, 'Europe/Amsterdam'), [
    '2026-05-06',
    '2026-05-05T22:00:00.000Z',
    '2026-05-06T10:20:30.000Z',
  ]);
  t.strictSame(compared('2026-05-01T10:20:30Z', 7, 'Asia/Kathmandu'), [
    '2026-04-24',
    '2026-04-23T18:15:00.000Z',
    '2026-04-24T10:20:30.000Z',
  ]);
  // 12:00 in summer time, a day after the change, and before it.
  t.strictSame(compared('2026-03-29T10:00:00Z', 1, 'Europe/Amsterdam').at(-1), '2026-03-28T11:00:00.000Z');
  t.strictSame(compared('2026-03-30T10:00:00Z', 1, 'Europe/Amsterdam').at(-1), '2026-03-29T10:00:00.000Z');
  t.strictSame(compared('2026-10-26T11:00:00Z', 1, 'Europe/Amsterdam').at(-1), '2026-10-25T11:00:00.000Z');
  // 02:30 was left out the day before: 01:30 in winter time.
  t.strictSame(compared('2026-03-30T00:30:00Z', 1, 'Europe/Amsterdam').at(-1), '2026-03-29T00:30:00.000Z');
});
