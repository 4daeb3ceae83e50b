import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { MessageLog } from '#gateway/ingest/message-log.ts';
import { insertBinary } from '#shared/clickhouse/insert-lines.ts';
import { messageTable } from '#shared/clickhouse/ocpp-message-rows.ts';
import { readMessages, type StoredMessage } from '#shared/clickhouse/ocpp-messages.ts';
import { BinaryRows } from '#shared/clickhouse/row-binary.ts';
import { testStores } from '#shared/testing/stores.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

/** Tail without followers. */
const noTail = { wants: () => false, add: () => undefined };

const charger = { id: 7, uuid: '', uid: 'CP', networkId: 3, registration: 'Accepted' } as const;

/** Opens the log of one connection; `stored` inserts what it logged and returns it, oldest first. */
async function openLog(t: Test) {
  const { clickhouse } = await testStores(t);
  const rows = new BinaryRows();
  const connectionId = randomUUID();
  const clock = new VirtualClock();
  const writer = { begin: () => rows, added: () => undefined };
  const log = new MessageLog(writer, noTail, clock).of(charger, '1.6', connectionId);
  return {
    clock,
    connectionId,
    log,
    rows,
    stored: async (): Promise<StoredMessage[]> => {
      await insertBinary(clickhouse, messageTable, rows.chunks());
      return (await readMessages(clickhouse, charger, {}, 100)).toReversed();
    },
  };
}

void t.test(
  'stores a call with its answer in one row, and every frame by itself that has no other',
  async (t) => {
    const { clock, log, rows, connectionId, stored } = await openLog(t);
    log.unanswered('out', { id: 'u', action: 'Reset' }, '[2,"u","Reset",{}]', 50_000);
    log.exchange(
      'in',
      { id: 'a', action: 'Heartbeat' },
      '[2,"a","Heartbeat",{}]',
      '[3,"a",{}]',
      null,
      1.23456,
    );
    log.exchange('out', { id: 'b', action: 'Reset' }, '[2,"b","Reset",{}]', '[4,"b","X","",{}]', 'X', 20);
    log.exchange(
      'in',
      { id: null, action: null },
      '{',
      '[4,"-1","RpcFrameworkError","",{}]',
      'RpcFrameworkError',
      0,
    );
    log.answerOnly('in', { id: 'z', action: null }, '[3,"z",{}]', null);
    t.equal(rows.rows, 5);
    const frames = await stored();
    const common = { time: Date, seq: String, ocppVersion: '1.6', connectionId, truncated: false };
    t.match(
      frames.toSorted((a, b) => Number(a.seq) - Number(b.seq)),
      [
        {
          ...common,
          direction: 'out',
          kind: 'call',
          action: 'Reset',
          messageId: 'u',
          errorCode: '',
          latencyMs: null,
          payload: '[2,"u","Reset",{}]',
        },
        {
          ...common,
          direction: 'in',
          kind: 'call',
          action: 'Heartbeat',
          messageId: 'a',
          errorCode: '',
          latencyMs: null,
          payload: '[2,"a","Heartbeat",{}]',
        },
        {
          ...common,
          direction: 'out',
          kind: 'result',
          action: 'Heartbeat',
          messageId: 'a',
          errorCode: '',
          latencyMs: 1.235,
          payload: '[3,"a",{}]',
        },
        {
          ...common,
          direction: 'out',
          kind: 'call',
          action: 'Reset',
          messageId: 'b',
          errorCode: '',
          latencyMs: null,
          payload: '[2,"b","Reset",{}]',
        },
        {
          ...common,
          direction: 'in',
          kind: 'error',
          action: 'Reset',
          messageId: 'b',
          errorCode: 'X',
          latencyMs: 20,
          payload: '[4,"b","X","",{}]',
        },
        {
          ...common,
          direction: 'in',
          kind: 'broken',
          action: '',
          messageId: '',
          errorCode: '',
          latencyMs: null,
          payload: '{',
        },
        {
          ...common,
          direction: 'out',
          kind: 'error',
          action: '',
          messageId: '',
          errorCode: 'RpcFrameworkError',
          latencyMs: 0,
          payload: '[4,"-1","RpcFrameworkError","",{}]',
        },
        {
          ...common,
          direction: 'in',
          kind: 'result',
          action: '',
          messageId: 'z',
          errorCode: '',
          latencyMs: null,
          payload: '[3,"z",{}]',
        },
      ],
    );
    const timeOf = (payload: string) =>
      frames.find((frame) => frame.payload.startsWith(payload))?.time.getTime() ?? 0;
    t.equal(timeOf('[2,"u"'), clock.now() - 50_000, 'the time at which the call was sent');
    t.equal(timeOf('[4,"b"') - timeOf('[2,"b"'), 20);
  },
);

void t.test('stores a call and an answer that took longer than a minute in a row each', async (t) => {
  const { log, rows, stored } = await openLog(t);
  log.exchange('in', { id: 'a', action: 'Authorize' }, '[2,"a"]', '[3,"a"]', null, 60_000.6);
  t.equal(rows.rows, 2);
  const frames = await stored();
  t.match(frames, [
    { direction: 'in', kind: 'call', action: 'Authorize', messageId: 'a', latencyMs: null },
    { direction: 'out', kind: 'result', action: 'Authorize', messageId: 'a', latencyMs: 60_000.6 },
  ]);
  const [call, answer] = frames.map(({ time }) => time.getTime()) as [number, number];
  t.equal(answer - call, 60_001);
});

void t.test('masks both frames before it cuts them at a whole character', async (t) => {
  const { log, stored } = await openLog(t);
  const secret = 'c0ffee';
  const long = `[2,"a","X",{"pad":"${'x'.repeat(16_365)}😀","password":"${secret}"}]`;
  const answer = `[3,"a",{"authorizationKey":"${secret}"}]`;
  log.exchange('in', { id: 'a\ud800', action: 'Y'.repeat(5000) }, long, answer, null, 1);
  log.unanswered('out', { id: 'b', action: 'X' }, answer, 0);
  log.answerOnly('in', { id: 'c', action: null }, answer, 'Z'.repeat(5000));
  const frames = await stored();
  t.equal(frames.length, 4);
  t.notMatch(JSON.stringify(frames), secret);
  const cut = frames.find(({ truncated }) => truncated);
  t.equal(cut?.payload.length, 16_384);
  t.equal(cut?.payload.isWellFormed(), true);
  t.equal(cut?.action.length, 64);
  t.equal(cut?.messageId, 'a\ufffd');
  t.ok(frames.some(({ errorCode }) => errorCode === 'Z'.repeat(64)));
});
