import t from 'tap';
import { DeadlinePassed, within } from '#shared/domain/kernel/deadline.ts';

/** As a long computation or a machine that stops does. */
function standStill(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

void t.test('rejects when the deadline passes', async (t) => {
  await t.rejects(within(new Promise(() => undefined), 10, 'silence'), DeadlinePassed);
  t.equal(await within(Promise.resolve('soon'), 10_000, 'an answer'), 'soon');
});

void t.test('reads received answers before the deadline passes after a blocked thread', async (t) => {
  const pending = Promise.withResolvers<string>();
  const answer = within(pending.promise, 10, 'an answer');
  // What arrives is read after the timers that are due.
  setImmediate(() => pending.resolve('answered'));
  standStill(300);
  t.equal(await answer, 'answered');

  const silence = t.rejects(
    within(new Promise(() => undefined), 10, 'silence'),
    DeadlinePassed,
    'yet not indefinitely',
  );
  standStill(300);
  await silence;
});
