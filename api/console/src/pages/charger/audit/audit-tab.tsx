import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchChange } from '../../../app/use-search-change.ts';
import { bodies, type Schemas } from '../../../api/client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { FilterSelect } from '../../../ui/field.tsx';
import { useMedia } from '../../../ui/media.ts';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { TabProps } from '../tabs.tsx';
import { AuditDetails } from './audit-details.tsx';
import { useAuditColumns } from './audit-columns.tsx';
import styles from './audit.module.css';

export type AuditEntry = Schemas['AuditLogEntry'];

const pageSize = 100;
/** Categories of the entries of a charger. */
const categories = ['charger', 'command'] as const;

/** Entries of the audit log about a charger, newest first. */
export function AuditTab({ charger }: TabProps) {
  const { t } = useTranslation(['audit', 'common']);
  const { auditCategory, entry } = useSearch({ from: '/signed-in/fleet/chargers/$uuid' });
  const isPhone = useMedia('(max-width: 700px)');
  const category = categories.find((each) => each === auditCategory);
  const columns = useAuditColumns(isPhone);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['audit-log', charger.id, category],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) => {
      const query = { resourceId: charger.id, page, pageSize, ...(category !== undefined && { category }) };
      return bodies.GET('/cpms/v1/audit-log', { params: { query }, signal });
    },
    getNextPageParam: ({ pagination: { page, totalPages } }) => (page < totalPages ? page + 1 : undefined),
  });
  const entries = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const opened = entries.find(({ id }) => String(id) === entry);
  const change: (changed: { auditCategory?: string | undefined; entry?: string | undefined }) => void =
    useSearchChange();
  const onRange = useCallback(
    (_first: number, last: number) => {
      if (hasNextPage && !isFetchingNextPage && last >= entries.length - 20) void fetchNextPage();
    },
    [hasNextPage, isFetchingNextPage, fetchNextPage, entries.length],
  );

  return (
    <div className={styles['audit']}>
      <div className={styles['filter']}>
        <FilterSelect
          label={t('category.label')}
          hidesLabel
          any={t('category.all')}
          options={categories.map((id) => ({ id, text: t(`category.${id}`) }))}
          value={category}
          onChange={(auditCategory) => change({ auditCategory })}
        />
      </div>
      <div className={styles['list']}>
        {error !== null ? (
          <ErrorNotice error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <Skeleton height={320} />
        ) : entries.length === 0 ? (
          <Empty title={t(category === undefined ? 'empty' : 'common:empty.filtered')} />
        ) : (
          <DataTable
            label={t('label')}
            columns={columns}
            count={data.pages[0]?.pagination.total ?? 0}
            rowAt={(index) => entries[index]}
            keyOf={({ id }) => String(id)}
            onRange={onRange}
            onOpen={({ id }) => change({ entry: String(id) })}
            selectedKey={entry}
            height={560}
          />
        )}
      </div>
      <Dialog
        title={opened?.description ?? ''}
        isOpen={opened !== undefined}
        onClose={() => change({ entry: undefined })}
        shape="side"
      >
        {opened !== undefined && <AuditDetails entry={opened} />}
      </Dialog>
    </div>
  );
}
