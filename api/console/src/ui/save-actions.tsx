import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { DialogActions } from './dialog.tsx';
import form from './form.module.css';

interface Props {
  /** Request that the form sends. */
  saving: { error: Error | null; isPending: boolean };
  /** False: there is nothing to save, or an input is wrong. */
  isReady?: boolean;
  onClose: () => void;
  /** Further buttons, before the others. */
  children?: ReactNode;
}

/** End of a form in a dialog: the error of the latest attempt, and the buttons that close and save. */
export function SaveActions({ saving, isReady = true, onClose, children }: Props) {
  const { t } = useTranslation('common');
  return (
    <>
      {saving.error !== null && (
        <p role="alert" className={form['error']}>
          {saving.error.message}
        </p>
      )}
      <DialogActions>
        {children}
        <Button onPress={onClose}>{t('action.cancel')}</Button>
        <Button kind="primary" type="submit" isDisabled={!isReady || saving.isPending}>
          {t('action.save')}
        </Button>
      </DialogActions>
    </>
  );
}
