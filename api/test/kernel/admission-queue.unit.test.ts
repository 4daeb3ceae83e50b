import t from 'tap';
import { AdmissionQueue, type CallerKind } from '#api/plugins/admission-queue.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

/** A queue that serves two requests at a time, and what becomes of the requests that enter it. */
function scene() {
  const clock = new VirtualClock();
  const queue = new AdmissionQueue(clock, 2);
  const settled: string[] = [];
  const enter = (name: string, kind: CallerKind = 'other'): void =>
    queue.enter(kind, (isAdmitted) => void settled.push(`${name} ${isAdmitted ? 'admitted' : 'refused'}`));
  /** Ends a request, and returns what was settled since the last call. */
  const leave = async (): Promise<string[]> => {
    queue.leave();
    await Promise.resolve();
    return settled.splice(0);
  };
  return { clock, queue, enter, leave, settled };
}

void t.test('admits further requests in order when earlier ones end', async (t) => {
  const { queue, enter, leave, settled } = scene();
  for (const name of ['a', 'b', 'c', 'd']) enter(name);
  t.strictSame(settled.splice(0), ['a admitted', 'b admitted']);
  t.match(queue, { running: 2, waiting: 2 });
  t.strictSame(await leave(), ['c admitted']);
  t.strictSame(await leave(), ['d admitted']);
  t.strictSame(await leave(), []);
  t.strictSame(await leave(), []);
  t.match(queue, { running: 0, waiting: 0, refused: { console: 0, other: 0 } });
});

void t.test('admits operators at the console before all others', async (t) => {
  const { enter, leave, settled } = scene();
  for (const name of ['a', 'b', 'c']) enter(name);
  enter('operator', 'console');
  settled.length = 0;
  t.strictSame(await leave(), ['operator admitted']);
  t.strictSame(await leave(), ['c admitted']);
});

void t.test('refuses a request at once while another has waited for half a second', async (t) => {
  const { clock, queue, enter, leave, settled } = scene();
  for (const name of ['a', 'b', 'c']) enter(name);
  clock.advance(499);
  enter('d');
  clock.advance(1);
  enter('e');
  enter('operator', 'console');
  t.strictSame(settled.splice(0), ['a admitted', 'b admitted', 'e refused']);
  t.match(queue, { waiting: 3, refused: { console: 0, other: 1 } });
  t.strictSame(await leave(), ['operator admitted']);
  t.strictSame(await leave(), ['c admitted']);
  enter('f');
  t.strictSame(await leave(), ['d admitted']);
});

void t.test('refuses requests that have waited for a second, and operators after five', async (t) => {
  const { clock, queue, enter, leave, settled } = scene();
  for (const name of ['a', 'b', 'c']) enter(name);
  enter('operator', 'console');
  settled.length = 0;
  clock.advance(1000);
  t.strictSame(settled.splice(0), ['c refused']);
  clock.advance(3900);
  t.strictSame(settled, []);
  clock.advance(100);
  t.strictSame(settled.splice(0), ['operator refused']);
  t.equal(clock.pending, 0, 'no timer without a request that waits');
  t.match(queue, { running: 2, waiting: 0, refused: { console: 1, other: 1 } });
  t.strictSame(await leave(), []);
  enter('d');
  t.strictSame(settled, ['d admitted']);
});

void t.test('counts a request that comes back with its body although the places are taken', async (t) => {
  const { queue, enter, leave, settled } = scene();
  enter('a');
  queue.leave();
  enter('b');
  enter('c');
  queue.resume();
  enter('d');
  t.equal(queue.running, 3);
  settled.length = 0;
  t.strictSame(await leave(), []);
  t.strictSame(await leave(), ['d admitted']);
});
