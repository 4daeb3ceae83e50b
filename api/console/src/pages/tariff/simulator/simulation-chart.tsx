import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import type { TimeRange } from '../../../ui/chart/series.ts';
import { TimeChart } from '../../../ui/chart/time-chart.tsx';
import { type Amounts, costSeries, powerSeries } from './cost-series.ts';
import { chargingMinutes, type Part } from './simulated-session.ts';
import type { Simulation } from './use-simulation.ts';

interface Props {
  simulation: Simulation;
  charging: readonly Part[];
  amounts: Amounts;
  timeZone: string;
}

/** Cumulated cost by component over time, above the power. */
export function SimulationChart({ simulation, charging, amounts, timeZone }: Props) {
  const { t } = useTranslation(['session', 'tariffSimulator']);
  const formats = useFormats(timeZone);
  const [zoom, setZoom] = useState<TimeRange | null>(null);
  const { currency, series } = simulation;
  const times = useMemo(() => series.map(({ time }) => Date.parse(time) / 1000), [series]);
  const costs = useMemo(() => costSeries(t, formats, simulation, amounts), [t, formats, simulation, amounts]);
  const power = useMemo(
    () => [powerSeries(t('tariffSimulator:powerCurve'), simulation, charging)],
    [t, simulation, charging],
  );
  const marks = useMemo(
    () => [
      {
        time: (times[0] ?? 0) + chargingMinutes(charging) * 60,
        title: t('tariffSimulator:chargingEnds'),
        color: '--border-strong' as const,
      },
    ],
    [t, times, charging],
  );
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0];
  // The label of the last time needs room at the right.
  const range = zoom ?? { from, to: to + (to - from) * 0.03 };
  const shared = {
    times,
    range,
    bucketSeconds: Infinity,
    syncKey: 'tariff-simulation',
    onZoom: setZoom,
    startsAtZero: true,
    timeZone,
    marks,
  };
  return (
    <div>
      <TimeChart
        {...shared}
        title={`${t(`tariffSimulator:cost.${amounts}`)} (${currency})`}
        series={costs}
        height={200}
      />
      <TimeChart
        {...shared}
        title={`${t('tariffSimulator:powerCurve')} (kW)`}
        series={power}
        isStepped
        height={76}
      />
    </div>
  );
}
