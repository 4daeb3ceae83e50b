import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { Column } from '../../ui/table/columns.ts';
import { RelativeTime } from '../../ui/time.tsx';
import type { Alert } from './alerts-search.ts';
import { Severity } from './severity.tsx';

/** Object of an alert, which leads to its charger. */
export function AlertObject({ alert: { chargerId, resourceName } }: { alert: Alert }) {
  if (chargerId === null) return resourceName;
  return (
    <Link to="/fleet/chargers/$uuid" params={{ uuid: chargerId }}>
      {resourceName}
    </Link>
  );
}

/** Columns of the list of alerts. */
export function alertColumns(t: TFunction<['alerts', 'common']>): Column<Alert>[] {
  return [
    {
      id: 'severity',
      title: t('columns.severity'),
      width: 116,
      phone: 102,
      cell: ({ severity }) => <Severity severity={severity} />,
    },
    {
      id: 'status',
      title: t('columns.status'),
      width: 112,
      phone: false,
      cell: ({ status }) => t(`status.${status}`),
    },
    {
      id: 'kind',
      title: t('columns.kind'),
      width: 190,
      phone: 158,
      grow: true,
      cell: ({ kind }) => t(`kind.${kind}`),
    },
    {
      id: 'object',
      title: t('columns.object'),
      width: 140,
      phone: 96,
      grow: true,
      cell: (alert) => <AlertObject alert={alert} />,
    },
    {
      id: 'message',
      title: t('columns.message'),
      width: 260,
      phone: false,
      grow: true,
      cell: ({ message }) => <span title={message}>{message}</span>,
    },
    {
      id: 'delivery',
      title: t('columns.delivery'),
      width: 110,
      phone: false,
      cell: ({ delivery }) => t(`delivery.${delivery}`),
    },
    {
      id: 'last',
      title: t('columns.last'),
      width: 120,
      phone: false,
      cell: ({ lastOccurredAt }) => <RelativeTime value={lastOccurredAt} />,
    },
  ];
}
