import type { TFunction } from 'i18next';
import type { Formats } from '../../../texts/formats.ts';
import type { Series } from '../../../ui/chart/series.ts';
import type { Part } from './simulated-session.ts';
import type { Simulation } from './use-simulation.ts';

export type Amounts = 'net' | 'gross';
type Kind = Simulation['components'][number]['kind'];

/** Kinds from the bottom of the plot to its top, each with its colour. */
const kindColors: readonly [Kind, Series['color']][] = [
  ['FLAT', '--series-3'],
  ['ENERGY', '--series-1'],
  ['TIME', '--series-2'],
  ['PARKING_TIME', '--series-4'],
  ['IDLE', '--series-5'],
  ['MIN_PRICE', '--series-6'],
  ['AMENDED', '--series-6'],
  ['MAX_PRICE', '--series-6'],
];

/** Returns the kinds that have an amount at some point, from the bottom to the top. */
export function kindsOf({ series }: Simulation): Kind[] {
  const found = new Set(series.flatMap(({ kinds }) => kinds.map(({ kind }) => kind)));
  return kindColors.flatMap(([kind]) => (found.has(kind) ? [kind] : []));
}

/** Returns the amount of a kind at a point. */
export function amountOf({ kinds }: Simulation['series'][number], wanted: Kind, amounts: Amounts): number {
  return Number(kinds.find(({ kind }) => kind === wanted)?.[amounts] ?? 0);
}

/** Returns the costs as stacked bands, one for each kind, and their total as a line. */
export function costSeries(
  t: TFunction<['session', 'tariffSimulator']>,
  formats: Formats,
  simulation: Simulation,
  amounts: Amounts,
): Series[] {
  const { series, currency } = simulation;
  const format = (value: number) => formats.money(value, currency);
  const colors = new Map(kindColors);
  let below = series.map(() => 0);
  const bands = kindsOf(simulation).map((kind): Series => {
    const shown = series.map((point) => amountOf(point, kind, amounts));
    const base = below;
    const top = shown.map((amount, index) => (base[index] ?? 0) + amount);
    below = top;
    return {
      id: kind,
      title: t(`price.kind.${kind}`),
      unit: currency,
      color: colors.get(kind) ?? '--series-1',
      mean: top,
      minimum: base.map((value, index) => Math.min(value, top[index] ?? 0)),
      maximum: base.map((value, index) => Math.max(value, top[index] ?? 0)),
      shown,
      format,
    };
  });
  const total: Series = {
    id: 'total',
    title: t('price.total'),
    unit: currency,
    color: '--text',
    mean: series.map((point) => Number(point[amounts])),
    format,
  };
  return [...bands, total];
}

/** Returns the power over the times of a simulation. */
export function powerSeries(title: string, { series }: Simulation, charging: readonly Part[]): Series {
  const start = Date.parse(series[0]?.time ?? '');
  const mean = series.map(({ time }) => {
    let rest = (Date.parse(time) - start) / 60_000;
    for (const { minutes, powerKw } of charging) {
      if (rest < minutes) return powerKw;
      rest -= minutes;
    }
    return 0;
  });
  return { id: 'power', title, unit: 'kW', color: '--series-2', mean };
}
