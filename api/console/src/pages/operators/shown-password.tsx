import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import styles from './shown-password.module.css';

/** Generated password of a new account, which is shown this once. */
export function ShownPassword({
  name,
  password,
  onClose,
}: {
  name: string;
  password: string;
  onClose: () => void;
}) {
  const { t } = useTranslation(['operators', 'common']);
  return (
    <Dialog title={t('password.title', { name })} isOpen onClose={onClose}>
      <p>{t('password.detail')}</p>
      <p className={styles['password']}>
        <code>{password}</code>
        <CopyButton text={password} label={t('password.copy')} />
      </p>
      <DialogActions>
        <Button kind="primary" onPress={onClose}>
          {t('common:action.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
