import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useFormats } from '../../texts/formats.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Sum, SumList } from '../../ui/sum-list.tsx';

interface Props {
  sums: Schemas['WalletListSummary'] | undefined;
  /** Shows the wallets that owe. */
  onOwing: () => void;
}

/** Sums of the listed wallets, loaded or not, by currency. */
export function WalletSums({ sums, onOwing }: Props) {
  const { t } = useTranslation('wallets');
  const formats = useFormats();
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
