import type { Schemas } from '../../../api/client.ts';
import type { Series } from '../../../ui/chart/series.ts';
import { type OwnSeries, placeSeries } from './placed-series.ts';
import { readingInterval } from './reading-steps.ts';

type Connector = Schemas['ConnectorSeries'];

/** Quantities of the charts. */
export type Quantity = 'power' | 'current' | 'voltage' | 'temperature' | 'soc' | 'energy';

/** Chart of a quantity: of all connectors, or the phases of one. */
export interface HistoryChart {
  id: string;
  quantity: Quantity;
  /** Connector whose phases are shown. Undefined: of all connectors. */
  connectorNumber?: number | null;
  unit: string;
  /** Width of a value in seconds. */
  bucketSeconds: number;
  startsAtZero: boolean;
  isStepped: boolean;
  series: Series[];
}

/** Words of the legend. */
export interface SeriesNames {
  connector: (number: number | null) => string;
  phase: (name: string) => string;
}

const connectorColors = [
  '--series-1',
  '--series-2',
  '--series-3',
  '--series-4',
  '--series-5',
  '--series-6',
] as const;
const phaseColors = ['--series-4', '--series-5', '--series-6'] as const;

type Spread = { min: (number | null)[]; mean: (number | null)[]; max: (number | null)[] };

interface Line {
  id: string;
  title: string;
  color: `--${string}`;
  own: Omit<OwnSeries, 'bucketSeconds'>;
}

interface Draft extends Omit<HistoryChart, 'series' | 'bucketSeconds'> {
  /** Width of a value in seconds. Left out: the width of the buckets that were read. */
  bucketSeconds?: number;
  lines: Line[];
}

function line(id: string, title: string, color: Line['color'], { time }: Connector, spread: Spread): Line {
  return { id, title, color, own: { times: time, columns: [spread.mean, spread.min, spread.max] } };
}

/** Returns the colour of a connector, the same in every chart. */
export function connectorColor(number: number | null): `--${string}` {
  return (
    connectorColors[((number ?? 0) + connectorColors.length - 1) % connectorColors.length] ?? '--series-1'
  );
}

/** Drafts the chart of a quantity with one line per connector. */
function byConnector(
  quantity: Quantity,
  unit: string,
  startsAtZero: boolean,
  connectors: readonly Connector[],
  names: SeriesNames,
  read: (connector: Connector) => Spread | null,
): Draft {
  const lines = connectors.flatMap((connector) => {
    const spread = read(connector);
    const number = connector.connectorNumber;
    const id = `${quantity}-${number ?? 'charger'}`;
    return spread === null
      ? []
      : [line(id, names.connector(number), connectorColor(number), connector, spread)];
  });
  return { id: quantity, quantity, unit, startsAtZero, isStepped: false, lines };
}

/** Drafts a chart per connector with one line per phase, or one line where the charger reports no phases. */
function byPhase(
  quantity: 'current' | 'voltage',
  unit: string,
  connectors: readonly Connector[],
  names: SeriesNames,
  read: (connector: Connector) => { whole: Spread | null; phases: (Spread | null)[] },
): Draft[] {
  return connectors.map((connector) => {
    const number = connector.connectorNumber;
    const { whole, phases } = read(connector);
    const id = `${quantity}-${number ?? 'charger'}`;
    const ofPhases = phases.flatMap((spread, index) => {
      const name = names.phase(`L${index + 1}`);
      return spread === null
        ? []
        : [line(`${id}-${index + 1}`, name, phaseColors[index] ?? '--series-1', connector, spread)];
    });
    const ofWhole =
      whole === null ? [] : [line(id, names.connector(number), connectorColor(number), connector, whole)];
    return {
      id,
      quantity,
      connectorNumber: number,
      unit,
      startsAtZero: quantity === 'current',
      isStepped: false,
      lines: ofPhases.length > 0 ? ofPhases : ofWhole,
    };
  });
}

/** Drafts the chart of the energy, whose buckets are at least as wide as the interval of the readings. */
function energy(connectors: readonly Connector[], bucketSeconds: number, names: SeriesNames): Draft {
  const reported = connectors.flatMap(({ connectorNumber, energyKwh, time }) =>
    energyKwh === null ? [] : [{ connectorNumber, energyKwh, time }],
  );
  const interval = Math.max(...reported.map(({ time }) => readingInterval(time)), bucketSeconds);
  const width = roundWidth(interval, bucketSeconds);
  const lines = reported.map(({ connectorNumber, energyKwh, time }): Line => {
    const sums = sumsOf(time, energyKwh, width);
    return {
      id: `energy-${connectorNumber ?? 'charger'}`,
      title: names.connector(connectorNumber),
      color: connectorColor(connectorNumber),
      own: { times: [...sums.keys()], columns: [[...sums.values()]] },
    };
  });
  const shape = { quantity: 'energy', unit: 'kWh', startsAtZero: true, isStepped: true } as const;
  return { id: 'energy', ...shape, bucketSeconds: width, lines };
}

/** Returns the narrowest multiple of a width that is not below a duration, in whole minutes, or from 10 minutes on in multiples of 5. */
function roundWidth(least: number, bucketSeconds: number): number {
  let width = bucketSeconds * Math.ceil(least / bucketSeconds);
  while (width % (width < 60 ? 1 : width < 600 ? 60 : 300) !== 0) width += bucketSeconds;
  return width;
}

/** Sums values in buckets of a width, by the start of the bucket. */
function sumsOf(times: readonly number[], values: readonly (number | null)[], width: number) {
  const sums = new Map<number, number>();
  for (const [index, time] of times.entries()) {
    const value = values[index] ?? null;
    const start = Math.floor(time / width) * width;
    if (value !== null) sums.set(start, (sums.get(start) ?? 0) + value);
  }
  return sums;
}

/** Returns the charts of the quantities that have values, all at the same times. */
export function chartsOf(
  connectors: readonly Connector[],
  bucketSeconds: number,
  names: SeriesNames,
): { times: number[]; charts: HistoryChart[] } {
  const drafts = [
    byConnector('power', 'kW', true, connectors, names, ({ powerKw }) => powerKw),
    energy(connectors, bucketSeconds, names),
    ...byPhase('current', 'A', connectors, names, (from) => ({
      whole: from.currentA,
      phases: [from.currentL1A, from.currentL2A, from.currentL3A],
    })),
    ...byPhase('voltage', 'V', connectors, names, (from) => ({
      whole: from.voltageV,
      phases: [from.voltageL1V, from.voltageL2V, from.voltageL3V],
    })),
    byConnector('soc', '%', true, connectors, names, ({ socPercent }) => socPercent),
    byConnector('temperature', '°C', false, connectors, names, ({ temperatureC }) => temperatureC),
  ].filter(({ lines }) => lines.length > 0);
  const placed = placeSeries(
    drafts.flatMap(({ lines, bucketSeconds: width = bucketSeconds }) =>
      lines.map(({ own }) => ({ ...own, bucketSeconds: width })),
    ),
  );
  let next = 0;
  const charts = drafts.map(({ lines, ...chart }) => ({
    bucketSeconds,
    ...chart,
    series: lines.map(({ id, title, color }): Series => {
      const [mean = [], minimum, maximum] = placed.series[next] ?? [];
      next += 1;
      return {
        id,
        title,
        unit: chart.unit,
        color,
        mean,
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
      };
    }),
  }));
  return { times: placed.times, charts };
}
