import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { absent, useFormats } from '../../texts/formats.ts';
import { Card } from '../../ui/card.tsx';
import type { Invoice } from './invoice-page.tsx';
import styles from './invoice-page.module.css';

/** Payments of an invoice so far, as the ledger has them. */
export function Payments({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices');
  const formats = useFormats();
  const linksSessions = useCan('cpms:read:sessions');
  const { payments, state } = invoice.payment;
  return (
    <Card title={t('invoice.payments')}>
      {payments.length === 0 ? (
        <p className={styles['note']}>{t(state === 'DUE' ? 'invoice.noPayments' : 'invoice.noneNeeded')}</p>
      ) : (
        <div className={styles['scroll']}>
          <table className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">{t('invoice.time')}</th>
                <th scope="col">{t('invoice.method')}</th>
                <th scope="col">{t('invoice.session')}</th>
                <th scope="col">{t('invoice.amount')}</th>
              </tr>
            </thead>
            <tbody>
              {payments.map(({ transactionId, method, provider, amount, paidAt }) => (
                <tr key={`${transactionId} ${paidAt} ${amount}`}>
                  <th scope="row">{paidAt === null ? absent : formats.dateTime(paidAt)}</th>
                  <td>
                    {t(`invoice.methods.${method}`)}
                    {provider !== null && ` (${provider})`}
                  </td>
                  <td>
                    {linksSessions ? (
                      <Link to="/charging/sessions/$uuid" params={{ uuid: transactionId }}>
                        {transactionId.slice(0, 8)}
                      </Link>
                    ) : (
                      transactionId.slice(0, 8)
                    )}
                  </td>
                  <td>{formats.money(amount, invoice.currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
