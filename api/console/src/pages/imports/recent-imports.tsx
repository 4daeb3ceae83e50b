import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Card } from '../../ui/card.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { ListTable } from '../../ui/table/list-table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { type KindName, readImports } from './import-queries.ts';

type Item = Schemas['ImportSummary'];

/** Earlier imports of a kind. Nothing before the first one. */
export function RecentImports({ kind, onOpen }: { kind: KindName; onOpen: (id: string) => void }) {
  const { t } = useTranslation('imports');
  const network = useNetworkQuery();
  const list = useCursorList(['imports', kind, network], (cursor) =>
    readImports({ ...network, kind }, cursor),
  );
  const columns = useImportColumns();
  if (list.error === null && list.count === 0) return null;
  return (
    <Card title={t('recent.title')} hasPadding={false}>
      <ListTable
        list={list}
        empty={null}
        rowsAhead={1}
        label={t('recent.title')}
        columns={columns}
        height={240}
        onOpen={({ id }) => onOpen(id)}
      />
    </Card>
  );
}

function useImportColumns(): Column<Item>[] {
  const { t } = useTranslation('imports');
  const formats = useFormats();
  return useMemo(
    () =>
      columnsOf(
        {
          file: { width: 220, phone: 130, grow: true, cell: ({ fileName }) => fileName },
          state: { width: 160, phone: 110, cell: ({ state }) => t(`states.${state}`) },
          rows: { width: 90, phone: false, isNumber: true, cell: ({ total }) => formats.integer(total) },
          by: { width: 160, phone: false, grow: true, cell: ({ createdBy }) => createdBy ?? absent },
          created: { width: 130, phone: 100, cell: ({ createdAt }) => <RelativeTime value={createdAt} /> },
        },
        (id) => t(`recent.${id}`),
      ),
    [t, formats],
  );
}
