import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
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
  return columnsOf(
    {
      severity: { width: 116, phone: 102, cell: ({ severity }) => <Severity severity={severity} /> },
      status: { width: 112, phone: false, cell: ({ status }) => t(`status.${status}`) },
      kind: { width: 190, phone: 158, grow: true, cell: ({ kind }) => t(`kind.${kind}`) },
      object: { width: 140, phone: 96, grow: true, cell: (alert) => <AlertObject alert={alert} /> },
      message: {
        width: 260,
        phone: false,
        grow: true,
        cell: ({ message }) => <span title={message}>{message}</span>,
      },
      delivery: { width: 110, phone: false, cell: ({ delivery }) => t(`delivery.${delivery}`) },
      last: {
        width: 120,
        phone: false,
        cell: ({ lastOccurredAt }) => <RelativeTime value={lastOccurredAt} />,
      },
    },
    (id) => t(`columns.${id}`),
  );
}
