import t from 'tap';
import { formatNumber } from '#bench/report/number-format.ts';
import { formatReport, type Report } from '#bench/report/report.ts';
import { formatSeries } from '#bench/report/report-tables.ts';

const report: Report = {
  scenario: 'one',
  describe: 'measures something',
  at: '2026-11-24T01:02:03.000Z',
  seconds: 61,
  cpu: 'A CPU',
  cores: 2,
  memoryGiB: 24,
  commit: 'abc1234',
  versions: { 'Node.js': '22.23.3', ClickHouse: '26.7' },
  load: { stations: 5, rate: null, duration: 10, seed: 1, samples: 1, connections: 50, sessions: 9, rows: 8 },
  measurements: [
    { subject: 'floor', what: 'messages', value: 1234.5, unit: '1/s' },
    { subject: 'product', what: 'messages', value: 600, unit: '1/s' },
    { subject: 'product', what: 'refused', value: 0, unit: '' },
  ],
  ratios: [
    { what: 'CPU by the floor', value: 2.04, goal: { atMost: 2.5 } },
    { what: 'rate by the floor', value: 0.123, goal: { atLeast: 0.25 } },
    { what: 'without a goal', value: 3 },
  ],
  series: [],
  notes: ['A note.'],
};

void t.test('formats a line for each quantity and a column for each subject', async (t) => {
  const lines = formatReport(report).split('\n');
  const start = lines.indexOf('|  | floor | product |');
  t.same(lines.slice(start, start + 4), [
    '|  | floor | product |',
    '| --- | ---: | ---: |',
    '| messages, 1/s | 1,235 | 600 |',
    '| refused |  | 0 |',
  ]);
});

void t.test('formats subjects that share no quantities in tables of their own', async (t) => {
  const measurements = [
    { subject: '1 gateway', what: 'stations', value: 1, unit: '' },
    { subject: '1 gateway', what: 'memory', value: 4, unit: 'MiB' },
    { subject: 'model', what: 'cores', value: 2, unit: '' },
    { subject: '2 gateways', what: 'stations', value: 3, unit: '' },
  ];
  const lines = formatReport({ ...report, measurements, ratios: [] }).split('\n');
  t.same(
    lines.filter((line) => line.startsWith('| ') && !line.startsWith('| ---')),
    [
      '|  | 1 gateway | 2 gateways |',
      '| stations | 1 | 3 |',
      '| memory, MiB | 4 |  |',
      '|  | model |',
      '| cores | 2 |',
    ],
  );
});

void t.test(
  'formats subjects as rows where they outnumber their quantities, a table for each size of data',
  async (t) => {
    const measurements = ['10 sessions', '2,000 sessions'].flatMap((size) =>
      ['charger, public', 'token, public', '50 chargers'].map((name, index) => ({
        subject: `${name}, ${size}`,
        what: 'requests',
        value: index,
        unit: '1/s',
      })),
    );
    const ratios = [
      { what: 'charger, public: rate by bare Fastify, 10 sessions', value: 0.1, goal: { atLeast: 0.4 } },
      { what: 'charger, public: rate by bare Fastify', value: 0.5, goal: { atLeast: 0.4 } },
      { what: 'something else', value: 2 },
    ];
    const text = formatReport({ ...report, measurements, ratios, notes: [] });
    t.equal(
      text.slice(text.indexOf('## 10')),
      `## 10 sessions

|  | Rate by bare Fastify | Goal | Verdict | requests, 1/s |
| --- | ---: | ---: | ---: | ---: |
| charger, public | 0.1 | at least 0.4 | missed | 0 |
| token, public |  |  |  | 1 |
| 50 chargers |  |  |  | 2 |

## 2,000 sessions

|  | Rate by bare Fastify | Goal | Verdict | requests, 1/s |
| --- | ---: | ---: | ---: | ---: |
| charger, public | 0.5 | at least 0.4 | met | 0 |
| token, public |  |  |  | 1 |
| 50 chargers |  |  |  | 2 |

| Ratio | Value | Goal | Verdict |
| --- | ---: | ---: | ---: |
| something else | 2 |  |  |
`,
    );
  },
);

void t.test('formats series with the same axes as a table', async (t) => {
  const axes = { x: 'rows', y: 'ms' };
  const points = Array.from({ length: 30 }, (_, index): [number, number] => [index, index / 2]);
  const lines = formatSeries([
    { ...axes, name: 'median', points },
    { ...axes, name: 'P99', points: [[29, 1000]] },
    { x: 'rows', y: 's', name: 'cost', points: [[0, 1]] },
  ]);
  t.same(lines.slice(0, 4), [
    '| Rows | median: ms | P99: ms |',
    '| --- | ---: | ---: |',
    '| 0 | 0 |  |',
    '| 3 | 1.5 |  |',
  ]);
  t.same(lines.slice(11), [
    '| 27 | 13.5 |  |',
    '| 29 | 14.5 | 1,000 |',
    '',
    '| Rows | cost: s |',
    '| --- | ---: |',
    '| 0 | 1 |',
    '',
  ]);
});

void t.test('formats ratios with goal and verdict', async (t) => {
  const lines = formatReport(report).split('\n');
  t.ok(lines.includes('| CPU by the floor | 2.04 | at most 2.5 | met |'));
  t.ok(lines.includes('| rate by the floor | 0.123 | at least 0.25 | missed |'));
  t.ok(lines.includes('| without a goal | 3 |  |  |'));
});

void t.test('names commit, machine, versions and load', async (t) => {
  const text = formatReport(report);
  t.match(text, 'Commit abc1234, 2026-11-24 01:02 UTC, 61 s in all');
  t.match(text, '2 cores (A CPU), 24 GiB');
  t.match(text, 'Node.js 22.23.3, ClickHouse 26.7');
  t.match(text, 'Load: stations 5, duration 10, seed 1');
  t.notMatch(text, 'rate null');
  t.match(text, 'A note.');
});

void t.test('formats numbers with three significant digits', async (t) => {
  t.same([0, 7, 1234.5, 12.345, 0.012345, 99.96].map(formatNumber), [
    '0',
    '7',
    '1,235',
    '12.3',
    '0.0123',
    '100',
  ]);
});
