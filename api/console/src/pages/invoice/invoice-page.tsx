import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useNetworks, useCan } from '../../app/caller.tsx';
import { useZoneOfNetwork } from '../../app/page-zone.tsx';
import { useFormats } from '../../texts/formats.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { type Fact, Card } from '../../ui/card.tsx';
import { ObjectHeader } from '../../ui/object-header.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { InvoiceState } from '../invoices/invoice-state.tsx';
import { Amounts } from './amounts.tsx';
import { invoiceQuery } from './invoice-query.ts';
import { Lines } from './lines.tsx';
import { Parties } from './parties.tsx';
import styles from './invoice-page.module.css';
import { Download, FileText } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { Button, buttonClass } from '../../ui/button.tsx';
import { PdfFrame } from '../../ui/pdf-frame.tsx';

export type Invoice = Schemas['OperatorInvoice'];

/** One invoice or credit note: who owes what to whom, for which sessions, and what was paid. */
export function InvoicePage() {
  const { uuid } = useParams({ from: '/signed-in/money/invoices/$uuid' });
  const query = useSuspenseQuery(invoiceQuery(uuid));
  const invoice = query.data;
  useZoneOfNetwork(invoice.networkId);
  return (
    <div className={styles['page']}>
      <StaleNotice query={query} />
      <InvoiceHeader invoice={invoice} />
      <Amounts invoice={invoice} />
      <div className={styles['columns']}>
        <div className={styles['column']}>
          <Lines invoice={invoice} />
          <Payments invoice={invoice} />
        </div>
        <div className={styles['column']}>
          <Rates invoice={invoice} />
          <Parties invoice={invoice} />
        </div>
      </div>
      <PdfDocument key={uuid} invoice={invoice} />
    </div>
  );
}

function InvoiceHeader({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices');
  const formats = useFormats();
  // A date without a time is read as midnight UTC.
  const dates = useFormats('UTC');
  const networks = useNetworks();
  const { kind, invoiceNumber, credits, creditsId, creditedBy, creditedById, reason, payment } = invoice;
  const facts: Fact[] = [
    [t('invoice.issued'), formats.dateTime(invoice.issuedAt)],
    payment.state !== 'CREDITED' && [t('invoice.dueDate'), dates.date(payment.dueDate)],
    [t('column.network'), networks.find(({ id }) => id === invoice.networkId)?.name ?? invoice.seller.name],
    related(t('invoice.credits'), credits, creditsId),
    related(t('invoice.creditedBy'), creditedBy, creditedById),
    reason !== null && [t('invoice.reason'), reason],
  ];
  return (
    <ObjectHeader
      title={t(`invoice.heading.${kind}`, { number: invoiceNumber })}
      states={
        <>
          <InvoiceState state={payment.state} />
          <CopyButton text={invoice.id} label={t('invoice.id')} />
        </>
      }
      facts={facts}
    />
  );
}

/** The document that cancels this one, or that this one cancels. */
function related(name: string, number: string | null, id: string | null): Fact {
  return (
    number !== null &&
    id !== null && [
      name,
      <Link key={id} to="/money/invoices/$uuid" params={{ uuid: id }}>
        {number}
      </Link>,
    ]
  );
}

/** VAT of an invoice by rate. */
function Rates({ invoice }: { invoice: Invoice }) {
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

/** The document as the driver gets it, on request, and its download. */
function PdfDocument({ invoice: { id, kind, invoiceNumber } }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices');
  const [isShown, setShown] = useState(false);
  const address = `/cpms/v1/invoices/${id}/pdf`;
  return (
    <Card
      title={t('invoice.document')}
      actions={
        <a className={buttonClass('quiet')} href={address} download={`${invoiceNumber}.pdf`}>
          <Download aria-hidden size={15} />
          {t('invoice.download')}
        </a>
      }
    >
      {isShown ? (
        <PdfFrame label={t(`invoice.heading.${kind}`, { number: invoiceNumber })} address={address}>
          <p className={styles['note']}>{t('invoice.noViewer')}</p>
        </PdfFrame>
      ) : (
        <Button onPress={() => setShown(true)}>
          <FileText aria-hidden size={15} />
          {t('invoice.show')}
        </Button>
      )}
    </Card>
  );
}

/** Payments of an invoice so far, as the ledger has them. */
function Payments({ invoice }: { invoice: Invoice }) {
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
                <th scope="col" className={styles['text']}>
                  {t('invoice.method')}
                </th>
                <th scope="col" className={styles['text']}>
                  {t('invoice.session')}
                </th>
                <th scope="col">{t('invoice.amount')}</th>
              </tr>
            </thead>
            <tbody>
              {payments.map(({ transactionId, method, provider, amount, paidAt }) => (
                <tr key={`${transactionId} ${paidAt} ${amount}`}>
                  <th scope="row" title={paidAt === null ? undefined : formats.dateTime(paidAt)}>
                    {formats.shortDateTime(paidAt)}
                  </th>
                  <td className={styles['text']}>
                    {t(`invoice.methods.${method}`)}
                    {provider !== null && ` (${provider})`}
                  </td>
                  <td className={styles['text']}>
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
