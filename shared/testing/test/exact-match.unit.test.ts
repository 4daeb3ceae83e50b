import t from 'tap';
import { match } from 'tcompare';

void t.test('a pattern matches neither a longer list nor another date', async (t) => {
  const at = new Date(5);
  for (const [object, pattern, isMatch] of [
    [[1, 2], [1, 2], true],
    [[1, 2], [1], false],
    [[1], [], false],
    [{ at }, { at: new Date(5) }, true],
    [{ at }, { at: new Date(6) }, false],
    [{ at }, { at: Date }, true],
  ] as const) {
    t.equal(match(object, pattern).match, isMatch, JSON.stringify([object, pattern]));
  }
});
