import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Secret } from '../../ui/secret.tsx';

/** Shows the secret that signs the requests of a webhook, once. */
export function SecretDialog({
  title,
  secret,
  onClose,
}: {
  title: string;
  secret: string;
  onClose: () => void;
}) {
  const { t } = useTranslation('webhooks');
  return (
    <Dialog title={title} isOpen isDismissable={false} onClose={onClose}>
      <Secret label={t('secret')} value={secret} />
      <DialogActions>
        <Button kind="primary" onPress={onClose}>
          {t('stored')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
