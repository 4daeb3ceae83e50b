import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimeRange } from '../../ui/chart/series.ts';
import { TimeChart } from '../../ui/chart/time-chart.tsx';
import { Select } from '../../ui/field.tsx';
import { QueryPending } from '../../ui/notice.tsx';
import { loadHistoryQuery, type LoadSite } from './load-queries.ts';
import styles from './load.module.css';

const ranges = ['6', '24', '168', '720'] as const;
type Hours = (typeof ranges)[number];

/** Load of a circuit against its limit over time, for each phase. */
export function LoadHistory({ site }: { site: LoadSite }) {
  const { t } = useTranslation('load');
  const [circuitId, setCircuit] = useState(site.circuits[0]?.id ?? '');
  const [hours, setHours] = useState<Hours>('24');
  const [zoom, setZoom] = useState<TimeRange | null>(null);
  const query = useQuery(loadHistoryQuery(site.id, circuitId, Number(hours)));
  const { data } = query;
  const charts = useMemo(
    () =>
      (data?.phases ?? []).map(({ phase, points }) => ({
        phase,
        times: points.map(({ at }) => Date.parse(at) / 1000),
        series: [
          {
            id: 'limit',
            title: t('history.limit'),
            unit: 'A',
            color: '--series-6' as const,
            mean: points.map(({ limitAmps }) => limitAmps),
          },
          {
            id: 'load',
            title: t('history.load'),
            unit: 'A',
            color: '--series-1' as const,
            mean: points.map(({ loadAmps }) => loadAmps),
            minimum: points.map(({ loadAmps }) => loadAmps),
            maximum: points.map(({ maxLoadAmps }) => maxLoadAmps),
          },
          {
            id: 'other',
            title: t('history.other'),
            unit: 'A',
            color: '--series-2' as const,
            mean: points.map(({ otherAmps }) => otherAmps),
          },
        ],
      })),
    [data, t],
  );
  return (
    <div className={styles['history']}>
      <div className={styles['choices']}>
        <Select
          label={t('circuit')}
          options={site.circuits.map(({ id, name }) => ({ id, text: name }))}
          value={circuitId}
          onChange={setCircuit}
        />
        <Select
          label={t('history.range')}
          options={ranges.map((id) => ({ id, text: t(`history.hours.${id}`) }))}
          value={hours}
          onChange={(id) => {
            setHours(id);
            setZoom(null);
          }}
        />
      </div>
      {data === undefined ? (
        <QueryPending query={query} height={480} />
      ) : (
        charts.map(({ phase, times, series }) => (
          <TimeChart
            key={phase}
            title={`${phase} (A)`}
            times={times}
            series={series}
            range={zoom ?? { from: data.from, to: data.to }}
            bucketSeconds={data.everySeconds}
            syncKey={`load-${site.id}`}
            onZoom={setZoom}
            startsAtZero
            timeZone={site.timeZone}
          />
        ))
      )}
    </div>
  );
}
