import t from 'tap';
import { CallRefused, CallTimeout, SocketClosed } from '#gateway/frame/errors.ts';
import { Connection, type Reply } from '#gateway/socket/connection.ts';
import { callRateOf } from '#gateway/socket/call-rate.ts';
import type { FrameLog } from '#gateway/socket/frame-log.ts';

/** Opens a connection; `logged` has an entry per call of its log, `sent` the texts that the socket took. */
function connect() {
  const logged: unknown[][] = [];
  const sent: string[] = [];
  const answers: ((reply: Reply) => void)[] = [];
  const state = { takes: true, closes: 0 };
  const socket = {
    send: (text: string) => state.takes && sent.push(text) > 0,
    close: () => void (state.closes += 1),
  };
  const server = {
    serveCall: () => new Promise<Reply>((resolve) => answers.push(resolve)),
    refuse: () => ({ text: '[4,"a","InternalError","",{}]', outcome: 'internal', commit: null }) as const,
    answered: () => undefined,
    hasSend: false,
    refuseResult: () => null,
    resultRefused: () => undefined,
    slowed: () => undefined,
    refuseBroken: () => '[4,"-1","FormationViolation","",{}]',
  };
  const log: FrameLog = {
    exchange: (direction, { id, action }, text, answer, errorCode, latencyMs) =>
      logged.push([
        'exchange',
        direction,
        id,
        action,
        text,
        answer,
        errorCode,
        latencyMs >= 0 && latencyMs < 10_000,
      ]),
    unanswered: (direction, { id, action }, text, ageMs) =>
      logged.push(['unanswered', direction, id, action, text, ageMs >= 0 && ageMs < 10_000]),
    answerOnly: (direction, { id }, text, errorCode) =>
      logged.push(['answer', direction, id, text, errorCode]),
  };
  const connection = new Connection('0123456789abcdef0123456', socket, server, log, callRateOf(100));
  /** Answers the oldest call that is served. */
  const answer = async (text: string) => {
    answers.shift()?.({ text, outcome: 'result', commit: null });
    await new Promise(setImmediate);
  };
  return { connection, logged, sent, state, answer };
}

const call = (id: string, action = 'Heartbeat') => `[2,"${id}","${action}",{}]`;
const messageId = (text = '[]') => (JSON.parse(text) as unknown[])[1] as string;
const unanswered = (id: string) => ['unanswered', 'in', id, 'Heartbeat', call(id), true];

void t.test('logs a call of the charger with its answer', async (t) => {
  const { connection, logged, answer } = connect();
  connection.receive(call('a'));
  t.same(logged, [], 'not before the answer');
  await answer('[3,"a",{}]');
  connection.receive(call('b', 'Nonsense'));
  await answer('[4,"b","NotImplemented","",{}]');
  connection.receive('no frame');
  t.same(logged, [
    ['exchange', 'in', 'a', 'Heartbeat', call('a'), '[3,"a",{}]', null, true],
    [
      'exchange',
      'in',
      'b',
      'Nonsense',
      call('b', 'Nonsense'),
      '[4,"b","NotImplemented","",{}]',
      'NotImplemented',
      true,
    ],
    [
      'exchange',
      'in',
      null,
      null,
      'no frame',
      '[4,"-1","FormationViolation","",{}]',
      'FormationViolation',
      true,
    ],
  ]);
});

void t.test('logs calls of the charger by themselves that get no answer', async (t) => {
  await t.test('because the socket does not take it', async (t) => {
    const { connection, logged, state, answer } = connect();
    state.takes = false;
    connection.receive(call('a'));
    await answer('[3,"a",{}]');
    connection.receive('no frame');
    t.same(logged, [unanswered('a'), ['unanswered', 'in', null, null, 'no frame', true]]);
  });

  await t.test('because the socket closed while it was served or waited', async (t) => {
    const { connection, logged, answer } = connect();
    for (const id of ['a', 'b', 'c']) connection.receive(call(id));
    connection.closed();
    t.same(logged, [unanswered('b'), unanswered('c')]);
    await answer('[3,"a",{}]');
    t.same(logged, [unanswered('b'), unanswered('c'), unanswered('a')]);
  });

  await t.test('because the connection ends', async (t) => {
    const { connection, logged, answer } = connect();
    for (const id of ['a', 'b']) connection.receive(call(id));
    connection.end(1001, 'drained');
    connection.receive(call('c'));
    await answer('[3,"a",{}]');
    t.same(logged, [
      unanswered('b'),
      unanswered('c'),
      ['exchange', 'in', 'a', 'Heartbeat', call('a'), '[3,"a",{}]', null, true],
    ]);
  });

  await t.test('because too many wait', (t) => {
    const { connection, logged, state } = connect();
    for (let n = 0; n < 258; n += 1) connection.receive(call(`${n}`));
    t.same(logged, [unanswered('257')]);
    t.equal(state.closes, 1);
    t.end();
  });
});

void t.test('logs a call to the charger with its answer', async (t) => {
  const { connection, logged, sent } = connect();
  const accepted = connection.call('Reset', {}, 60_000, () => undefined);
  const refused = connection.call('Reset', {}, 60_000, () => undefined);
  const first = messageId(sent[0]);
  connection.receive(`[3,"${first}",{}]`);
  const second = messageId(sent[1]);
  connection.receive(`[4,"${second}","Busy","",{}]`);
  await accepted;
  await t.rejects(refused, CallRefused);
  t.same(logged, [
    ['exchange', 'out', first, 'Reset', sent[0], `[3,"${first}",{}]`, null, true],
    ['exchange', 'out', second, 'Reset', sent[1], `[4,"${second}","Busy","",{}]`, 'Busy', true],
  ]);
});

void t.test(
  'logs a call to the charger by itself when it gets no answer, and a late answer by itself',
  async (t) => {
    const { connection, logged, sent } = connect();
    await t.rejects(
      connection.call('Reset', {}, 1, () => undefined),
      CallTimeout,
    );
    const late = messageId(sent[0]);
    t.same(logged.splice(0), [['unanswered', 'out', late, 'Reset', sent[0], true]]);
    connection.receive(`[3,"${late}",{}]`);
    connection.receive('[4,"x","Busy","",{}]');
    t.same(logged.splice(0), [
      ['answer', 'in', late, `[3,"${late}",{}]`, null],
      ['answer', 'in', 'x', '[4,"x","Busy","",{}]', 'Busy'],
    ]);
    const pending = connection.call('Reset', {}, 60_000, () => undefined);
    const queued = connection.call('Reset', {}, 60_000, () => undefined);
    connection.closed();
    await Promise.all([t.rejects(pending, SocketClosed), t.rejects(queued, SocketClosed)]);
    t.equal(logged.length, 1, 'a call that was not sent is no frame');
    t.match(logged[0], ['unanswered', 'out', String, 'Reset', sent[1], true]);
  },
);
