import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimeRange } from '../../../ui/chart/series.ts';
import { TimeChart } from '../../../ui/chart/time-chart.tsx';
import { type SessionRef, timelineQuery } from '../session-queries.ts';
import { type Curve, type CurveId, usualStep } from './curves.ts';
import styles from './session-chart.module.css';
import type { TFunction } from 'i18next';
import type { Schemas } from '../../../api/client.ts';
import type { Mark } from '../../../ui/chart/marks.ts';
import { entryTitle } from '../timeline/entry-words.ts';

type Entry = Schemas['SessionTimelineEntry'];

/** Events that explain the course of the readings, with their colours. Only the timeline has the others. */
const colors: Partial<Record<Entry['type'], Mark['color']>> = {
  started: '--state-available',
  'first-energy': '--state-occupied',
  idle: '--state-unavailable',
  disconnected: '--state-offline',
  connected: '--state-offline',
  command: '--state-reserved',
  'limit-reached': '--state-faulted',
  stopped: '--state-faulted',
};

/** Returns the marks of a timeline. */
function eventMarks(t: TFunction<['session', 'common']>, entries: readonly Entry[]): Mark[] {
  return entries.flatMap((entry) => {
    const color = colors[entry.type];
    return color === undefined
      ? []
      : [{ time: Date.parse(entry.time) / 1000, color, title: entryTitle(t, entry) }];
  });
}

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
          marks={marks}
        />
      ))}
    </div>
  );
}
