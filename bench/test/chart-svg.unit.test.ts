import t from 'tap';
import { barChart } from '#bench/charts/bar-chart.ts';
import { lineChart } from '#bench/charts/line-chart.ts';
import { niceStep, scaleOf } from '#bench/charts/scale.ts';

const axes = { x: 'rows', y: 'ms' };

void t.test('line chart names title, axes, series and goals', async (t) => {
  const svg = lineChart(
    'title <1>',
    [
      {
        ...axes,
        name: 'median',
        points: [
          [0, 1],
          [5, 2],
        ],
      },
    ],
    [{ name: 'goal', y: 3, of: 0 }],
  );
  t.match(svg, 'title &lt;1>');
  t.match(svg, />rows<.*>ms<.*/s);
  t.match(svg, />median<.*>goal</s);
});

function countDashed(svg: string): number {
  return svg.match(/<polyline[^>]*dasharray/g)?.length ?? 0;
}

void t.test('line chart dashes computed series and goals', async (t) => {
  const points: [number, number][] = [
    [0, 1],
    [5, 2],
  ];
  t.equal(countDashed(lineChart('', [{ ...axes, name: 'a', points }])), 0);
  t.equal(
    countDashed(lineChart('', [{ ...axes, name: 'a', points, isModel: true }], [{ name: 'g', y: 1, of: 0 }])),
    2,
  );
});

void t.test('line chart draws a goal and lines of one load in the same colour', async (t) => {
  const line = { ...axes, points: [[0, 1] as [number, number], [5, 2] as [number, number]] };
  const svg = lineChart(
    '',
    [
      { ...line, name: 'a', color: 1 },
      { ...line, name: 'b', color: 1, isModel: true, isUnnamed: true },
    ],
    [{ name: 'g', y: 1, of: 0 }],
  );
  t.same(
    svg.match(/<polyline class="c\d"/g),
    Array.from({ length: 3 }, () => '<polyline class="c1"'),
  );
});

void t.test('line chart says that an axis is logarithmic', async (t) => {
  const svg = lineChart('', [
    {
      ...axes,
      name: 'a',
      points: [
        [1, 1],
        [1000, 2],
      ],
    },
  ]);
  t.match(svg, '>rows (logarithmic)<');
  t.match(svg, '>ms<');
});

void t.test('bar chart of many bars is higher, so that names do not meet', async (t) => {
  const bars = Array.from({ length: 30 }, (_, index) => ({
    name: `bar ${index}`,
    parts: [1],
    group: index % 2,
  }));
  const svg = barChart({ title: '', axis: '', unit: '', groups: ['even', 'odd'], bars });
  const rows = [...svg.matchAll(/y="([\d.]+)"[^>]*>bar \d+</g)].map(([, y]) => Number(y));
  t.equal(rows.length, 30);
  t.ok(rows.every((y, index) => index === 0 || y - rows[index - 1]! >= 18));
  t.ok(Number(/viewBox="0 0 760 (\d+)"/.exec(svg)?.[1]) > Math.max(...rows));
  t.match(svg, />even<.*>odd</s);
});

void t.test('charts have colours for a light and a dark background', async (t) => {
  t.match(barChart({ title: '', axis: '', unit: 's', bars: [] }), 'prefers-color-scheme: dark');
});

void t.test('bar chart labels a bar with the sum of its parts', async (t) => {
  const svg = barChart({
    title: '',
    axis: 's',
    unit: 's',
    parts: ['a', 'b'],
    bars: [{ name: 'x', parts: [1, 2.5] }],
  });
  t.match(svg, />3\.5 s</);
  t.match(svg, />a<.*>b</s);
});

void t.test('charts without values have no undefined positions', async (t) => {
  t.notMatch(lineChart('empty', [{ ...axes, name: 'a', points: [[0, 0]] }]), 'NaN');
  t.notMatch(barChart({ title: '', axis: '', unit: 's', bars: [{ name: 'a', parts: [0] }] }), 'NaN');
});

void t.test('scale begins at zero where values are of one size', async (t) => {
  const scale = scaleOf([5, 10], 0, 100);
  t.same([scale.ticks, scale.position(5)], [[0, 2, 4, 6, 8, 10], 50]);
});

void t.test('scale is logarithmic where values differ by thirty times', async (t) => {
  t.same(scaleOf([10, 1000], 0, 100).ticks, [10, 20, 50, 100, 200, 500, 1000]);
  t.same(scaleOf([1, 1e6], 0, 100).ticks, [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]);
  t.equal(scaleOf([10, 1000], 0, 100).position(100), 50);
});

void t.test('steps of an axis are 1, 2 or 5 times a power of ten', async (t) => {
  t.same(
    [0, 0.13, 0.9, 1.1, 3, 7].map((value) => niceStep(value)),
    [1, 0.2, 1, 2, 5, 10],
  );
  t.same(
    [0.13, 1.1, 3, 7, 10].map((value) => niceStep(value, 'down')),
    [0.1, 1, 2, 5, 10],
  );
});
