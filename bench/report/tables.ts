import { formatNumber } from '#bench/report/number-format.ts';
import type { Report } from '#bench/report/report.ts';
import { table } from '#bench/report/report-tables.ts';
import { measured, type Reports } from '#bench/report/reports.ts';

/** Row of the summary: a number of the product, and the same of a bare server in the same run. */
interface Row {
  what: string;
  product: number | undefined;
  bare?: number | undefined;
  unit: string;
  bareName?: string;
}

/** Returns the numbers of the product alongside those of bare servers. */
export function summaryTable(reports: Reports): string[] {
  const value = (scenario: string, subject: string | RegExp, what: string | RegExp) =>
    measured(reports, scenario, subject, what);
  const floor = 'bare uWebSockets.js';
  const rows: Row[] = [
    {
      what: 'Readings to durable acknowledgement, all in one process',
      product: value('meter-values', 'all-in-one, closed loop', 'messages acknowledged'),
      bare: value('meter-values', floor, 'messages acknowledged'),
      unit: '1/s',
      bareName: floor,
    },
    {
      what: 'CPU of a gateway process for 100,000 readings',
      product: value('meter-values', 'split, closed loop', 'CPU of gateway for 100,000 messages'),
      bare: value('meter-values', floor, 'CPU of server for 100,000 messages'),
      unit: 's',
      bareName: floor,
    },
    {
      what: 'The same of `ocpp-rpc`, which stores nothing',
      product: value('meter-values', 'ocpp-rpc', 'CPU of server for 100,000 messages'),
      bare: value('meter-values', floor, 'CPU of server for 100,000 messages'),
      unit: 's',
      bareName: floor,
    },
    {
      what: 'Time to acknowledgement at half of the highest rate, P99',
      product: value('meter-values', /^split, steady/, 'time to acknowledgement, 99th percentile'),
      unit: 'ms',
    },
    {
      what: 'Chargers back and booted after `kill -9`',
      product: value('reconnect-storm', 'product', 'stations back and booted'),
      bare: value('reconnect-storm', floor, 'upgrades'),
      unit: '1/s',
      bareName: 'bare upgrades',
    },
    {
      what: 'Memory of the gateway for an idle charger',
      product: value('idle', 'gateway', 'memory for a connection'),
      bare: value('idle', floor, 'memory for a connection'),
      unit: 'KiB',
      bareName: floor,
    },
    {
      what: 'Command from the API to the charger and back, P99',
      product: value('commands', 'split', 'API to charger and back, 99th percentile'),
      unit: 'ms',
    },
    {
      what: 'Sessions from authorization to the priced record',
      product: value('sessions', 'all-in-one', 'sessions from start to priced record'),
      bare: value('sessions', floor, 'sessions started, stopped and acknowledged'),
      unit: '1/s',
      bareName: floor,
    },
  ];
  return table(
    ['Quantity', 'chargeway', 'For comparison, in the same run', 'Ratio'],
    rows.flatMap(({ what, product, bare, unit, bareName = '' }) =>
      product === undefined
        ? []
        : [
            [
              what,
              `${formatNumber(product)} ${unit}`,
              bare === undefined ? '' : `${formatNumber(bare)} ${unit} (${bareName})`,
              bare === undefined ? '' : formatNumber(product / bare),
            ],
          ],
    ),
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
