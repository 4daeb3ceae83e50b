import type { ChargerState } from '#shared/domain/fleet/charger-state.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { bodies, type Schemas } from '../../api/client.ts';
import { useCursorList } from '../../api/cursor-list.ts';
import { Card } from '../../ui/card.tsx';
import { Empty, QueryPending } from '../../ui/notice.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { partyName } from './parties.ts';

type Client = Schemas['OcpiHubClient'];

const states: Record<Client['status'], ChargerState> = {
  CONNECTED: 'available',
  OFFLINE: 'offline',
  PLANNED: 'reserved',
  SUSPENDED: 'faulted',
};

/** Parties behind a roaming hub, with the state of their connection. */
export function HubClients({ uuid }: { uuid: string }) {
  const { t } = useTranslation('roaming');
  const list = useCursorList(
    ['ocpi-partner', uuid, 'hub-clients'],
    (cursor) =>
      bodies.GET('/cpms/v1/ocpi-partners/{uuid}/hub-clients', {
        params: { path: { uuid }, query: { pageSize: 100, cursor } },
      }),
    { refetchInterval: 30_000 },
  );
  const columns = useColumns();
  return (
    <Card title={t('clients.title')} hasPadding={false}>
      <StaleNotice query={list} />
      {list.data === undefined ? (
        <QueryPending query={list} height={128} />
      ) : list.count === 0 ? (
        <Empty title={t('clients.none')} />
      ) : (
        <DataTable
          label={t('clients.title')}
          columns={columns}
          count={list.count}
          rowAt={list.rowAt}
          keyOf={(client) => `${partyName(client)} ${client.role}`}
          onRange={list.onRange}
          height={240}
        />
      )}
    </Card>
  );
}

function useColumns(): Column<Client>[] {
  const { t } = useTranslation(['roaming', 'tokens', 'common']);
  return useMemo(
    () => [
      { id: 'party', title: t('tokens:partners.party'), width: 110, phone: 90, cell: partyName },
      { id: 'role', title: t('column.role'), width: 110, phone: false, cell: ({ role }) => role },
      {
        id: 'state',
        title: t('tokens:field.state'),
        width: 160,
        phone: 120,
        grow: true,
        cell: ({ status }) => <StateBadge state={states[status]} word={t(`clients.state.${status}`)} />,
      },
      {
        id: 'carried',
        title: t('clients.carried'),
        width: 160,
        phone: 140,
        cell: ({ isGranted }) => t(isGranted ? 'common:yes' : 'common:no'),
      },
      {
        id: 'updated',
        title: t('tokens:partners.updated'),
        width: 170,
        phone: false,
        cell: ({ lastUpdated }) => <RelativeTime value={lastUpdated} />,
      },
    ],
    [t],
  );
}
