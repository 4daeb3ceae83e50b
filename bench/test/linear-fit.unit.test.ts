import t from 'tap';
import { fitLine } from '#bench/load/linear-fit.ts';

void t.test('fits a line through points on it', async (t) => {
  t.same(
    fitLine([
      [1, 5],
      [2, 7],
      [3, 9],
    ]),
    { slope: 2, intercept: 3 },
  );
});

void t.test('fits a line with the same distance to points alongside it', async (t) => {
  const points = [
    [0, 1],
    [0, 3],
    [2, 5],
    [2, 7],
  ] as const;
  t.same(fitLine(points), { slope: 2, intercept: 2 });
});

void t.test('fits one point by a line through zero', async (t) => {
  t.same(fitLine([[4, 2]]), { slope: 0.5, intercept: 0 });
  t.same(fitLine([[0, 0]]), { slope: 0, intercept: 0 });
});
