import t from 'tap';
import { Lanes } from '#api/jobs/lanes.ts';

void t.test('works on each destination alongside the others, and never twice at once on one', async (t) => {
  const runs: string[] = [];
  const gates = { slow: Promise.withResolvers<void>(), fast: Promise.withResolvers<void>() };
  const lanes = new Lanes<'slow' | 'fast'>(
    async (name) => {
      runs.push(name);
      await gates[name].promise;
    },
    () => t.fail(),
  );
  lanes.start('slow');
  lanes.start('slow');
  lanes.start('fast');
  gates.fast.resolve();
  await gates.fast.promise;
  t.strictSame(runs, ['slow', 'fast'], 'the slow one runs once and holds up nothing');
  gates.slow.resolve();
  await new Promise(setImmediate);
  t.strictSame(runs, ['slow', 'fast', 'slow'], 'and looks again for what came meanwhile');
  await lanes.stop();
});

void t.test('reports a failure with its destination, and starts nothing after the stop', async (t) => {
  const failed: unknown[] = [];
  const lanes = new Lanes<number>(
    async () => {
      throw new Error('broken');
    },
    (error, destination) => failed.push([(error as Error).message, destination]),
  );
  lanes.start(7);
  await lanes.stop();
  lanes.start(8);
  t.strictSame(failed, [['broken', 7]]);
});
