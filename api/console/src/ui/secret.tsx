import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.tsx';
import styles from './secret.module.css';

/** Secret that is shown this once, with a button that copies it. */
export function Secret({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation();
  return (
    <div className={styles['secret']}>
      <p className={styles['warning']}>{t('secretOnce')}</p>
      <div className={styles['value']} role="group" aria-label={label}>
        <code>{value}</code>
        <CopyButton text={value} label={t('action.copy')} isIcon={false} />
      </div>
    </div>
  );
}
