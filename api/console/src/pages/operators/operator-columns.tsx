import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCaller, useNetworks } from '../../app/caller.tsx';
import { absent } from '../../texts/formats.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { OperatorActions } from './operator-actions.tsx';
import type { Operator } from './operator-queries.ts';

/** Returns the columns of the list of operators. */
export function useOperatorColumns(): Column<Operator>[] {
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
          role: { width: 100, phone: 86, cell: ({ role }) => t(`people:role.${role}`) },
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
          source: { width: 150, phone: false, cell: ({ issuer }) => issuer ?? t('ownPassword') },
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
