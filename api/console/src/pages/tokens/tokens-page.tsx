import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import page from '../../ui/list-page.module.css';
import { ImportLink } from '../imports/import-link.tsx';
import { PartnerTokens } from './partner-tokens.tsx';
import { TokenDialog } from './token-dialog.tsx';
import { PageList } from '../../ui/table/list-table.tsx';
import { idTokenTypes } from '#shared/domain/charging/session.ts';
import { bodies } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Empty } from '../../ui/notice.tsx';
import { ColumnChoice, useShownColumns } from '../../ui/table/column-choice.tsx';
import styles from '../people/list-page.module.css';
import { sortOf, sortText } from '../../ui/table/sort.ts';
import { useTokenColumns } from './token-columns.tsx';
import { TokenPanel } from './token-panel.tsx';
import { bound } from '../../ui/bound.ts';
import { FilterSelect } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { DriverChoice } from '../../ui/driver-choice.tsx';

const pageSize = 100;
/** Columns of the order, the usual one first. */
const sorts = ['uid', 'createdAt'] as const;

/** Returns the filters of the API; values of the address that it does not know are left out. */
function filterOf({ search, type, valid, driver, group }: TokenSearch) {
  const tokenType = idTokenTypes.find((known) => known === type);
  return {
    ...(search === undefined ? {} : { search }),
    ...(tokenType === undefined ? {} : { tokenType }),
    ...(valid === 'true' || valid === 'false' ? { valid: valid === 'true' } : {}),
    ...(driver === undefined ? {} : { userId: driver }),
    ...(group === undefined ? {} : { groupId: group }),
  };
}

/** Tokens of the caller's networks: filters, the list, and the chosen token next to it. */
function OwnTokens() {
  const { t } = useTranslation(['tokens', 'common']);
  const navigate = useNavigate({ from: '/people/tokens' });
  const search = useSearch({ from: '/signed-in/people/tokens' });
  const network = useNetworkQuery();
  const filter = filterOf(search);
  const sort = sortOf(sorts, search.sort);
  const list = useCursorList(['tokens', 'list', network, filter, sort], (cursor) =>
    bodies.GET('/cpms/v1/id-tokens', {
      params: { query: { ...network, ...filter, pageSize, sort: sortText(sort), cursor } },
    }),
  );
  const columns = useTokenColumns();
  const [shown, choose] = useShownColumns('tokens', columns);
  const change = (changed: TokenSearch & { sort?: string; token?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false });
  return (
    <div className={styles['panel']}>
      <div className={styles['bar']}>
        <TokenFilters search={search} onChange={change} />
        <ColumnChoice columns={columns} shown={shown} onChoose={choose} />
      </div>
      <PageList
        list={list}
        empty={<Empty title={t(Object.keys(filter).length === 0 ? 'empty' : 'common:empty.filtered')} />}
        key={JSON.stringify([filter, sort])}
        label={t('title')}
        columns={columns}
        shown={shown}
        sort={sort}
        onSort={({ by, isDescending }) => change({ sort: sortText({ by, isDescending }) })}
        onOpen={({ id }) => change({ token: id })}
        selectedKey={search.token}
      />
      {search.token !== undefined && (
        <TokenPanel uuid={search.token} onClose={() => change({ token: undefined })} />
      )}
    </div>
  );
}

interface TokenSearch {
  search?: string | undefined;
  type?: string | undefined;
  valid?: string | undefined;
  driver?: string | undefined;
  group?: string | undefined;
}

/** Filters of the list of tokens; the address holds them. */
function TokenFilters({
  search,
  onChange,
}: {
  search: TokenSearch;
  onChange: (changed: TokenSearch) => void;
}) {
  const { t } = useTranslation(['tokens', 'people']);
  const readsDrivers = useCan('cpms:read:users');
  return (
    <search className={page['search']} aria-label={t('people:filters')}>
      <SearchField
        label={t('people:search')}
        placeholder={t('searchHint')}
        value={search.search ?? ''}
        onChange={(text) => onChange({ search: text })}
      />
      <FilterSelect
        label={t('field.type')}
        any={t('people:any')}
        options={idTokenTypes.map((id) => ({ id, text: t(`type.${id}`) }))}
        value={search.type}
        onChange={(type) => onChange({ type })}
      />
      <FilterSelect
        label={t('field.state')}
        any={t('people:any')}
        options={[
          { id: 'true', text: t('validity.valid') },
          { id: 'false', text: t('validity.invalid') },
        ]}
        value={search.valid}
        onChange={(valid) => onChange({ valid })}
      />
      {readsDrivers && (
        <DriverChoice
          label={t('field.driver')}
          placeholder={t('people:any')}
          {...bound(search, onChange, 'driver')}
        />
      )}
      <SearchField
        label={t('field.group')}
        placeholder={t('people:any')}
        value={search.group ?? ''}
        onChange={(group) => onChange({ group })}
      />
    </search>
  );
}

const contents = { own: () => <OwnTokens />, partners: () => <PartnerTokens /> };

/** Tokens: those of the caller's networks, and those of roaming partners. */
export function TokensPage() {
  const { t } = useTranslation('tokens');
  const navigate = useNavigate({ from: '/people/tokens' });
  const { tab } = useSearch({ from: '/signed-in/people/tokens' });
  const mayCreate = useCan('cpms:write:id-tokens');
  const readsPartners = useCan('cpms:read:ocpi-partners');
  const [isCreating, setCreating] = useState(false);
  return (
    <div className={page['page']}>
      <header className={page['header']}>
        <h1>{t('title')}</h1>
        <div className={page['actions']}>
          <ImportLink kind="tokens" scope="cpms:write:id-tokens" />
          {mayCreate && (
            <Button kind="primary" onPress={() => setCreating(true)}>
              <Plus aria-hidden size={15} />
              {t('new.open')}
            </Button>
          )}
        </div>
      </header>
      {readsPartners ? (
        <Tabs
          label={t('title')}
          selected={tab === 'partners' ? 'partners' : 'own'}
          onSelect={(id) => void navigate({ search: id === 'own' ? {} : { tab: id } })}
          tabs={[
            { id: 'own', title: t('tabs.own'), content: contents.own },
            { id: 'partners', title: t('tabs.partners'), content: contents.partners },
          ]}
        />
      ) : (
        <OwnTokens />
      )}
      {isCreating && <TokenDialog token={null} onClose={() => setCreating(false)} />}
    </div>
  );
}
