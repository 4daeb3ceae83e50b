import { formatNumber } from '#bench/report/number-format.ts';
import type { Reports } from '#bench/report/reports.ts';
import { table } from '#bench/report/report-tables.ts';
import { type ByRole, sizedRoles } from './costs.ts';
import {
  assumed,
  billFleet,
  type FleetSize,
  sizeFleet,
  stationsPerProcess,
  usableCore,
} from './size-fleet.ts';
import { costScenarios, readCosts } from './stored-costs.ts';

/** Fleets of the examples. */
const examples = [1_000, 20_000, 200_000, 1_000_000];

const gigabyte = 1e9;

/** Returns what a fleet of this size needs as text, for `npm run bench -- sizing`. */
export function formatSizing(stations: number, reports: Reports): string {
  const costs = readCosts(reports);
  if (costs === null)
    return `A fleet is sized from the reports of ${costScenarios.join(', ')}: run those scenarios first.`;
  const size = sizeFleet({ ...assumed, stations }, costs);
  return [
    `${stations.toLocaleString('en')} chargers, ${assumed.sessionsPerDay} sessions a day and charger of ${assumed.sessionHours} hours, a reading every ${assumed.secondsPerReading} s:`,
    ...rows.map(([name, cell]) => `  ${name.padEnd(58)} ${cell(size)}`),
  ].join('\n');
}

/** Returns the measured costs that the formulas use. */
export function costsTable(reports: Reports): string[] {
  const costs = readCosts(reports);
  if (costs === null) return ['Not measured yet.'];
  return [
    ...table(
      ['CPU', ...sizedRoles],
      [
        ['`process`: cores of a process without load', ...cpu(costs.processCores, 1)],
        [
          '`receiving`: cores for each gateway process that receives readings',
          ...cpu(costs.receivingCores, 1),
        ],
        ['`idle`: cores for 100,000 idle chargers', ...cpu(costs.idleCores, 1e5)],
        ['`reading`: seconds for 100,000 readings', ...cpu(costs.readingCpu, 1e5)],
        ['`session`: seconds for 1,000 sessions', ...cpu(costs.sessionCpu, 1000)],
        ['`connect`: seconds for 1,000 connections', ...cpu(costs.connectCpu, 1000)],
      ],
    ),
    '',
    ...table(
      ['Memory and disk', 'Value'],
      [
        ['a gateway process without chargers', `${formatNumber(costs.processBytes / 2 ** 20)} MiB`],
        ['a connected charger', `${formatNumber(costs.stationBytes / 1024)} KiB`],
        ['a reading in ClickHouse', `${formatNumber(costs.readingDisk)} B`],
        ['a call in the message log', `${formatNumber(costs.callDisk)} B`],
        ['a session in both stores', `${formatNumber(costs.sessionDisk)} B`],
      ],
    ),
  ];
}

function cpu(of: ByRole, factor: number): string[] {
  return sizedRoles.map((role) => formatNumber(of[role] * factor));
}

/** Returns the needs of the example fleets. */
export function examplesTable(reports: Reports): string[] {
  const costs = readCosts(reports);
  if (costs === null) return ['Not measured yet.'];
  const sizes = examples.map((stations) => sizeFleet({ ...assumed, stations }, costs));
  return table(
    ['Chargers', ...examples.map((stations) => stations.toLocaleString('en'))],
    rows.map(([name, cell]) => [name, ...sizes.map(cell)]),
  );
}

const rows: [name: string, cell: (size: FleetSize) => string][] = [
  ['Readings a second', (size) => formatNumber(size.readingsPerSecond)],
  ['Readings a day', (size) => millions(size.readingsPerDay)],
  ['OCPP calls a day', (size) => millions(size.callsPerDay)],
  [
    `Gateway processes (at most ${stationsPerProcess.toLocaleString('en')} chargers and ${usableCore} cores each)`,
    (size) => formatNumber(size.gatewayProcesses),
  ],
  ...sizedRoles.map((role): [string, (size: FleetSize) => string] => [
    `Cores in use: ${role}`,
    (size) => formatCores(size.cores[role]),
  ]),
  [
    `Cores in use while all reconnect within ${assumed.reconnectSeconds / 60} minutes`,
    (size) => formatCores(size.reconnectCores),
  ],
  ['Memory of the gateway processes, GB', (size) => formatNumber(size.gatewayBytes / gigabyte)],
  ['Disk of readings and sessions, GB a year', (size) => formatNumber(size.diskPerYear / gigabyte)],
  [`Disk of the message log at ${assumed.logDays} days, GB`, (size) => formatNumber(size.logDisk / gigabyte)],
];

/** Fleets whose daily costs are published. */
const billed = examples.slice(0, 3);

/** Returns what the example fleets cost a day. */
export function billsTable(reports: Reports): string[] {
  const costs = readCosts(reports);
  if (costs === null) return ['Not measured yet.'];
  const fleets = billed.map((stations) => ({ stations, ...billFleet({ ...assumed, stations }, costs) }));
  const row = (name: string, value: (fleet: (typeof fleets)[number]) => number): string[] => [
    name,
    ...fleets.map((fleet) => formatNumber(value(fleet))),
  ];
  return table(
    ['Chargers', ...billed.map((stations) => stations.toLocaleString('en'))],
    [
      row('CPU hours a day, all processes', ({ cpuHoursPerDay }) => cpuHoursPerDay),
      row('CPU seconds of a charger a day', (fleet) => (fleet.cpuHoursPerDay * 3600) / fleet.stations),
      row('New data a day, GB', ({ bytesPerDay }) => bytesPerDay / gigabyte),
      row('Cores to provide', ({ cores }) => cores),
      row('Disk to provide after a year, GB', ({ bytes }) => bytes / gigabyte),
      row('Estimated hosting, EUR a month', ({ eurosPerMonth }) => eurosPerMonth),
    ],
  );
}

function formatCores(cores: number): string {
  return cores < 0.01 ? '< 0.01' : String(Number(cores.toPrecision(2)));
}

function millions(count: number): string {
  return `${formatNumber(count / 1e6)} million`;
}
