import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Minus, Plus, Equal, type IconComponent } from '../../ui/icons/icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNetworks, useScopes } from '../../app/caller.tsx';
import { useZoneOfNetwork } from '../../app/page-zone.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { Fact } from '../../ui/card.tsx';
import { ObjectHeader } from '../../ui/object-header.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { type Wallet, walletQuery } from '../wallets/wallets-queries.ts';
import { AdjustDialog, type AdjustmentKind } from './adjust-dialog.tsx';
import { Ledger } from './ledger.tsx';
import styles from './composition.module.css';

/** One wallet: its balance, and each movement that led to it. */
export function WalletPage() {
  const { uuid } = useParams({ from: '/signed-in/money/wallets/$uuid' });
  const query = useSuspenseQuery(walletQuery(uuid));
  const wallet = query.data;
  useZoneOfNetwork(wallet.networkUuid);
  return (
    <div className={styles['page']}>
      <StaleNotice query={query} />
      <WalletHeader wallet={wallet} />
      <Composition wallet={wallet} />
      <Ledger key={uuid} wallet={wallet} />
    </div>
  );
}

function WalletHeader({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation('wallets');
  const formats = useFormats();
  const can = useScopes();
  const networks = useNetworks();
  const [open, setOpen] = useState<AdjustmentKind | null>(null);
  const { userId, userName, userEmail, networkUuid } = wallet;
  const facts: Fact[] = [
    [t('column.email'), userEmail],
    [t('wallet.network'), networks.find(({ id }) => id === networkUuid)?.name ?? networkUuid],
    [t('wallet.opened'), formats.date(wallet.createdAt)],
    [t('wallet.updated'), <RelativeTime key="updated" value={wallet.updatedAt} />],
  ];
  return (
    <ObjectHeader
      title={t('wallet.title', { name: userName })}
      states={<CopyButton text={wallet.id} label={t('wallet.id')} />}
      actions={
        can('cpms:command:billing') ? (
          <>
            <Button onPress={() => setOpen('debit')}>
              <Minus aria-hidden size={15} />
              {t('adjust.debit')}
            </Button>
            <Button kind="primary" onPress={() => setOpen('credit')}>
              <Plus aria-hidden size={15} />
              {t('adjust.credit')}
            </Button>
          </>
        ) : undefined
      }
      facts={facts}
    >
      <p className={styles['links']}>
        {can('cpms:read:sessions') && (
          <Link to="/charging/sessions" search={{ userId }}>
            {t('wallet.sessions')}
          </Link>
        )}
        {can('cpms:read:invoices') && (
          <Link to="/money/invoices" search={{ userId }}>
            {t('wallet.invoices')}
          </Link>
        )}
      </p>
      {open !== null && <AdjustDialog kind={open} wallet={wallet} onClose={() => setOpen(null)} />}
    </ObjectHeader>
  );
}

const parts: { id: 'balance' | 'available' | 'held' | 'owed'; sign: IconComponent | null }[] = [
  { id: 'balance', sign: null },
  { id: 'available', sign: Equal },
  { id: 'held', sign: Plus },
  { id: 'owed', sign: Minus },
];

/** Balance of a wallet as the sum of its parts. */
function Composition({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation('wallets');
  const formats = useFormats();
  return (
    <dl className={styles['parts']} aria-label={t('wallet.composition')}>
      {parts.map(({ id, sign: Sign }) => (
        <div key={id} className={styles['part']}>
          <dt>
            {Sign !== null && <Sign aria-hidden size={16} />}
            {t(`wallet.${id}`)}
          </dt>
          <dd className={styles['value']} data-owed={id === 'owed' && wallet.owed > 0}>
            {formats.money(wallet[id], wallet.currency)}
          </dd>
          <dd className={styles['detail']}>{id === 'balance' ? wallet.currency : t(`wallet.${id}Detail`)}</dd>
        </div>
      ))}
    </dl>
  );
}
