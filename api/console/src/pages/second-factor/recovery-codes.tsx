import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Download } from '../../ui/icons/icons.ts';
import { saveFile } from '../../ui/save-file.ts';
import styles from './second-factor.module.css';

/** Recovery codes, which are shown this once. */
export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  const { t } = useTranslation('secondFactor');
  const text = `${codes.join('\n')}\n`;
  return (
    <div className={styles['step']}>
      <p className={styles['warning']}>{t('recovery.once')}</p>
      <ul className={styles['codes']} aria-label={t('recovery.title')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles['buttons']}>
        <CopyButton text={text} label={t('recovery.copy')} isIcon={false} />
        <Button
          kind="quiet"
          onPress={() =>
            saveFile(
              `chargeway-recovery-codes-${location.hostname}.txt`,
              new Blob([text], { type: 'text/plain' }),
            )
          }
        >
          <Download aria-hidden size={15} />
          {t('recovery.download')}
        </Button>
      </div>
      <Button kind="primary" onPress={onStored}>
        {t('recovery.stored')}
      </Button>
    </div>
  );
}
