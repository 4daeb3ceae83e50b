import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

interface Props {
  /** Question that names the object. */
  title: string;
  /** Consequences. */
  children: ReactNode;
  /** Text of the button that acts. */
  action: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Confirmation of an action that cannot be undone. */
export function ConfirmDialog({ title, children, action, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {children}
      <DialogActions>
        <Button onPress={onClose}>{t('action.cancel')}</Button>
        <Button
          kind="primary"
          isDangerous
          onPress={() => {
            // Closing may give up what is confirmed, such as leaving a page.
            onConfirm();
            onClose();
          }}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
