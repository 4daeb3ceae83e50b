import t from 'tap';
import { hoursOf } from '#shared/domain/kernel/local-hours.ts';

const at = (text: string) => Date.parse(text);
const clocks = (from: string, to: string, timeZone: string) =>
  hoursOf({ from: at(from), to: at(to) }, timeZone).map(({ from: start, to: end, weekday, hour }) => [
    new Date(start).toISOString().slice(5, 16),
    (end - start) / 60_000,
    weekday,
    hour,
  ]);

void t.test('lists the hours of a half-hour time zone, cut to the window', async (t) => {
  t.strictSame(clocks('2026-03-01T18:20:00Z', '2026-03-01T20:00:00Z', 'Asia/Kolkata'), [
    ['03-01T18:20', 10, 7, 23],
    ['03-01T18:30', 60, 1, 0],
    ['03-01T19:30', 30, 1, 1],
  ]);
});

void t.test('omits the hour that the clock change leaves out', async (t) => {
  const hours = clocks('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 'Europe/Amsterdam');
  t.equal(hours.length, 23);
  t.strictSame(hours.slice(1, 3), [
    ['03-29T00:00', 60, 7, 1],
    ['03-29T01:00', 60, 7, 3],
  ]);
});

void t.test('lists the hour twice that the clock change repeats', async (t) => {
  const hours = clocks('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 'Europe/Amsterdam');
  t.equal(hours.length, 25);
  t.strictSame(hours.slice(2, 4), [
    ['10-25T00:00', 60, 7, 2],
    ['10-25T01:00', 60, 7, 2],
  ]);
});

void t.test('follows a clock change of half an hour', async (t) => {
  // Lord Howe Island: 02:00 becomes 01:30.
  const hours = clocks('2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z', 'Australia/Lord_Howe');
  t.equal(
    hours.reduce((total, [, minutes]) => total + Number(minutes), 0),
    24.5 * 60,
  );
  t.strictSame(hours.slice(0, 4), [
    ['04-04T13:00', 60, 7, 0],
    ['04-04T14:00', 60, 7, 1],
    ['04-04T15:00', 30, 7, 1],
    ['04-04T15:30', 60, 7, 2],
  ]);
});
