import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimeRange } from '../../../ui/chart/series.ts';
import { TimeChart } from '../../../ui/chart/time-chart.tsx';
import { useNetworkZone } from '../../../app/network-zone.ts';
import { type SessionRef, timelineQuery } from '../session-queries.ts';
import { type Curve, type CurveId, usualStep } from './curves.ts';
import { eventMarks } from './event-marks.ts';
import styles from './session-chart.module.css';

interface Props {
  session: SessionRef;
  curves: readonly Curve[];
  bucketSeconds: number;
  range: TimeRange;
  heightOf: (id: CurveId) => number;
  onZoom: (range: TimeRange | null) => void;
}

/** Charts of a session below each other, with one cursor and the events of the timeline. */
export function SessionCurves({ session, curves, bucketSeconds, range, heightOf, onZoom }: Props) {
  const { t } = useTranslation(['session', 'common']);
  const zone = useNetworkZone(session.networkUuid);
  const entries = useQuery(timelineQuery(session)).data?.entries;
  const marks = useMemo(() => eventMarks(t, entries ?? []), [t, entries]);
  const charts = useMemo(
    () =>
      curves.map(({ id, times, lines }) => ({
        id,
        times,
        step: usualStep(times, bucketSeconds),
        series: lines.map(({ phase, ...line }) => ({
          ...line,
          id: `${id}-${phase}`,
          title: phase === 0 ? t(`chart.${id}`) : t('chart.phase', { phase }),
        })),
      })),
    [curves, bucketSeconds, t],
  );
  return (
    <div className={styles['curves']}>
      {charts.map(({ id, times, step, series }) => (
        <TimeChart
          key={id}
          title={`${t(`chart.${id}`)} (${series[0]?.unit ?? ''})`}
          times={times}
          series={series}
          range={range}
          bucketSeconds={step}
          syncKey={`session-${session.id}`}
          onZoom={onZoom}
          startsAtZero={id !== 'voltage'}
          height={heightOf(id)}
          timeZone={zone}
          marks={marks}
        />
      ))}
    </div>
  );
}
