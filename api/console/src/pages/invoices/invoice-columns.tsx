import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { absent, type Formats } from '../../texts/formats.ts';
import type { Column } from '../../ui/table/columns.ts';
import { InvoiceState } from './invoice-state.tsx';
import type { InvoiceRow } from './invoices-search.ts';

/** Columns of the list of invoices. `networkName`: names a network; undefined if the caller has only one. */
export function invoiceColumns(
  t: TFunction<'invoices'>,
  formats: Formats,
  networkName: ((uuid: string) => string) | undefined,
): Column<InvoiceRow>[] {
  const money = (
    id: 'net' | 'vat' | 'total' | 'due',
    of: (invoice: InvoiceRow) => number,
    isShown = true,
  ): Column<InvoiceRow> => ({
    id,
    title: t(`column.${id}`),
    width: 108,
    phone: id === 'total' ? 108 : false,
    isNumber: true,
    isShown,
    cell: (invoice) => formats.money(of(invoice), invoice.currency),
  });
  return [
    {
      id: 'number',
      title: t('column.number'),
      width: 124,
      cell: ({ id, invoiceNumber }) => (
        <Link to="/money/invoices/$uuid" params={{ uuid: id }}>
          {invoiceNumber}
        </Link>
      ),
    },
    {
      id: 'state',
      title: t('column.state'),
      width: 140,
      phone: 116,
      cell: ({ paymentState }) => <InvoiceState state={paymentState} />,
    },
    money('total', ({ totalInclVat }) => totalInclVat),
    money('due', ({ due }) => due),
    { id: 'kind', title: t('column.kind'), width: 140, phone: false, cell: ({ kind }) => t(`kind.${kind}`) },
    {
      id: 'issued',
      title: t('column.issued'),
      width: 208,
      phone: false,
      cell: ({ issuedAt }) => <time dateTime={issuedAt}>{formats.dateTime(issuedAt)}</time>,
    },
    {
      id: 'buyer',
      title: t('column.buyer'),
      width: 150,
      phone: false,
      grow: true,
      cell: ({ buyerName }) => buyerName ?? absent,
    },
    ...(networkName === undefined
      ? []
      : [
          {
            id: 'network',
            title: t('column.network'),
            width: 120,
            phone: false as const,
            grow: true,
            cell: ({ networkId }: InvoiceRow) => networkName(networkId),
          },
        ]),
    {
      id: 'sessions',
      title: t('column.sessions'),
      width: 116,
      phone: false,
      isNumber: true,
      cell: ({ transactionCount }) => formats.integer(transactionCount),
    },
    money('net', ({ totalExclVat }) => totalExclVat, false),
    money('vat', ({ totalVat }) => totalVat, false),
    { id: 'id', title: t('column.id'), width: 300, isShown: false, cell: ({ id }) => id },
  ];
}
