import { driverSorts } from '#shared/domain/people/driver-order.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { ColumnChoice, useShownColumns } from '../../ui/table/column-choice.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import page from '../../ui/list-page.module.css';
import { sortOf, sortText } from '../../ui/table/sort.ts';
import { useDriverColumns } from './driver-columns.tsx';
import { DriverDialog } from './driver-dialog.tsx';

const pageSize = 100;
/** Rows shown as loading before the first page. */
const expectedRows = 30;

/** All drivers: search and the list. */
export function DriversPage() {
  const { t } = useTranslation(['drivers', 'people', 'common']);
  const navigate = useNavigate({ from: '/people/drivers' });
  const { search, sort: chosen } = useSearch({ from: '/signed-in/people/drivers' });
  const network = useNetworkQuery();
  const mayCreate = useCan('cpms:write:users');
  const sort = sortOf(driverSorts, chosen);
  const list = useCursorList(['drivers', network, search, sort], (cursor) =>
    body(
      api.GET('/cpms/v1/users', {
        params: {
          query: {
            ...network,
            pageSize,
            sort: sortText(sort),
            ...(search === undefined ? {} : { search }),
            ...(cursor === undefined ? {} : { cursor }),
          },
        },
      }),
    ),
  );
  const [isCreating, setCreating] = useState(false);
  const columns = useDriverColumns();
  const [shown, choose] = useShownColumns('drivers', columns);
  const change = (changed: { search?: string | undefined; sort?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  return (
    <div className={page['page']}>
      <header className={page['header']}>
        <h1>{t('title')}</h1>
        <div className={page['actions']}>
          <ColumnChoice columns={columns} shown={shown} onChoose={choose} />
          {mayCreate && (
            <Button kind="primary" onPress={() => setCreating(true)}>
              <UserPlus aria-hidden size={15} />
              {t('new.open')}
            </Button>
          )}
        </div>
      </header>
      <search className={page['search']} aria-label={t('people:filters')}>
        <SearchField
          label={t('people:search')}
          placeholder={t('searchHint')}
          value={search ?? ''}
          onChange={(text) => change({ search: text })}
        />
      </search>
      <StaleNotice query={list} />
      <div className={page['list']}>
        {list.error !== null && list.data === undefined ? (
          <ErrorNotice error={list.error} retry={() => void list.refetch()} />
        ) : list.data !== undefined && list.count === 0 ? (
          <Empty title={t(search === undefined ? 'empty' : 'common:empty.filtered')} />
        ) : (
          <DataTable
            key={`${search} ${chosen}`}
            label={t('title')}
            columns={columns}
            shown={shown}
            count={list.data === undefined ? expectedRows : list.count}
            rowAt={list.rowAt}
            keyOf={({ id }) => id}
            onRange={list.onRange}
            sort={sort}
            onSort={({ by, isDescending }) => change({ sort: sortText({ by, isDescending }) })}
            onOpen={({ id }) => void navigate({ to: '/people/drivers/$uuid', params: { uuid: id } })}
          />
        )}
      </div>
      {isCreating && (
        <DriverDialog
          driver={null}
          onDone={({ id }) => void navigate({ to: '/people/drivers/$uuid', params: { uuid: id } })}
          onClose={() => setCreating(false)}
        />
      )}
    </div>
  );
}
