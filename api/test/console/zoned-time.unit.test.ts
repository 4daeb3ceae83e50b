import t from 'tap';
import { zonedDayEnd, zonedDayStart } from '#api/console/src/texts/zoned-time.ts';

const day = (date: string, timeZone: string) => [zonedDayStart(date, timeZone), zonedDayEnd(date, timeZone)];

void t.test('a day has the hours that the clock of its zone gives it', (t) => {
  t.strictSame(day('2026-03-29', 'Europe/Amsterdam'), [
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T21:59:59.999Z',
  ]);
  t.strictSame(day('2026-10-25', 'Europe/Amsterdam'), [
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T22:59:59.999Z',
  ]);
  t.strictSame(day('2026-12-31', 'Pacific/Kiritimati'), [
    '2026-12-30T10:00:00.000Z',
    '2026-12-31T09:59:59.999Z',
  ]);
  t.strictSame(day('yesterday', 'UTC'), [undefined, undefined]);
  t.strictSame([zonedDayStart(undefined, 'UTC'), zonedDayEnd(undefined, 'UTC')], [undefined, undefined]);
  t.end();
});
