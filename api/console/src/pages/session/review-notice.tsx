import { Eye } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import type { Schemas } from '../../api/client.ts';
import styles from './review-notice.module.css';

/** Parts of a session that its review shows, which its list has too. */
type Reviewed = Pick<Schemas['OperatorSessionSummary'], 'review' | 'cost' | 'networkUuid'>;

/** Values of a session in review next to the plausible maximum. */
export function ReviewNotice({ session }: { session: Reviewed }) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  const { review, cost } = session;
  if (review === null) return null;
  const money = (amount: number | null) =>
    amount === null || cost === null ? t('review.noPrice') : formats.money(amount, cost.currency);
  return (
    <section className={styles['notice']} aria-label={t('review.title')}>
      <div className={styles['words']}>
        <h2>
          <Eye aria-hidden size={16} /> {t('review.title')}
        </h2>
        <p>{t('review.nothingCharged')}</p>
      </div>
      <table className={styles['values']}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('review.title')}</span>
            </th>
            <th scope="col">{t('review.energy')}</th>
            <th scope="col">{t('review.price')}</th>
            <th scope="col">{t('review.end')}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{t('review.reported')}</th>
            <td>{formats.energy(review.proposed.energyKwh)}</td>
            <td>{money(review.proposed.totalInclVat)}</td>
            <td>{formats.shortDateTime(review.proposed.endedAt)}</td>
          </tr>
          <tr>
            <th scope="row">{t('review.plausible')}</th>
            <td>{formats.energy(review.plausible.energyKwh)}</td>
            <td>{money(review.plausible.totalInclVat)}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
