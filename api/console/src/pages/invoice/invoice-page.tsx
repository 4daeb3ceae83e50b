import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useNetworks } from '../../app/caller.tsx';
import { useZoneOfNetwork } from '../../app/page-zone.tsx';
import { useFormats } from '../../texts/formats.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { Fact } from '../../ui/card.tsx';
import { ObjectHeader } from '../../ui/object-header.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { InvoiceState } from '../invoices/invoice-state.tsx';
import { Amounts } from './amounts.tsx';
import { invoiceQuery } from './invoice-query.ts';
import { Lines } from './lines.tsx';
import { Parties } from './parties.tsx';
import { Payments } from './payments.tsx';
import { PdfDocument } from './pdf-document.tsx';
import { Rates } from './rates.tsx';
import styles from './invoice-page.module.css';

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
    ></ObjectHeader>
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
