import { Info } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { flagText } from './session-words.ts';
import styles from './review-notice.module.css';

/** Flags of a session, in words. */
export function Flags({ flags }: { flags: readonly string[] }) {
  const { t } = useTranslation(['session', 'common']);
  if (flags.length === 0) return null;
  return (
    <section className={styles['flags']} aria-label={t('flags.title')}>
      <Info aria-hidden size={16} />
      <ul>
        {flags.map((flag) => (
          <li key={flag} title={flag}>
            {flagText(t, flag)}
          </li>
        ))}
      </ul>
    </section>
  );
}
