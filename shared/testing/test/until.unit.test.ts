import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { until } from '#shared/testing/until.ts';

function mockTimers(t: Test): void {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  t.teardown(() => mock.timers.reset());
}

/** Runs timers as they are set, until `work` settles. */
async function settled<Value>(work: Promise<Value>): Promise<Value> {
  const state = { isSettled: false };
  const end = () => (state.isSettled = true);
  work.then(end, end);
  while (!state.isSettled) {
    mock.timers.runAll();
    await nextTurn();
  }
  return work;
}

void t.test('asks until the answer is neither null, undefined nor false', async (t) => {
  mockTimers(t);
  const answers = [null, undefined, false, 0];
  t.equal(await settled(until<number>('a number', () => answers.shift() as number | null)), 0);
  t.same(answers, []);
});

void t.test('pauses from 5 to 250 ms between requests', async (t) => {
  mockTimers(t);
  const askedAt: number[] = [];
  const isEnough = () => askedAt.push(Date.now()) === 30;
  await settled(until('the last request', isEnough));
  const pauses = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
  t.ok(
    pauses.every((pause, index) => pause >= (pauses[index - 1] ?? 5)),
    'each pause is as long as the last',
  );
  t.same([pauses[0], pauses.at(-1)], [5, 250]);
});

/** Returns the number of requests before a wait is given up, each of which takes `ms`. */
async function requestsOf(t: Test, ms: number): Promise<number> {
  let asked = 0;
  const ask = () => {
    asked += 1;
    mock.timers.setTime(Date.now() + ms);
    return false;
  };
  const waiting = until('the end of time', ask);
  await t.rejects(settled(waiting), { message: 'waited in vain for: the end of time' });
  return asked;
}

void t.test('gives up after two minutes of pauses, however long the requests take', async (t) => {
  mockTimers(t);
  const asked = await requestsOf(t, 0);
  t.ok(asked > 120_000 / 250, `${asked} requests`);
  t.equal(await requestsOf(t, 60_000), asked);
});

void t.test('renews its patience when there is progress', async (t) => {
  mockTimers(t);
  let asked = 0;
  const isEnough = () => (asked += 1) === 2000;
  await settled(until('the last request', isEnough, () => Math.floor(asked / 400)));
  t.equal(asked, 2000);
});
