import t from 'tap';
import { ExchangeLog, type Message } from '#api/console/src/pages/charger/log/exchange-log.ts';

const begin = Date.parse('2026-03-01T10:00:00Z');

/** Frame at a time in ms after the beginning; the direction is that of its call. */
function frame(id: string, kind: Message['kind'], ms: number, messageId: string, calledBy = 'in'): Message {
  const isCall = kind === 'call' || kind === 'broken';
  return {
    id,
    kind,
    messageId,
    time: new Date(begin + ms).toISOString(),
    direction: (calledBy === 'in') === isCall ? 'in' : 'out',
    action: 'Heartbeat',
    payload: '',
    truncated: false,
    latencyMs: null,
    errorCode: null,
    ocppVersion: '1.6',
    connectionId: 'c',
  };
}

/** Returns the exchanges as identifiers of call and answer. */
const pairs = ({ exchanges }: ExchangeLog) =>
  exchanges.map(({ call, answer }) => [call?.id ?? null, answer?.id ?? null]);

void t.test('pairs calls with their answers, newest first', async (t) => {
  const log = new ExchangeLog();
  log.add([
    frame('1', 'call', 0, 'a'),
    frame('2', 'call', 5, 'a', 'out'),
    frame('3', 'result', 10, 'a'),
    frame('4', 'error', 20, 'a', 'out'),
    frame('5', 'broken', 30, 'a'),
  ]);
  t.same(pairs(log), [
    ['5', null],
    ['2', '4'],
    ['1', '3'],
  ]);
});

void t.test('counts a frame of stream and list once, and keeps the key of its exchange', async (t) => {
  const log = new ExchangeLog();
  t.equal(log.add([frame('2', 'result', 10, 'a'), frame('3', 'call', 20, 'b')]), true);
  const key = log.exchanges[1]?.key;
  t.equal(log.add([frame('1', 'call', 0, 'a'), frame('2', 'result', 10, 'a')]), true);
  t.same(pairs(log), [
    ['3', null],
    ['1', '2'],
  ]);
  t.equal(log.exchanges[1]?.key, key);
  t.equal(log.add([frame('3', 'call', 20, 'b')]), false);
});

void t.test('pairs repeated identifiers in order of time', async (t) => {
  const log = new ExchangeLog();
  log.add(
    [0, 1, 2].flatMap((n) => [
      frame(`c${n}`, 'call', n * 10, '1'),
      frame(`r${n}`, 'result', n * 10 + 5, '1'),
    ]),
  );
  t.same(pairs(log), [
    ['c2', 'r2'],
    ['c1', 'r1'],
    ['c0', 'r0'],
  ]);
});

void t.test('forgets the oldest exchanges, and names the frame before which they are listed', async (t) => {
  const log = new ExchangeLog();
  const frames = [0, 1, 2, 3].flatMap((n) => [
    frame(`c${n}`, 'call', n * 10, `${n}`),
    frame(`r${n}`, 'result', n * 10 + 15, `${n}`),
  ]);
  log.add(frames);
  t.equal(log.trim(4), null);
  // The forgotten answer r1 came after the call c2.
  t.equal(log.trim(2)?.id, 'r2');
  t.same(pairs(log), [
    ['c3', 'r3'],
    ['c2', 'r2'],
  ]);
  log.add(frames);
  t.same(pairs(log).length, 4, 'what was forgotten can be added again');
});
