import { PageList } from '../../ui/table/list-table.tsx';
import { idTokenTypes } from '#shared/domain/charging/session.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, body } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useNetworkQuery } from '../../app/network-switcher.tsx';
import { Empty } from '../../ui/notice.tsx';
import { ColumnChoice, useShownColumns } from '../../ui/table/column-choice.tsx';
import styles from '../people/list-page.module.css';
import { sortOf, sortText } from '../../ui/table/sort.ts';
import { useTokenColumns } from './token-columns.tsx';
import { TokenFilters, type TokenSearch } from './token-filters.tsx';
import { TokenPanel } from './token-panel.tsx';

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
export function OwnTokens() {
  const { t } = useTranslation(['tokens', 'common']);
  const navigate = useNavigate({ from: '/people/tokens' });
  const search = useSearch({ from: '/signed-in/people/tokens' });
  const network = useNetworkQuery();
  const filter = filterOf(search);
  const sort = sortOf(sorts, search.sort);
  const list = useCursorList(['tokens', 'list', network, filter, sort], (cursor) =>
    body(
      api.GET('/cpms/v1/id-tokens', {
        params: { query: { ...network, ...filter, pageSize, sort: sortText(sort), cursor } },
      }),
    ),
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
