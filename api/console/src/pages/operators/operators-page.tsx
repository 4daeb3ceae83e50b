import { useSearchChange } from '../../app/use-search-change.ts';
import { PageList } from '../../ui/table/list-table.tsx';
import { operatorRoles } from '#shared/domain/access/roles.ts';
import { Link, useSearch } from '@tanstack/react-router';
import { UserPlus } from '../../ui/icons/icons.ts';
import { useState, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { bodies } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { useCaller, useNetworks } from '../../app/caller.tsx';
import { Button } from '../../ui/button.tsx';
import { FilterSelect } from '../../ui/field.tsx';
import { Empty } from '../../ui/notice.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import page from '../../ui/list-page.module.css';
import { OperatorDialog } from './operator-dialog.tsx';
import { absent } from '../../texts/formats.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { OperatorActions } from './operator-actions.tsx';
import type { Operator } from './operator-queries.ts';

/** Accounts of operators: filters and the list. */
export function OperatorsPage() {
  const { t } = useTranslation(['operators', 'people', 'common']);
  const { search, role: chosenRole, state } = useSearch({ from: '/signed-in/people/operators' });
  const { grantableRoles } = useCaller();
  const role = operatorRoles.find((known) => known === chosenRole);
  const filter = {
    ...(search === undefined ? {} : { search }),
    ...(role === undefined ? {} : { role }),
    ...(state === 'enabled' || state === 'disabled' ? { isDisabled: state === 'disabled' } : {}),
  };
  const list = useCursorList(['operators', filter], (cursor) =>
    bodies.GET('/cpms/v1/operators', { params: { query: { ...filter, pageSize: 100, cursor } } }),
  );
  const [isCreating, setCreating] = useState(false);
  const columns = useOperatorColumns();
  const change: (changed: {
    search?: string | undefined;
    role?: string | undefined;
    state?: string | undefined;
  }) => void = useSearchChange();
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
        <FilterSelect
          label={t('field.role')}
          any={t('people:any')}
          options={operatorRoles.map((id) => ({ id, text: t(`people:role.${id}`) }))}
          value={role}
          onChange={(role) => change({ role })}
        />
        <FilterSelect
          label={t('field.state')}
          any={t('people:any')}
          options={[
            { id: 'enabled', text: t('enabled') },
            { id: 'disabled', text: t('disabled') },
          ]}
          value={state}
          onChange={(state) => change({ state })}
        />
      </search>
      <PageList
        list={list}
        empty={<Empty title={t(Object.keys(filter).length === 0 ? 'empty' : 'common:empty.filtered')} />}
        label={t('title')}
        columns={columns}
        rowHeight={40}
      />
      {isCreating && <OperatorDialog operator={null} onClose={() => setCreating(false)} />}
    </div>
  );
}

/** Returns the columns of the list of operators. */
function useOperatorColumns(): Column<Operator>[] {
  const { t } = useTranslation(['operators', 'people']);
  const { operatorId } = useCaller();
  const networks = useNetworks();
  return useMemo(
    () =>
      columnsOf(
        {
          name: {
            width: 180,
            phone: 96,
            grow: true,
            cell: ({ id, name }) => (id === operatorId ? `${name} · ${t('you')}` : name),
          },
          email: { width: 220, phone: false, grow: true, cell: ({ email }) => email ?? absent },
          role: {
            width: 100,
            phone: 86,
            cell: ({ role, customRole }) => customRole?.name ?? t(`people:role.${role}`),
          },
          networks: {
            width: 160,
            phone: false,
            grow: true,
            cell: (operator) => <Reach operator={operator} names={networks} />,
          },
          state: {
            width: 120,
            phone: 98,
            cell: ({ isDisabled }) => (
              <StateBadge
                state={isDisabled ? 'unavailable' : 'available'}
                word={t(isDisabled ? 'disabled' : 'enabled')}
              />
            ),
          },
          lastLogin: {
            width: 130,
            phone: false,
            cell: ({ lastLoginAt }) =>
              lastLoginAt === null ? t('never') : <RelativeTime value={lastLoginAt} />,
          },
          source: {
            width: 150,
            phone: false,
            cell: ({ issuer, hasSecondFactor }) =>
              issuer ?? t(hasSecondFactor ? 'ownPasswordAndFactor' : 'ownPassword'),
          },
          actions: { width: 90, phone: 76, cell: (operator) => <OperatorActions operator={operator} /> },
        },
        (id) => (id === 'actions' ? t('people:actions') : t(`field.${id}`)),
      ),
    [t, operatorId, networks],
  );
}

function Reach({ operator, names }: { operator: Operator; names: readonly { id: string; name: string }[] }) {
  const { t } = useTranslation('operators');
  if (operator.unrestricted) return t('allNetworks');
  const shown = operator.networkUuids.map((uuid) => names.find(({ id }) => id === uuid)?.name ?? uuid);
  if (shown.length <= 2) return shown.join(', ');
  return <span title={shown.join('\n')}>{t('networkCount', { count: shown.length })}</span>;
}
