import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { absent, useFormats } from '../../texts/formats.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Sum, SumList } from '../../ui/sum-list.tsx';

interface Props {
  sums: Schemas['WalletListSummary'] | undefined;
  /** Reads the sums again, after that failed. */
  retry: (() => void) | undefined;
  /** Shows the wallets that owe. */
  onOwing: () => void;
}

/** Sums of the listed wallets, loaded or not, by currency. */
export function WalletSums({ sums, retry, onOwing }: Props) {
  const { t } = useTranslation(['wallets', 'common']);
  const formats = useFormats();
  if (sums === undefined && retry !== undefined) {
    return (
      <p>
        {absent}{' '}
        <Button kind="quiet" onPress={retry}>
          {t('common:action.retry')}
        </Button>
      </p>
    );
  }
  if (sums === undefined) return <Skeleton width={420} height={44} />;
  const { currencies } = sums;
  const total = (of: (sum: Schemas['WalletSum']) => number) =>
    formats.integer(currencies.reduce((sum, each) => sum + of(each), 0));
  const amounts = (id: 'balance' | 'available' | 'held' | 'owed') =>
    currencies.map((sum) => formats.money(sum[id], sum.currency)).join(' + ');
  const owing = currencies.reduce((sum, { owingCount }) => sum + owingCount, 0);
  return (
    <SumList label={t('sum.label')}>
      <Sum name={t('sum.count')} value={total(({ count }) => count)} />
      <Sum name={t('sum.owing')} value={formats.integer(owing)} onPress={owing === 0 ? undefined : onOwing} />
      {currencies.length > 0 && (
        <>
          <Sum name={t('sum.balance')} value={amounts('balance')} />
          <Sum name={t('sum.available')} value={amounts('available')} />
          <Sum name={t('sum.held')} value={amounts('held')} />
          <Sum name={t('sum.owed')} value={amounts('owed')} />
        </>
      )}
    </SumList>
  );
}
