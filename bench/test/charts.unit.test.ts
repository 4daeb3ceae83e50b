import t from 'tap';
import { barChart, lineChart, niceStep } from '#bench/chart-svg.ts';
import { chartsOf } from '#bench/charts.ts';
import type { Report } from '#bench/report.ts';
import type { Measurement } from '#bench/scenario.ts';

const axes = { x: 'rows', y: 'ms' };

function reportOf(part: Partial<Report>): Report {
  return {
    scenario: 'one',
    describe: '',
    at: '',
    seconds: 0,
    cpu: '',
    cores: 1,
    memoryGiB: 1,
    commit: '',
    versions: {},
    load: { stations: 1, rate: null, duration: 1, seed: 1, samples: 1, connections: 1, sessions: 1, rows: 1 },
    measurements: [],
    ratios: [],
    series: [],
    notes: [],
    ...part,
  };
}

function cpu(subject: string, role: string, value: number): Measurement {
  return { subject, what: `CPU of ${role} for 100,000 messages`, value, unit: 's' };
}

void t.test('draws series with the same axes in one chart', async (t) => {
  const charts = chartsOf(
    reportOf({
      series: [
        { ...axes, name: 'median', points: [[0, 1]] },
        { ...axes, name: 'p99', points: [[0, 2]] },
        { x: 'rows', y: 's', name: 'cost', points: [[0, 3]] },
      ],
    }),
  );
  t.same(
    charts.map(({ file }) => file),
    ['one.svg', 'one-2.svg'],
  );
  t.match(charts[0]?.svg, /median.*p99/s);
  t.notMatch(charts[0]?.svg, 'cost');
});

void t.test('draws the cost of a message in closed loop as bars', async (t) => {
  const [chart] = chartsOf(
    reportOf({
      scenario: 'meter-values',
      measurements: [
        cpu('bare', 'server', 1.4),
        cpu('split, closed loop', 'gateway', 3),
        cpu('split, closed loop', 'ClickHouse', 9),
        cpu('split, steady 5/s', 'gateway', 8),
      ],
    }),
  );
  t.match(chart?.svg, /bare.*1\.4 s.*split.*>3 s/s);
  t.notMatch(chart?.svg, /steady|9 s/);
});

void t.test('places points by value and keeps them inside the plot', async (t) => {
  const svg = lineChart('title <1>', [
    {
      ...axes,
      name: 'a',
      points: [
        [1, 5],
        [1000, 10],
      ],
    },
  ]);
  t.match(svg, 'title &lt;1>');
  t.match(svg, '<polyline points="80,195 700,50"');
});

void t.test('draws reports without values', async (t) => {
  t.notMatch(lineChart('empty', [{ ...axes, name: 'a', points: [[0, 0]] }]), 'NaN');
  t.notMatch(barChart('empty', 's', [{ name: 'a', value: 0 }]), 'NaN');
  t.same(chartsOf(reportOf({})), []);
});

void t.test('steps of an axis are 1, 2 or 5 times a power of ten', async (t) => {
  t.same([0, 0.13, 0.9, 1.1, 3, 7].map(niceStep), [1, 0.2, 1, 2, 5, 10]);
});
