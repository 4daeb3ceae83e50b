import { useSearchChange } from '../../app/use-search-change.ts';
import { ListTable } from '../../ui/table/list-table.tsx';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from '../../ui/icons/icons.ts';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCountries } from './countries.ts';
import type { Schemas } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCan } from '../../app/caller.tsx';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { absent } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Empty } from '../../ui/notice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { ImportLink } from '../imports/import-link.tsx';
import page from '../../ui/list-page.module.css';
import { LocationDialog } from './location-dialog.tsx';
import { type LocationsSearch, readLocations } from './location-queries.ts';
import styles from './locations.module.css';

/** Rows shown as loading before the first page. */
const expectedRows = 20;
const states = ['all', 'true', 'false'] as const;

/** Locations of the caller's networks. */
export function LocationsPage() {
  const { t } = useTranslation(['locations', 'common']);
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/fleet/locations' });
  const network = useNetworkQuery();
  const mayWrite = useCan('cpms:write:locations');
  const [isCreating, setCreating] = useState(false);
  const { search: text, published } = search;
  const filter: LocationsSearch = {
    ...(text !== undefined && { search: text }),
    ...(published !== undefined && { published }),
  };
  const list = useCursorList<Schemas['Location']>(['locations', 'list', network, filter], (cursor) =>
    readLocations(filter, network, cursor),
  );
  const columns = useColumns();
  const change: (changed: { search?: string | undefined; published?: string | undefined }) => void =
    useSearchChange();
  const open = (uuid: string) => void navigate({ to: '/fleet/locations/$uuid', params: { uuid } });
  const isFiltered = text !== undefined || published !== undefined;
  return (
    <div className={`${styles['page']} ${styles['list']}`}>
      <header className={styles['header']}>
        <h1>{t('title')}</h1>
        <div className={page['actions']}>
          <ImportLink kind="locations" scope="cpms:write:locations" />
          {mayWrite && (
            <Button kind="primary" onPress={() => setCreating(true)}>
              <Plus aria-hidden size={15} />
              {t('create')}
            </Button>
          )}
        </div>
      </header>
      <StaleNotice query={list} />
      <div className={styles['filters']}>
        <SearchField
          label={t('search')}
          placeholder={t('searchHint')}
          value={text ?? ''}
          maxLength={100}
          onChange={(typed) => change({ search: typed })}
        />
        <Select
          label={t('state')}
          options={states.map((id) => ({
            id,
            text: t(id === 'all' ? 'all' : id === 'true' ? 'published' : 'hidden'),
          }))}
          value={states.find((id) => id === published) ?? 'all'}
          onChange={(id) => change({ published: id === 'all' ? undefined : id })}
        />
      </div>
      <div className={styles['table']}>
        <ListTable
          list={list}
          empty={
            <Empty title={t(isFiltered ? 'common:empty.filtered' : 'empty')}>
              {!isFiltered && <p>{t('emptyHint')}</p>}
            </Empty>
          }
          rowsAhead={expectedRows}
          label={t('title')}
          columns={columns}
          onOpen={({ id }) => open(id)}
        />
      </div>
      {isCreating && (
        <LocationDialog location={null} onSaved={({ id }) => open(id)} onClose={() => setCreating(false)} />
      )}
    </div>
  );
}

function useColumns(): Column<Schemas['Location']>[] {
  const { t } = useTranslation('locations');
  const countries = useCountries();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('field.name'),
        width: 200,
        phone: 170,
        grow: true,
        cell: ({ id, name }) => (
          <Link to="/fleet/locations/$uuid" params={{ uuid: id }}>
            {name}
          </Link>
        ),
      },
      {
        id: 'address',
        title: t('address'),
        width: 200,
        phone: false,
        grow: true,
        cell: ({ address }) => address,
      },
      {
        id: 'postalCode',
        title: t('field.postalCode'),
        width: 110,
        phone: false,
        cell: ({ postalCode }) => postalCode ?? absent,
      },
      { id: 'city', title: t('field.city'), width: 150, phone: 96, grow: true, cell: ({ city }) => city },
      {
        id: 'country',
        title: t('field.country'),
        width: 110,
        phone: false,
        grow: true,
        cell: ({ country }) => countries.find((each) => each.id === country)?.text ?? country,
      },
      {
        id: 'published',
        title: t('state'),
        width: 150,
        phone: 90,
        cell: ({ isPublished }) => t(isPublished ? 'published' : 'hidden'),
      },
      { id: 'zone', title: t('zone'), width: 160, phone: false, cell: ({ timeZone }) => timeZone },
      {
        id: 'updated',
        title: t('updated'),
        width: 130,
        phone: false,
        cell: ({ updatedAt }) => <RelativeTime value={updatedAt} />,
      },
    ],
    [t, countries],
  );
}
