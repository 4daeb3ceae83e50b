import { Equal, type IconComponent, Minus, Plus } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import type { Wallet } from '../wallets/wallets-queries.ts';
import styles from './composition.module.css';

const parts: { id: 'balance' | 'available' | 'held' | 'owed'; sign: IconComponent | null }[] = [
  { id: 'balance', sign: null },
  { id: 'available', sign: Equal },
  { id: 'held', sign: Plus },
  { id: 'owed', sign: Minus },
];

/** Balance of a wallet as the sum of its parts. */
export function Composition({ wallet }: { wallet: Wallet }) {
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
