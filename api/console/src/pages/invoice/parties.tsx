import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../app/caller.tsx';
import { Card } from '../../ui/card.tsx';
import { driverWalletQuery } from '../wallets/wallets-queries.ts';
import type { Invoice } from './invoice-page.tsx';
import styles from './invoice-page.module.css';

/** Buyer and seller of an invoice, as printed. */
export function Parties({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices');
  const { seller, buyer, userId } = invoice;
  const town = [seller.postalCode, seller.city].filter((part) => part !== null).join(' ');
  return (
    <>
      <Card title={t('invoice.buyer')}>
        {buyer === null ? (
          <p className={styles['note']}>{t('invoice.noBuyer')}</p>
        ) : (
          <Lines
            lines={[
              buyer.name,
              buyer.email,
              buyer.postalAddress,
              buyer.vatNumber && t('invoice.vatNumber', { number: buyer.vatNumber }),
            ]}
          />
        )}
        {userId !== null && <DriverWallet userId={userId} />}
      </Card>
      <Card title={t('invoice.seller')}>
        <Lines
          lines={[
            seller.legalName ?? seller.name,
            seller.postalAddress,
            town === '' ? null : town,
            seller.country,
            seller.vatNumber && t('invoice.vatNumber', { number: seller.vatNumber }),
            seller.iban && `IBAN ${seller.iban}`,
            seller.bankAccount,
          ]}
        />
      </Card>
    </>
  );
}

function Lines({ lines }: { lines: (string | null)[] }) {
  return (
    <address className={styles['address']}>
      {lines
        .filter((line) => line !== null && line !== '')
        .map((line) => (
          <div key={line}>{line}</div>
        ))}
    </address>
  );
}

function DriverWallet({ userId }: { userId: string }) {
  const { t } = useTranslation('invoices');
  const readsWallets = useCan('cpms:read:wallets');
  const wallet = useQuery({ ...driverWalletQuery(userId), enabled: readsWallets }).data;
  if (wallet === undefined || wallet === null) return null;
  return (
    <Link to="/money/wallets/$uuid" params={{ uuid: wallet.id }} className={styles['wallet']}>
      {t('invoice.wallet')}
    </Link>
  );
}
