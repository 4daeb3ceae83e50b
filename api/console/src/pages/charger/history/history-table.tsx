import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/notice.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { HistoryChart } from './history-charts.ts';

/** Numbers of the charts, newest first. */
export function HistoryTable({ times, charts }: { times: number[]; charts: HistoryChart[] }) {
  const { t } = useTranslation(['chargerHistory', 'common']);
  const formats = useFormats();
  const columns = useMemo((): Column<number>[] => {
    const ofSeries = charts.flatMap(({ quantity, connectorNumber, series, unit }) =>
      series.map(({ id, title, mean }) => {
        const name = t(`short.${quantity}`);
        const place =
          connectorNumber === undefined || connectorNumber === null
            ? title
            : `${t('connector', { number: connectorNumber })} ${title}`;
        return {
          id,
          title: `${name} (${unit}) · ${place}`,
          width: 210,
          isNumber: true,
          cell: (index: number) => formats.number(mean[index], 2),
        };
      }),
    );
    const time: Column<number> = {
      id: 'time',
      title: t('common:chart.time'),
      width: 200,
      cell: (index) => formats.dateTime((times[index] ?? 0) * 1000),
    };
    return [time, ...ofSeries];
  }, [charts, times, formats, t]);
  // Times at which a line only ends have no numbers.
  const rows = useMemo(
    () =>
      times.flatMap((_time, index) =>
        charts.some(({ series }) => series.some(({ mean }) => typeof mean[index] === 'number'))
          ? [index]
          : [],
      ),
    [times, charts],
  );
  if (rows.length === 0) return <Empty title={t('common:chart.noData')} />;
  return (
    <Card hasPadding={false}>
      <DataTable
        label={t('table')}
        columns={columns}
        count={rows.length}
        rowAt={(place) => rows[rows.length - 1 - place]}
        keyOf={String}
        height={560}
      />
    </Card>
  );
}
