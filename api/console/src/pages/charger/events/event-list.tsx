import { useTranslation } from 'react-i18next';
import type { useCursorList } from '../../../api/cursor-list.ts';
import { Card } from '../../../ui/card.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { StaleNotice } from '../../../ui/stale-notice.tsx';
import type { Column } from '../../../ui/table/columns.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';

/** Table of events, newest first. */
export function EventList<Event>({
  title,
  list,
  columns,
  keyOf,
}: {
  title: string;
  list: ReturnType<typeof useCursorList<Event>>;
  columns: readonly Column<Event>[];
  keyOf: (event: Event) => string;
}) {
  const { t } = useTranslation('deviceEvents');
  return (
    <Card hasPadding={false} title={title}>
      {list.isPending && <Skeleton height={160} />}
      {list.error !== null && list.data === undefined && (
        <ErrorNotice error={list.error} retry={() => void list.refetch()} />
      )}
      <StaleNotice query={list} />
      {list.data !== undefined && list.count === 0 && <Empty title={t('empty')} />}
      {list.count > 0 && (
        <DataTable
          label={title}
          columns={columns}
          count={list.count}
          rowAt={list.rowAt}
          keyOf={keyOf}
          onRange={list.onRange}
          height={360}
        />
      )}
    </Card>
  );
}
