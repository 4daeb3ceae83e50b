import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useSearchChange } from '../../app/use-search-change.ts';
import { Download, ListFilter } from '../../ui/icons/icons.ts';
import { useCallback, useMemo, type ReactNode } from 'react';
import { usePageZone } from '../../texts/page-zone.ts';
import { useTranslation } from 'react-i18next';
import { bodies, type Schemas } from '../../api/client.ts';
import { keepWithin } from '../../api/keep-within.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import page from '../../ui/list-page.module.css';
import { useMedia } from '../../ui/media.ts';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { useAuditColumns } from '../charger/audit/audit-columns.tsx';
import { AuditDetails } from '../charger/audit/audit-details.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { type AuditSearch, auditQuery, isFiltered } from './audit-search.ts';
import type { operations } from '../../api/schema.d.ts';
import { Menu } from '../../ui/menu.tsx';

const pageSize = 100;
/** Rows that are shown as loading until the first page is there. */
const rowsAhead = 20;

/** The audit log: who did what to which object, newest first. */
export function AuditLogPage() {
  const { t } = useTranslation(['auditLog', 'common']);
  const search = useSearch({ from: '/signed-in/settings/audit-log' });
  const network = useNetworkQuery();
  const isPhone = useMedia('(max-width: 700px)');
  const columns = useAuditColumns(isPhone, true);
  const query = auditQuery(search, usePageZone());
  const list = useInfiniteQuery({
    queryKey: ['audit-log', 'all', network, query],
    placeholderData: keepWithin('audit-log', 'all', network),
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      bodies.GET('/cpms/v1/audit-log', {
        params: { query: { ...network, ...query, page: pageParam, pageSize } },
        signal,
      }),
    getNextPageParam: ({ pagination }) =>
      pagination.page < pagination.totalPages ? pagination.page + 1 : undefined,
  });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const entries = useMemo(() => data?.pages.flatMap((each) => each.data) ?? [], [data]);
  const opened = entries.find(({ id }) => String(id) === search.entry);
  const change: (changed: AuditSearch) => void = useSearchChange();
  const onRange = useCallback(
    (_first: number, last: number) => {
      if (hasNextPage && !isFetchingNextPage && last >= entries.length - rowsAhead) void fetchNextPage();
    },
    [hasNextPage, isFetchingNextPage, fetchNextPage, entries.length],
  );
  return (
    <div className={page['page']}>
      <header className={page['header']}>
        <h1>{t('title')}</h1>
        <ExportMenu query={{ ...network, ...query }}>
          <Button>
            <Download aria-hidden size={15} />
            {t('export')}
          </Button>
        </ExportMenu>
      </header>
      <AuditFilters search={search} onChange={change} />
      <StaleNotice query={list} />
      <div className={page['list']}>
        {error !== null && data === undefined ? (
          <ErrorNotice error={error} retry={() => void refetch()} />
        ) : data !== undefined && entries.length === 0 ? (
          <Empty title={t(isFiltered(search) ? 'common:empty.filtered' : 'empty')} />
        ) : (
          <DataTable
            label={t('title')}
            columns={columns}
            count={data?.pages[0]?.pagination.total ?? rowsAhead}
            rowAt={(index) => entries[index]}
            keyOf={({ id }) => String(id)}
            onRange={onRange}
            onOpen={({ id }) => change({ entry: String(id) })}
            selectedKey={search.entry}
          />
        )}
      </div>
      <Dialog
        title={opened?.description ?? ''}
        isOpen={opened !== undefined}
        onClose={() => change({ entry: undefined })}
        shape="side"
      >
        {opened !== undefined && (
          <>
            <EntryFilters entry={opened} onFilter={(filter) => change({ ...filter, entry: undefined })} />
            <AuditDetails entry={opened} />
          </>
        )}
      </Dialog>
    </div>
  );
}

type Query = NonNullable<operations['exportAuditLog']['parameters']['query']>;

/** Menu of the formats of an export: all entries of the shown filter, which the browser receives as a file. */
function ExportMenu({ query, children }: { query: Query; children: ReactNode }) {
  const { t } = useTranslation('auditLog');
  const download = (format: 'csv' | 'ndjson') => {
    const parameters = new URLSearchParams({ ...query, format });
    location.assign(`/cpms/v1/audit-log/export?${parameters.toString()}`);
  };
  return (
    <Menu
      label={t('export')}
      trigger={children}
      groups={[
        [
          { id: 'csv', text: t('csv'), onAction: () => download('csv') },
          { id: 'ndjson', text: t('ndjson'), onAction: () => download('ndjson') },
        ],
      ]}
    />
  );
}

/** Filters that an entry leads to: its actor and its object. */
function EntryFilters({
  entry: { userId, resourceId },
  onFilter,
}: {
  entry: Schemas['AuditLogEntry'];
  onFilter: (filter: AuditSearch) => void;
}) {
  const { t } = useTranslation('auditLog');
  return (
    <p className={page['actions']}>
      {userId !== null && (
        <Button kind="quiet" onPress={() => onFilter({ actor: userId })}>
          <ListFilter aria-hidden size={15} />
          {t('onlyActor')}
        </Button>
      )}
      {resourceId !== null && (
        <Button kind="quiet" onPress={() => onFilter({ object: resourceId })}>
          <ListFilter aria-hidden size={15} />
          {t('onlyObject')}
        </Button>
      )}
    </p>
  );
}
