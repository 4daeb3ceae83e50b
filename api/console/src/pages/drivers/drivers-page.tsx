import { useSearchChange } from '../../app/use-search-change.ts';
import { PageList } from '../../ui/table/list-table.tsx';
import { useNavigate, useSearch, Link } from '@tanstack/react-router';
import { UserPlus } from '../../ui/icons/icons.ts';
import { useState, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { bodies, type Schemas } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCan, useNetworks } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/notice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { ColumnChoice, useShownColumns } from '../../ui/table/column-choice.tsx';
import page from '../../ui/list-page.module.css';
import { sortOf, sortText } from '../../ui/table/sort.ts';
import { ImportLink } from '../imports/import-link.tsx';
import { DriverDialog } from './driver-dialog.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';

const pageSize = 100;
/** Columns of the order, the usual one first. */
const sorts = ['name', 'email', 'createdAt'] as const;

/** All drivers: search and the list. */
export function DriversPage() {
  const { t } = useTranslation(['drivers', 'people', 'common']);
  const navigate = useNavigate({ from: '/people/drivers' });
  const { search, sort: chosen } = useSearch({ from: '/signed-in/people/drivers' });
  const network = useNetworkQuery();
  const mayCreate = useCan('cpms:write:users');
  const sort = sortOf(sorts, chosen);
  const list = useCursorList(['drivers', network, search, sort], (cursor) =>
    bodies.GET('/cpms/v1/users', {
      params: { query: { ...network, pageSize, sort: sortText(sort), search, cursor } },
    }),
  );
  const [isCreating, setCreating] = useState(false);
  const columns = useDriverColumns();
  const [shown, choose] = useShownColumns('drivers', columns);
  const change: (changed: { search?: string | undefined; sort?: string }) => void = useSearchChange();
  return (
    <div className={page['page']}>
      <header className={page['header']}>
        <h1>{t('title')}</h1>
        <div className={page['actions']}>
          <ColumnChoice columns={columns} shown={shown} onChoose={choose} />
          <ImportLink kind="drivers" scope="cpms:write:users" />
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
      <PageList
        list={list}
        empty={<Empty title={t(search === undefined ? 'empty' : 'common:empty.filtered')} />}
        key={`${search} ${chosen}`}
        label={t('title')}
        columns={columns}
        shown={shown}
        sort={sort}
        onSort={({ by, isDescending }) => change({ sort: sortText({ by, isDescending }) })}
        onOpen={({ id }) => void navigate({ to: '/people/drivers/$uuid', params: { uuid: id } })}
      />
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

/** Returns the columns of the list of drivers. */
function useDriverColumns(): Column<Schemas['DriverSummary']>[] {
  const { t } = useTranslation(['drivers', 'people']);
  const formats = useFormats();
  const networks = useNetworks();
  return useMemo(
    () =>
      columnsOf(
        {
          name: {
            width: 180,
            phone: 120,
            grow: true,
            sortBy: 'name',
            cell: ({ id, name, isBlocked }) => (
              <>
                <Link to="/people/drivers/$uuid" params={{ uuid: id }}>
                  {name}
                </Link>
                {isBlocked && <StateBadge state="faulted" word={t('blocked')} />}
              </>
            ),
          },
          email: { width: 220, phone: 220, grow: true, sortBy: 'email', cell: ({ email }) => email },
          phone: { width: 150, phone: false, cell: ({ phone }) => phone ?? absent },
          externalId: { width: 160, phone: false, cell: ({ externalId }) => externalId ?? absent },
          language: { width: 110, phone: false, isShown: false, cell: ({ language }) => language ?? absent },
          network: {
            width: 150,
            phone: false,
            grow: true,
            isShown: networks.length > 1,
            cell: ({ networkUuid }) => networks.find(({ id }) => id === networkUuid)?.name ?? absent,
          },
          created: {
            width: 130,
            phone: false,
            sortBy: 'createdAt',
            cell: ({ createdAt }) => (
              <span title={formats.dateTime(createdAt)}>{formats.date(createdAt)}</span>
            ),
          },
        },
        (id) => (id === 'network' ? t('people:network') : t(`field.${id}`)),
      ),
    [t, formats, networks],
  );
}
