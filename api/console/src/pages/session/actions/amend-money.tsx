import { useTranslation } from 'react-i18next';
import { absent, useFormats } from '../../../texts/formats.ts';
import type { Actable } from './actable.ts';
import styles from './actions.module.css';

/** States what an amendment does to money. `grossAfter`: the price that the operator sets, or null: the tariff decides. */
export function AmendMoney({ session, grossAfter }: { session: Actable; grossAfter: number | null }) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  const { cost, costUnavailable } = session;
  if (grossAfter === null) {
    const text =
      costUnavailable === 'NO_TARIFF'
        ? t('amend.noTariff')
        : session.priceState === 'REVIEW'
          ? t('amend.byTariffInReview')
          : t('amend.byTariff', {
              cost: cost === null ? absent : formats.money(cost.totalInclVat, cost.currency),
            });
    return <p className={styles['money']}>{text}</p>;
  }
  if (cost === null) return null;
  // Nothing of a price in review has been charged.
  const charged = session.priceState === 'REVIEW' ? 0 : cost.totalInclVat;
  const difference = Math.round((grossAfter - charged) * 100) / 100;
  const money = (amount: number) => formats.money(amount, cost.currency);
  return (
    <p className={styles['money']}>
      {difference === 0
        ? t('amend.unchanged', { before: money(cost.totalInclVat) })
        : t('amend.fixed', {
            after: money(grossAfter),
            before: money(cost.totalInclVat),
            difference: money(Math.abs(difference)),
            direction: t(difference > 0 ? 'amend.charged' : 'amend.refunded'),
          })}
    </p>
  );
}
