import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import { DriverName } from '../drivers/driver-name.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { Fact } from '../../ui/card.tsx';
import { Muted, ObjectHeader } from '../../ui/object-header.tsx';
import { LiveIndicator } from '../../ui/live-indicator.tsx';
import type { LiveSession } from './live-session.ts';
import { isRunning, type Session } from './session-queries.ts';
import { PriceState, SessionState } from './session-state.tsx';
import styles from './review-notice.module.css';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { useCan } from '../../app/caller.tsx';
import { driverWalletQuery, type Wallet } from '../wallets/wallets-queries.ts';

/** A message that came later than this was kept by the charger or the network. */
const lateMs = 60_000;

/** Identity of a session: where, who, when, and its states. */
export function SessionHeader({
  session,
  live,
  actions,
}: {
  session: Session;
  live: LiveSession;
  actions: ReactNode;
}) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  const wallet = useDriverWallet(session.userId);
  const facts: Fact[] = [
    [
      t('header.charger'),
      <Link key="charger" to="/fleet/chargers/$uuid" params={{ uuid: session.chargerId }}>
        {session.chargerUid}
      </Link>,
    ],
    [t('header.location'), session.locationName ?? t('header.noLocation')],
    session.driverName !== null && [t('header.driver'), <DriverName key="driver" session={session} />],
    [t('header.token'), session.idTag ?? t('header.noToken')],
    [t('header.started'), <At key="at" at={session.startedAt} receivedAt={session.startReceivedAt} />],
    [
      t('header.ended'),
      session.endedAt === null ? (
        t('header.running')
      ) : (
        <At key="at" at={session.endedAt} receivedAt={session.stopReceivedAt} />
      ),
    ],
    [t('header.transaction'), session.transactionId],
    session.invoiceNumber !== null && [
      t('header.invoice'),
      <InvoiceLink key="invoice" number={session.invoiceNumber} networkUuid={session.networkUuid} />,
    ],
    wallet !== null && [
      t('header.wallet'),
      <Link key="wallet" to="/money/wallets/$uuid" params={{ uuid: wallet.id }}>
        {formats.money(wallet.balance, wallet.currency)}
      </Link>,
    ],
  ];
  return (
    <ObjectHeader
      title={t('title', { charger: session.chargerUid })}
      states={
        <>
          <Muted>{t('header.connector', { number: session.connectorNumber })}</Muted>
          <SessionState session={session} />
          <PriceState session={session} />
          {isRunning(session) && <LiveIndicator stream={live.stream} />}
          <CopyButton text={session.id} label={t('header.id')} />
        </>
      }
      actions={actions}
      facts={facts}
    />
  );
}

/** Time by the charger's clock, and that of receipt where it differs. */
function At({ at, receivedAt }: { at: string; receivedAt: string | null }) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  const isLate = receivedAt !== null && Math.abs(Date.parse(receivedAt) - Date.parse(at)) > lateMs;
  return (
    <>
      <time dateTime={at}>{formats.dateTime(at)}</time>
      {isLate && (
        <span className={styles['received']}>
          {t('header.receivedLater', { time: formats.shortDateTime(receivedAt) })}
        </span>
      )}
    </>
  );
}

/** Number of the invoice of a session, as a link for callers who read invoices. */
function InvoiceLink({ number, networkUuid }: { number: string; networkUuid: string }) {
  const readsInvoices = useCan('cpms:read:invoices');
  const query = { networkUuid, search: number };
  const found = useQuery({
    queryKey: ['invoices', 'numbered', query],
    queryFn: () => api.GET('/cpms/v1/invoices', { params: { query } }),
    enabled: readsInvoices,
  }).data;
  const invoice = found?.find(({ invoiceNumber }) => invoiceNumber === number);
  if (invoice === undefined) return number;
  return (
    <Link to="/money/invoices/$uuid" params={{ uuid: invoice.id }}>
      {number}
    </Link>
  );
}

/** Returns the wallet of a driver; null without one, and for callers who do not read wallets. */
function useDriverWallet(userId: string | null): Wallet | null {
  const readsWallets = useCan('cpms:read:wallets');
  const wallet = useQuery({ ...driverWalletQuery(userId ?? ''), enabled: readsWallets && userId !== null });
  return wallet.data ?? null;
}
