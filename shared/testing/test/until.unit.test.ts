import t from 'tap';
import { until } from '#shared/testing/until.ts';

// Timers are not mocked: applications that the process keeps for other files use them too.
const never = () => null;
const noPause = async () => undefined;

void t.test('asks until the answer is neither null, undefined nor false', async (t) => {
  const answers = [null, undefined, false, 0];
  t.equal(await until<number>('a number', () => answers.shift() as number | null, never, noPause), 0);
  t.same(answers, []);
});

void t.test('pauses from 5 to 250 ms between requests', async (t) => {
  const pauses: number[] = [];
  const pause = async (ms: number) => pauses.push(ms);
  await until('the last request', () => pauses.length === 30, never, pause);
  t.same(
    pauses,
    pauses.toSorted((a, b) => a - b),
  );
  t.same([pauses[0], pauses.at(-1)], [5, 250]);
});

void t.test('gives up after two minutes of pauses', async (t) => {
  let pausedMs = 0;
  const pause = async (ms: number) => (pausedMs += ms);
  await t.rejects(
    until('the end of time', () => false, never, pause),
    {
      message: 'waited in vain for: the end of time',
    },
  );
  t.ok(pausedMs >= 120_000 && pausedMs < 121_000, `${pausedMs} ms`);
});

void t.test('renews its patience when there is progress', async (t) => {
  let asked = 0;
  const isEnough = () => (asked += 1) === 2000;
  await until('the last request', isEnough, () => Math.floor(asked / 400), noPause);
  t.equal(asked, 2000);
});
