import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { FormError } from './field-errors.tsx';
import styles from './form.module.css';

interface Props extends Pick<ComponentProps<'form'>, 'noValidate' | 'autoComplete'> {
  /** Request that the form sends, if it sends one. */
  saving?: { error: Error | null; isPending: boolean };
  onSubmit: () => void;
  onClose: () => void;
  /** False: there is nothing to save, or an input is wrong. */
  isReady?: boolean;
  /** Text of the button that sends the form: Save by default. */
  action?: ReactNode;
  /** Further buttons, before the others. */
  buttons?: ReactNode;
  /** Fields that show their errors themselves. */
  shown?: readonly string[];
  /** Explanation of the error of the latest attempt, in place of its message. */
  failure?: ReactNode;
  children: ReactNode;
}

const unsent = { error: null, isPending: false };

/** Form that ends with the error of the latest attempt, and the buttons that close and send it. */
export function Form({
  saving = unsent,
  onSubmit,
  onClose,
  isReady = true,
  action,
  buttons,
  shown = [],
  failure = <FormError error={saving.error} shown={shown} />,
  children,
  ...form
}: Props) {
  const { t } = useTranslation('common');
  return (
    <form
      {...form}
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {failure}
      <DialogActions>
        {buttons}
        <Button onPress={onClose}>{t('action.cancel')}</Button>
        <Button kind="primary" type="submit" isDisabled={!isReady || saving.isPending}>
          {action ?? t('action.save')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Dialog with a form. */
export function FormDialog({
  title,
  shape = 'centre',
  ...form
}: Props & Pick<ComponentProps<typeof Dialog>, 'title' | 'shape'>) {
  return (
    <Dialog title={title} shape={shape} isOpen onClose={form.onClose}>
      <Form {...form} />
    </Dialog>
  );
}
