import t, { type Test } from 'tap';
import { lint } from './support/lint.ts';

/** Returns the lines that a rule refuses. */
async function refusedBy(t: Test, rule: string, source: string): Promise<string[]> {
  const lines = source.split('\n');
  const found = await lint(t, 'time', [rule], source);
  return found.map(({ labels }) => lines[(labels[0]?.span.line ?? 0) - 1] ?? '').toSorted();
}

void t.test('refuses sleeps, and accepts turns of the event loop and timers that end nothing', async (t) => {
  const refused = [
    "import { setTimeout as wait } from 'node:timers/promises';",
    'await new Promise((resolve) => setTimeout(resolve, 5));',
    'await pause(systemClock, 5);',
    'export const late = new Promise((resolve) => void setTimeout(() => resolve(null), 5));',
    'export const wait = promisify(setTimeout);',
    'setTimeout(end, 5);',
    'setTimeout(() => void opened.resolve(), 5);',
    'setTimeout(opened.reject, 5);',
  ];
  const accepted = [
    "import { setImmediate } from 'node:timers/promises';",
    'setTimeout(() => closed.resolve(), 5);',
    'const opened = Promise.withResolvers();',
    'const { promise, resolve: end } = Promise.withResolvers();',
    'export const read = promisify(readFile);',
    'await pause(clock, 5);',
    '// oxlint-disable-next-line time/no-sleep -- a reason',
    'await new Promise((resolve) => setTimeout(resolve, 6));',
  ];
  t.same(await refusedBy(t, 'no-sleep', [...accepted, ...refused].join('\n')), refused.toSorted());
});

void t.test('refuses limits of elapsed time, and accepts durations that are compared', async (t) => {
  const refused = [
    't.ok(performance.now() - begin < 5000);',
    't.ok(5 * minute >= Date.now() - begin);',
    't.ok(Math.abs(Date.now() - at) < limit);',
    't.ok(seconds <= 2);',
    't.ok(end - first < 500);',
    't.ok(last - first < 500);',
    't.ok(whole < 2);',
    't.ok(Number(process.hrtime.bigint() - ticks) < 5e9);',
    'await fetch(url, { signal: AbortSignal.timeout(5000) });',
  ];
  const accepted = [
    'const seconds = Math.round((performance.now() - begin) / 1000);',
    'const first = performance.now();',
    'const end = performance.now();',
    'let last = 0;',
    'last = Date.now();',
    'const [whole] = process.hrtime(start);',
    't.ok(first < end && end - 5000 < first);',
    't.ok(seconds < (performance.now() - earlier) / 1000);',
    't.ok(performance.now() - begin > 5000);',
    't.ok(at >= begin && at <= Date.now());',
    'const old = new Date(Date.now() - 5000);',
  ];
  t.same(await refusedBy(t, 'no-elapsed-bound', [...accepted, ...refused].join('\n')), refused.toSorted());
});

void t.test('refuses the time of the machine where a clock is passed', async (t) => {
  const refused = ['now(Date.now());', 'setTimeout(run, 5);', 'now(new Date());', 'now(performance.now());'];
  const accepted = ['now(clock.now());', 'now(new Date(clock.now()));', 'clock.after(5, run);'];
  t.same(await refusedBy(t, 'use-clock', [...refused, ...accepted].join('\n')), refused.toSorted());
});
