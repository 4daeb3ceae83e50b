import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { type Formats, useFormats } from '../../texts/formats.ts';
import { Card } from '../../ui/card.tsx';
import type { Column } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { Invoice } from './invoice-page.tsx';
import styles from './invoice-page.module.css';

type Line = Invoice['lineItems'][number];

/** Height of a row: the session, and its components below. */
const rowHeight = 48;
const maxHeight = 440;

/** Sessions on an invoice, each with its amount and the components that add up to it. */
export function Lines({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices');
  const formats = useFormats();
  const linksSessions = useCan('cpms:read:sessions');
  const { lineItems, currency } = invoice;
  const columns = useMemo(
    () => lineColumns(t, formats, currency, linksSessions),
    [t, formats, currency, linksSessions],
  );
  return (
    <Card title={t('invoice.lines')} hasPadding={false}>
      <DataTable
        label={t('invoice.lines')}
        columns={columns}
        count={lineItems.length}
        rowAt={(index) => lineItems[index]}
        keyOf={({ transactionId }) => transactionId}
        rowHeight={rowHeight}
        height={maxHeight}
      />
    </Card>
  );
}

function lineColumns(
  t: TFunction<'invoices'>,
  formats: Formats,
  currency: string,
  linksSessions: boolean,
): Column<Line>[] {
  const money = (id: 'net' | 'vat' | 'total', of: (line: Line) => number): Column<Line> => ({
    id,
    title: t(`column.${id}`),
    width: 108,
    phone: id === 'total' ? 92 : false,
    isNumber: true,
    cell: (line) => formats.money(of(line), currency),
  });
  return [
    {
      id: 'session',
      title: t('invoice.session'),
      width: 250,
      phone: 164,
      grow: true,
      cell: ({ transactionId, startedAt, chargerUid, locationName, components }) => {
        const name = `${formats.shortDateTime(startedAt)} · ${chargerUid}`;
        return (
          <span className={styles['line']}>
            <span>
              {linksSessions ? (
                <Link to="/charging/sessions/$uuid" params={{ uuid: transactionId }}>
                  {name}
                </Link>
              ) : (
                name
              )}
              {locationName !== null && ` · ${locationName}`}
            </span>
            <small>
              {components
                .map(
                  ({ type, exclVat }) =>
                    `${t(`invoice.component.${type}`)} ${formats.money(exclVat, currency)}`,
                )
                .join(' · ')}
            </small>
          </span>
        );
      },
    },
    {
      id: 'energy',
      title: t('invoice.energy'),
      width: 88,
      phone: 96,
      isNumber: true,
      cell: ({ energyKwh }) => formats.energy(energyKwh),
    },
    money('net', ({ exclVat }) => exclVat),
    money('vat', ({ vat }) => vat),
    money('total', ({ inclVat }) => inclVat),
  ];
}
