import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../app/caller.tsx';
import { useFormats } from '../../../texts/formats.ts';
import type { TimeRange } from '../../../ui/chart/series.ts';
import { TimeChart } from '../../../ui/chart/time-chart.tsx';
import { useWidth } from '../../../ui/chart/use-width.ts';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { TabProps } from '../tabs.tsx';
import { chartsOf, type HistoryChart } from './history-charts.ts';
import { seriesQuery } from './history-queries.ts';
import { type HistoryRange, useHistoryRange } from './history-range.ts';
import { HistoryTable } from './history-table.tsx';
import { HistoryToolbar } from './history-toolbar.tsx';
import { StatusBand } from './status-band.tsx';
import { useShownConnectors } from './shown-connectors.ts';
import styles from './history.module.css';

/** Fewest buckets that the API makes, and most. */
const bounds = { least: 10, most: 2000 };

/** Charts and states of a charger on one time axis. */
export function History({ charger }: TabProps) {
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder);
  return (
    <div ref={holder} className={styles['history']}>
      {width === null ? (
        <Skeleton height={480} />
      ) : (
        <Plots charger={charger} points={Math.min(bounds.most, Math.max(bounds.least, width - 64))} />
      )}
    </div>
  );
}

/** Returns the time range that charts show: that of the data while it ends now. */
function shownRange({ fixed, seconds }: HistoryRange, end: string | undefined, now: number): TimeRange {
  if (fixed !== null) return fixed;
  const to = end === undefined ? now : Date.parse(end) / 1000;
  return { from: to - seconds, to };
}

function Plots({ charger, points }: { charger: TabProps['charger']; points: number }) {
  const { t } = useTranslation(['chargerHistory', 'common']);
  const { view } = useSearch({ from: '/signed-in/fleet/chargers/$uuid' });
  const navigate = useNavigate({ from: '/fleet/chargers/$uuid' });
  const control = useHistoryRange();
  const { range, zoom } = control;
  const connectors = useShownConnectors(charger);
  const mayRead = useCan('cpms:read:sessions');
  const { data, error, isPlaceholderData, isFetching, refetch, dataUpdatedAt } = useQuery({
    ...seriesQuery(charger.id, range, points),
    enabled: mayRead,
  });
  const { isShown } = connectors;
  const names = useMemo(
    () => ({
      connector: (number: number | null) =>
        number === null ? t('wholeCharger') : t('connector', { number }),
      phase: (name: string) => name,
    }),
    [t],
  );
  const drawn = useMemo(
    () =>
      data === undefined
        ? null
        : chartsOf(
            data.connectors.filter(({ connectorNumber }) => isShown(connectorNumber)),
            data.bucketSeconds,
            names,
          ),
    [data, isShown, names],
  );
  const shown = shownRange(range, data?.to, (dataUpdatedAt || performance.timeOrigin) / 1000);
  const isTable = view === 'table';
  return (
    <>
      <HistoryToolbar
        charger={charger}
        points={points}
        control={control}
        shown={shown}
        connectors={connectors}
        drawn={drawn}
        isLoading={isFetching && isPlaceholderData}
        isTable={isTable}
        onTable={(table) =>
          void navigate({
            search: ({ view: _view, ...before }) => (table ? { ...before, view: 'table' } : before),
            replace: true,
            resetScroll: false,
          })
        }
      />
      <StatusBand
        charger={charger}
        points={points}
        range={range}
        shown={shown}
        isShown={isShown}
        zoom={zoom}
        isTable={isTable}
      />
      {isTable && drawn !== null && <HistoryTable charts={drawn.charts} times={drawn.times} />}
      {mayRead && !isTable && (
        <MeterCharts
          drawn={drawn}
          error={data === undefined ? error : null}
          retry={() => void refetch()}
          shown={shown}
          zoom={zoom}
        />
      )}
    </>
  );
}

function MeterCharts({
  drawn,
  error,
  retry,
  shown,
  zoom,
}: {
  drawn: { times: number[]; charts: HistoryChart[] } | null;
  error: Error | null;
  retry: () => void;
  shown: TimeRange;
  zoom: (part: TimeRange | null) => void;
}) {
  const { t } = useTranslation(['chargerHistory', 'common']);
  const formats = useFormats();
  if (error !== null) return <ErrorNotice error={error} retry={retry} />;
  if (drawn === null) return [0, 1, 2].map((place) => <Skeleton key={place} height={180} />);
  if (drawn.charts.length === 0) return <Empty title={t('common:chart.noData')} />;
  const title = ({ quantity, connectorNumber, unit, bucketSeconds }: HistoryChart) => {
    const name = t(`quantity.${quantity}`, { unit, bucket: formats.exactDuration(bucketSeconds) });
    return connectorNumber === undefined || connectorNumber === null
      ? name
      : `${name} · ${t('connector', { number: connectorNumber })}`;
  };
  return drawn.charts.map((chart) => (
    <TimeChart
      key={chart.id}
      title={title(chart)}
      times={drawn.times}
      series={chart.series}
      range={shown}
      // The series have their gaps already.
      bucketSeconds={Number.POSITIVE_INFINITY}
      syncKey="charger-history"
      onZoom={zoom}
      startsAtZero={chart.startsAtZero}
      isStepped={chart.isStepped}
      height={chart.quantity === 'power' ? 200 : 140}
    />
  ));
}
