import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import type { BandInterval, BandRow } from '../../../ui/chart/band.ts';
import { Card } from '../../../ui/card.tsx';
import { type Column, columnsOf } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';

interface Entry extends BandInterval {
  id: string;
  title: string;
}

/** States of the band as a table, newest first. */
export function StatesTable({ rows }: { rows: readonly BandRow[] }) {
  const { t } = useTranslation(['chargerHistory', 'common']);
  const formats = useFormats();
  const entries = useMemo(
    () =>
      rows
        .flatMap(({ id, title, intervals }) =>
          intervals.map((interval): Entry => ({ ...interval, id: `${id}-${interval.from}`, title })),
        )
        .toSorted((a, b) => b.from - a.from),
    [rows],
  );
  const columns = useMemo(
    (): Column<Entry>[] =>
      columnsOf(
        {
          from: { width: 200, cell: ({ from }) => formats.dateTime(from * 1000) },
          to: { width: 200, cell: ({ to }) => formats.dateTime(to * 1000) },
          duration: { width: 120, isNumber: true, cell: ({ from, to }) => formats.duration(to - from) },
          of: { width: 160, cell: ({ title }) => title },
          state: { width: 240, grow: true, cell: ({ text }) => text },
        },
        (id) => (id === 'from' ? t('common:range.from') : id === 'to' ? t('common:range.to') : t(id)),
      ),
    [t, formats],
  );
  return (
    <Card title={t('band')} hasPadding={false}>
      <DataTable
        label={t('band')}
        columns={columns}
        count={entries.length}
        rowAt={(index) => entries[index]}
        keyOf={({ id }) => id}
        height={400}
      />
    </Card>
  );
}
