import t from 'tap';
import { Pending } from '#shared/bus/pending.ts';

const late = () => new Error('late');

void t.test('fails an unanswered request at its deadline', async (t) => {
  const { answer } = new Pending().open(10, late);
  await t.rejects(answer, { message: 'late' });
});

void t.test('reads received answers before it times requests out after a blocked thread', async (t) => {
  const pending = new Pending<string>();
  const { id, answer } = pending.open(10, late);
  // What arrives is read after the timers that are due.
  setImmediate(() => pending.settle(id, 'told'));
  for (const end = performance.now() + 300; performance.now() < end; );
  t.equal(await answer, 'told');

  const silent = pending.open(10, late).answer;
  for (const end = performance.now() + 300; performance.now() < end; );
  await t.rejects(silent, { message: 'late' }, 'yet not for ever');
});
