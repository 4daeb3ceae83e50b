import t from 'tap';
import { parseOptions } from '#shared/testing/run/options.ts';
import { testFilesOf } from '#shared/testing/run/test-files.ts';

const selected = (...args: string[]) => testFilesOf(parseOptions(args).selection);

void t.test('--all selects the tests of npm test and of npm run test:system', async (t) => {
  const [usual, system] = [selected(), selected('--system')];
  t.ok(usual.length > 0 && system.length > 0);
  t.strictSame(selected('--all'), [...usual, ...system].toSorted());
});
