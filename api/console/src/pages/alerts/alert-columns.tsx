import type { TFunction } from 'i18next';
import { type Column, columnsOf } from '../../ui/table/columns.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { Acknowledge } from './acknowledge.tsx';
import type { OcppWords } from '../../texts/ocpp-words.ts';
import { alertDetail, AlertObject } from './alert-line.tsx';
import type { Alert } from './alerts-search.ts';
import { Severity } from './severity.tsx';

/** Columns of the list of alerts. */
export function alertColumns(t: TFunction<['alerts', 'common']>, words: OcppWords): Column<Alert>[] {
  return columnsOf(
    {
      severity: { width: 116, phone: 102, cell: ({ severity }) => <Severity severity={severity} /> },
      status: { width: 112, phone: false, cell: ({ status }) => t(`status.${status}`) },
      kind: { width: 218, phone: 140, grow: true, cell: ({ kind }) => t(`kind.${kind}`) },
      object: { width: 120, phone: 114, grow: true, cell: (alert) => <AlertObject alert={alert} /> },
      detail: {
        width: 176,
        phone: false,
        grow: true,
        cell: (alert) => <span title={alert.message}>{alertDetail(alert, words)}</span>,
      },
      delivery: { width: 136, phone: false, cell: ({ delivery }) => t(`delivery.${delivery}`) },
      last: {
        width: 120,
        phone: false,
        cell: ({ lastOccurredAt }) => <RelativeTime value={lastOccurredAt} />,
      },
      actions: { width: 130, phone: false, cell: (alert) => <Acknowledge alert={alert} /> },
    },
    (id) => t(`columns.${id}`),
  );
}
