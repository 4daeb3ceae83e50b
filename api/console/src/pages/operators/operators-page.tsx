import { roles } from '#shared/domain/access/roles.ts';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { UserPlus } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, body } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCaller } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import page from '../../ui/list-page.module.css';
import { useOperatorColumns } from './operator-columns.tsx';
import { OperatorDialog } from './operator-dialog.tsx';

/** Id of the option that does not filter. */
const any = 'any';
/** Rows shown as loading before the first page. */
const expectedRows = 10;

/** Accounts of operators: filters and the list. */
export function OperatorsPage() {
  const { t } = useTranslation(['operators', 'people', 'common']);
  const navigate = useNavigate({ from: '/people/operators' });
  const { search, role: chosenRole, state } = useSearch({ from: '/signed-in/people/operators' });
  const { grantableRoles } = useCaller();
  const role = roles.find((known) => known === chosenRole);
  const filter = {
    ...(search === undefined ? {} : { search }),
    ...(role === undefined ? {} : { role }),
    ...(state === 'enabled' || state === 'disabled' ? { isDisabled: state === 'disabled' } : {}),
  };
  const list = useCursorList(['operators', filter], (cursor) =>
    body(
      api.GET('/cpms/v1/operators', {
        params: { query: { ...filter, pageSize: 100, ...(cursor === undefined ? {} : { cursor }) } },
      }),
    ),
  );
  const [isCreating, setCreating] = useState(false);
  const columns = useOperatorColumns();
  const change = (changed: {
    search?: string | undefined;
    role?: string | undefined;
    state?: string | undefined;
  }) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const choice = (id: string) => (id === any ? undefined : id);
  return (
    <div className={page['page']}>
      <header className={page['header']}>
        <h1>{t('title')}</h1>
        <div className={page['actions']}>
          <Link to="/people/roles">{t('roles.link')}</Link>
          {grantableRoles.length > 0 && (
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
        <Select
          label={t('field.role')}
          options={[
            { id: any, text: t('people:any') },
            ...roles.map((id) => ({ id, text: t(`people:role.${id}`) })),
          ]}
          value={role ?? any}
          onChange={(id) => change({ role: choice(id) })}
        />
        <Select
          label={t('field.state')}
          options={[
            { id: any, text: t('people:any') },
            { id: 'enabled', text: t('enabled') },
            { id: 'disabled', text: t('disabled') },
          ]}
          value={state ?? any}
          onChange={(id) => change({ state: choice(id) })}
        />
      </search>
      <StaleNotice query={list} />
      <div className={page['list']}>
        {list.error !== null && list.data === undefined ? (
          <ErrorNotice error={list.error} retry={() => void list.refetch()} />
        ) : list.data !== undefined && list.count === 0 ? (
          <Empty title={t(Object.keys(filter).length === 0 ? 'empty' : 'common:empty.filtered')} />
        ) : (
          <DataTable
            label={t('title')}
            columns={columns}
            count={list.data === undefined ? expectedRows : list.count}
            rowAt={list.rowAt}
            keyOf={({ id }) => id}
            onRange={list.onRange}
            rowHeight={40}
          />
        )}
      </div>
      {isCreating && <OperatorDialog operator={null} onClose={() => setCreating(false)} />}
    </div>
  );
}
