import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useFormats } from '../../texts/formats.ts';
import { Card, Facts } from '../../ui/card.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { driverWalletQuery } from '../wallets/wallets-queries.ts';
import styles from './driver-page.module.css';

/** Wallet of a driver: its balances. */
export function DriverWallet({ driver: { id } }: { driver: Schemas['Driver'] }) {
  const { t } = useTranslation('drivers');
  const { data, error, refetch } = useQuery(driverWalletQuery(id));
  return (
    <Card title={t('wallet.title')}>
      {error !== null && data === undefined ? (
        <ErrorNotice error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={96} />
      ) : data === null ? (
        <p>{t('wallet.none')}</p>
      ) : (
        <Balances wallet={data} />
      )}
    </Card>
  );
}

function Balances({ wallet }: { wallet: Schemas['Wallet'] }) {
  const { t } = useTranslation('drivers');
  const formats = useFormats();
  const money = (amount: number) => formats.money(amount, wallet.currency);
  return (
    <div className={styles['wallet']}>
      <p className={styles['balance']} aria-label={`${t('wallet.balance')}: ${money(wallet.balance)}`}>
        {money(wallet.balance)}
      </p>
      <Facts
        facts={[
          [t('wallet.available'), money(wallet.available)],
          [t('wallet.held'), money(wallet.held)],
          [
            t('wallet.owed'),
            <span key="owed" className={wallet.owed > 0 ? styles['owed'] : undefined}>
              {money(wallet.owed)}
            </span>,
          ],
        ]}
      />
      <Link to="/money/wallets/$uuid" params={{ uuid: wallet.id }}>
        {t('wallet.open')}
      </Link>
    </div>
  );
}
