import { formatNumber } from '#bench/report/number-format.ts';
import type { Report } from '#bench/report/report.ts';
import { table } from '#bench/report/report-tables.ts';
import { measured, type Reports } from '#bench/report/reports.ts';

/** Number of a report. */
type Source = [scenario: string, subject: string | RegExp, what: string | RegExp];

/** Row of the summary: a number of the product, and the same of a bare server in the same run. */
type Row = [what: string, unit: string, product: Source, bare?: Source, bareName?: string];

const floor = 'bare uWebSockets.js';
const bareCpu: Source = ['meter-values', floor, 'CPU of server for 100,000 messages'];
const acknowledged = 'messages acknowledged';
const memory = 'memory for a connection';

const rows: readonly Row[] = [
  [
    'Readings to durable acknowledgement, all in one process',
    '1/s',
    ['meter-values', 'all-in-one, closed loop', acknowledged],
    ['meter-values', floor, acknowledged],
  ],
  [
    'CPU of a gateway process for 100,000 readings',
    's',
    ['meter-values', 'split, closed loop', 'CPU of gateway for 100,000 messages'],
    bareCpu,
  ],
  [
    'The same of `ocpp-rpc`, which stores nothing',
    's',
    ['meter-values', 'ocpp-rpc', 'CPU of server for 100,000 messages'],
    bareCpu,
  ],
  [
    'Time to acknowledgement at half of the highest rate, P99',
    'ms',
    ['meter-values', /^split, steady/, 'time to acknowledgement, 99th percentile'],
  ],
  [
    'Chargers back and booted after `kill -9`',
    '1/s',
    ['reconnect-storm', 'product', 'stations back and booted'],
    ['reconnect-storm', floor, 'upgrades'],
    'bare upgrades',
  ],
  ['Memory of the gateway for an idle charger', 'KiB', ['idle', 'gateway', memory], ['idle', floor, memory]],
  [
    'Command from the API to the charger and back, P99',
    'ms',
    ['commands', 'split', 'API to charger and back, 99th percentile'],
  ],
  [
    'Sessions from authorization to the priced record',
    '1/s',
    ['sessions', 'all-in-one', 'sessions from start to priced record'],
    ['sessions', floor, 'sessions started, stopped and acknowledged'],
  ],
];

/** Returns the numbers of the product and of bare servers. */
export function summaryTable(reports: Reports): string[] {
  return table(
    ['Quantity', 'chargeway', 'For comparison, in the same run', 'Ratio'],
    rows.flatMap(([what, unit, source, bareSource, bareName = floor]) => {
      const product = measured(reports, ...source);
      const bare = bareSource && measured(reports, ...bareSource);
      if (product === undefined) return [];
      const cells =
        bare === undefined
          ? ['', '']
          : [`${formatNumber(bare)} ${unit} (${bareName})`, formatNumber(product / bare)];
      return [[what, `${formatNumber(product)} ${unit}`, ...cells]];
    }),
  );
}

/** Returns machine, versions and commits of the reports. */
export function machineLines(reports: Reports): string[] {
  const distinct = (textOf: (report: Report) => string): string =>
    [...new Set([...reports.values()].map(textOf))].join('; ');
  const [first] = reports.values();
  if (first === undefined) return ['No report is stored.'];
  return [
    `- Machine: ${distinct(({ cores, cpu, memoryGiB }) => `${cores} cores (${cpu}), ${memoryGiB} GiB`)}`,
    `- Commit: ${distinct(({ commit }) => `\`${commit}\``)}; measured on ${distinct(({ at }) => at.slice(0, 10))}`,
    `- Versions: ${Object.entries(Object.assign({}, ...[...reports.values()].map(({ versions }) => versions)))
      .map(([name, version]) => `${name} ${String(version)}`)
      .join(', ')}`,
  ];
}

/** Returns a line for each report. */
export function reportsTable(reports: Reports): string[] {
  return table(
    ['Scenario', 'What it measures', 'Duration'],
    [...reports.values()].map(({ scenario, describe, seconds }) => [
      `[${scenario}](${scenario}.md)`,
      describe,
      `${seconds} s`,
    ]),
  );
}
