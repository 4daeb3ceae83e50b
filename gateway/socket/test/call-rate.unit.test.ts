import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { callRateOf } from '#gateway/socket/call-rate.ts';
import { Connection, type Reply } from '#gateway/socket/connection.ts';

/** Calls in ten seconds at ten a second: what is served at once. */
const burst = 100;

/** Opens a connection that serves ten calls a second, in a time that stands still until `wait`. */
function connect(t: Pick<Test, 'teardown'>) {
  let now = 1_000_000;
  mock.timers.enable({ apis: ['setTimeout'] });
  const clock = mock.method(performance, 'now', () => now);
  t.teardown(() => {
    mock.timers.reset();
    clock.mock.restore();
  });
  const state = { sent: 0, closed: '', slowed: 0 };
  const reply: Reply = { text: '[3,"a",{}]', outcome: 'result', commit: null };
  const socket = {
    send: () => (state.sent += 1) > 0,
    close: (_code: number, reason: string) => void (state.closed = reason),
  };
  const server = {
    serveCall: () => reply,
    refuse: () => reply,
    answered: () => undefined,
    hasSend: false,
    refuseResult: () => null,
    resultRefused: () => undefined,
    slowed: () => void (state.slowed += 1),
    refuseBroken: () => '[4,"-1","FormationViolation","",{}]',
  };
  const log = { exchange: () => undefined, unanswered: () => undefined, answerOnly: () => undefined };
  const connection = new Connection('0123456789abcdef0123456', socket, server, log, callRateOf(10));
  const wait = (ms: number) => {
    now += ms;
    mock.timers.tick(ms);
  };
  const receive = (count: number, text = '[2,"a","Heartbeat",{}]') => {
    for (let n = 0; n < count; n++) connection.receive(text);
  };
  return { connection, state, receive, wait };
}

void t.test('a connection serves calls beyond the rate later, and loses none', async (t) => {
  const { state, receive, wait } = connect(t);
  receive(burst + 50);
  t.equal(state.sent, burst + 1, 'ten seconds of calls at once');
  for (let second = 1; second <= 4; second++) {
    for (let step = 0; step < 10; step++) wait(100);
    t.equal(state.sent, burst + 1 + 10 * second, 'ten in each second after');
  }
  for (let step = 0; step < 20; step++) wait(100);
  t.equal(state.sent, burst + 50, 'all');
  t.ok(state.slowed > 0);
  t.equal(state.closed, '');
});

void t.test('a connection serves a burst again after silence', async (t) => {
  const { state, receive, wait } = connect(t);
  receive(burst);
  wait(10_000);
  receive(burst);
  t.equal(state.sent, 2 * burst);
  t.equal(state.slowed, 0);
});

void t.test('a connection closes after a flood of calls', async (t) => {
  const calls = connect(t);
  calls.receive(burst + 300);
  t.equal(calls.state.closed, 'too many calls at once');
});

void t.test(
  'a connection closes after a flood of malformed messages or answers without a request',
  async (t) => {
    for (const [text, reason] of [
      ['{}', 'too many malformed messages'],
      ['[3,"unknown",{}]', 'too many answers without a request'],
    ] as const) {
      await t.test(reason, async (t) => {
        const { state, receive } = connect(t);
        receive(burst, text);
        t.equal(state.closed, '');
        receive(2, text);
        t.equal(state.closed, reason);
      });
    }
  },
);

void t.test('a connection serves nothing after its socket closed', async (t) => {
  const { connection, state, receive, wait } = connect(t);
  receive(burst + 50);
  connection.closed();
  wait(10_000);
  t.equal(state.sent, burst + 1);
});
