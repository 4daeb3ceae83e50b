import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QueryPending } from '../../../ui/notice.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import type { TimeRange } from '../../../ui/chart/series.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { isRunning, type Part, seriesQuery, type SessionRef } from '../session-queries.ts';
import { type CurveId, curveIds, curvesOf } from './curves.ts';
import styles from './session-chart.module.css';

const Curves = lazy(async () => ({ default: (await import('./session-curves.tsx')).SessionCurves }));
const Table = lazy(async () => ({ default: (await import('./readings-table.tsx')).ReadingsTable }));

/** Heights of the charts in px: the power is looked at first. */
const heightOf = (id: CurveId) => (id === 'power' ? 150 : 100);
const captionHeight = 22;

/** Enough for the width of a large screen, and still drawn at once. */
const points = Math.min(2000, Math.max(300, window.innerWidth));

interface Props {
  session: SessionRef;
  /** Part that was brushed. */
  part: Part;
  onPart: (part: Part) => void;
}

/** Course of a session: its readings on one time axis with its events. */
export function SessionChart({ session, part, onPart }: Props) {
  const { t } = useTranslation(['session', 'common']);
  const [isTable, setTable] = useState(false);
  const isPart = part.from !== undefined;
  const { data, error, refetch } = useQuery(seriesQuery(session, points, part));
  const readings = data?.connectors[0];
  const curves = useMemo(() => (readings === undefined ? [] : curvesOf(readings)), [readings]);
  const zoom = (range: TimeRange | null) =>
    onPart(range === null ? {} : { from: iso(range.from), to: iso(range.to) });
  const shownIds: readonly CurveId[] = data === undefined ? curveIds : curves.map(({ id }) => id);
  const height = shownIds.reduce((sum, id) => sum + heightOf(id) + captionHeight, 0);
  return (
    <Card
      title={t('chart.title')}
      actions={
        <>
          {isPart && (
            <Button kind="quiet" onPress={() => zoom(null)}>
              {t('chart.reset')}
            </Button>
          )}
          {curves.length > 0 && (
            <Button kind="quiet" onPress={() => setTable(!isTable)}>
              {t(isTable ? 'common:action.showChart' : 'common:action.showTable')}
            </Button>
          )}
        </>
      }
    >
      {data === undefined ? (
        <QueryPending query={{ error, refetch }} height={height} />
      ) : readings === undefined || curves.length === 0 ? (
        <p className={styles['empty']}>{t(isRunning(session) ? 'chart.notYet' : 'chart.empty')}</p>
      ) : (
        <Suspense fallback={<Skeleton height={height} />}>
          {isTable ? (
            <Table readings={readings} />
          ) : (
            <Curves
              session={session}
              curves={curves}
              bucketSeconds={data.bucketSeconds}
              range={{ from: seconds(data.from), to: Math.max(seconds(data.to), seconds(data.from) + 60) }}
              heightOf={heightOf}
              onZoom={zoom}
            />
          )}
        </Suspense>
      )}
    </Card>
  );
}

const iso = (time: number) => new Date(Math.round(time) * 1000).toISOString();
const seconds = (time: string) => Date.parse(time) / 1000;
