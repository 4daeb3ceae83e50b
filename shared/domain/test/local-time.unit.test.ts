import t from 'tap';
import { LocalTime, type TimedMessage } from '#shared/domain/fleet/local-time.ts';

const now = Date.parse('2026-05-04T12:00:00Z');
const minute = 60_000;
const hour = 60 * minute;

/** Returns the arguments of `shownBy` for a message received `afterMs` with a time that differs from its receipt by `differenceMs`. */
function message(
  differenceMs: number,
  more: Partial<TimedMessage> = {},
  afterMs = 0,
): [message: TimedMessage, receivedAt: Date] {
  const receivedAt = new Date(now + afterMs);
  const said = new Date(receivedAt.getTime() + differenceMs).toISOString().replace('Z', '');
  return [{ said, kind: 'other', ...more }, receivedAt];
}

void t.test('a time in the future shows the offset of a zone at once', async (t) => {
  for (const [differenceMs, offsetMs] of [
    [2 * hour, 2 * hour],
    [5.75 * hour - 3000, 5.75 * hour],
    [14 * hour + minute, 14 * hour],
    [15 * minute, 15 * minute],
  ] as const) {
    t.equal(new LocalTime().shownBy(...message(differenceMs)), offsetMs, String(differenceMs));
  }
  t.equal(new LocalTime(hour).shownBy(...message(2 * hour)), 2 * hour, 'summer time begins');
  t.equal(new LocalTime(-5 * hour).shownBy(...message(0)), 0, 'the clock was set to UTC');
});

void t.test('a time of no zone shows nothing', async (t) => {
  for (const differenceMs of [7 * minute, 2.2 * hour, 15 * hour, 365 * 24 * hour]) {
    t.equal(new LocalTime().shownBy(...message(differenceMs)), null, String(differenceMs));
  }
  const said = [
    '2026-05-04T14:00:00Z',
    '2026-05-04T14:00:00.000Z',
    '2026-05-04T14:00:00+00:00',
    '2026-05-04T14:00+00',
    'now',
    '',
  ];
  for (const text of said) t.equal(new LocalTime().shownBy(...message(0, { said: text })), null, text);
});

void t.test('a past time shows the offset in a message that is current', async (t) => {
  const past = -5 * hour;
  const booted = new LocalTime();
  booted.booted(new Date(now - 30_000));
  t.equal(booted.shownBy(...message(past, { kind: 'status' })), past, 'status after a boot');
  const runs = new LocalTime();
  runs.booted(new Date(now - 2 * minute));
  t.equal(runs.shownBy(...message(past, { kind: 'status' })), null, 'later status');
  const requested = new LocalTime();
  requested.startRequested('TAG', new Date(now - minute));
  t.equal(
    requested.shownBy(...message(past, { kind: 'start', idToken: 'other' })),
    null,
    'start of another token',
  );
  t.equal(requested.shownBy(...message(past, { kind: 'start', idToken: 'tag' })), past, 'requested start');
});

void t.test('two past times of the same offset show it where they are apart', async (t) => {
  const shownByPair = (one: number, other: number, apartMs: number): number | null => {
    const localTime = new LocalTime();
    localTime.shownBy(...message(one));
    return localTime.shownBy(...message(other, {}, apartMs));
  };
  t.equal(shownByPair(-5 * hour, -5 * hour + 900, 10_000), -5 * hour);
  t.equal(shownByPair(-5 * hour, -5 * hour, 9000), null, 'a queue');
  t.equal(shownByPair(-5 * hour, -5 * hour - 15_000, 15_000), null, 'a clock that stands still');
  t.equal(shownByPair(-5 * hour, -4 * hour, 30_000), null, 'two offsets');
  const mixed = new LocalTime();
  mixed.shownBy(...message(-5 * hour));
  mixed.shownBy(...message(0, {}, 20_000));
  t.equal(mixed.shownBy(...message(-5 * hour, {}, 40_000)), null, 'a current time between them');
});

void t.test('summer time ends with two times of the new offset', async (t) => {
  const localTime = new LocalTime(2 * hour);
  t.equal(localTime.shownBy(...message(hour)), null);
  t.equal(localTime.shownBy(...message(hour, {}, 60_000)), hour);
});
