import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import { Card } from '../../ui/card.tsx';
import type { Invoice } from './invoice-page.tsx';
import styles from './invoice-page.module.css';

/** VAT of an invoice by rate. */
export function Rates({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices');
  const formats = useFormats();
  const money = (amount: number) => formats.money(amount, invoice.currency);
  return (
    <Card title={t('invoice.rates')}>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">{t('invoice.rate')}</th>
            <th scope="col">{t('invoice.base')}</th>
            <th scope="col">{t('column.vat')}</th>
          </tr>
        </thead>
        <tbody>
          {invoice.vatRates.map(({ vatPercent, exclVat, vat }) => (
            <tr key={vatPercent}>
              <th scope="row">
                {vatPercent === null ? t('invoice.noVat') : formats.percent(vatPercent / 100)}
              </th>
              <td>{money(exclVat)}</td>
              <td>{money(vat)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
