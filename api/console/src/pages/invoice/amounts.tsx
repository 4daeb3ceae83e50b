import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import type { Invoice } from './invoice-page.tsx';
import styles from './amounts.module.css';

/** Amounts of an invoice: the total, its parts, and what is paid and due of it. */
export function Amounts({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices');
  const formats = useFormats();
  const { currency, totalInclVat, totalExclVat, totalVat, payment } = invoice;
  const amounts: [name: string, amount: number][] = [
    [t('invoice.total'), totalInclVat],
    [t('invoice.net'), totalExclVat],
    [t('invoice.vat'), totalVat],
    ...(payment.state === 'CREDITED'
      ? []
      : ([
          [t('invoice.paid'), payment.paid],
          [t('invoice.due'), payment.due],
        ] satisfies [string, number][])),
  ];
  return (
    <dl className={styles['amounts']} aria-label={t('invoice.figures')}>
      {amounts.map(([name, amount]) => (
        <div key={name} className={styles['amount']}>
          <dt>{name}</dt>
          <dd>{formats.money(amount, currency)}</dd>
        </div>
      ))}
    </dl>
  );
}
