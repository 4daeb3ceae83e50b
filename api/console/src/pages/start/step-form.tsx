import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import form from '../../ui/form.module.css';
import styles from './start.module.css';

interface Props {
  children: ReactNode;
  /** Text of the button. */
  action: string;
  isReady: boolean;
  isSending: boolean;
  error: Error | null;
  onSubmit: () => void;
}

/** Form of a step, with the error of its request. */
export function StepForm({ children, action, isReady, isSending, error, onSubmit }: Props) {
  const { t } = useTranslation('start');
  return (
    <form
      className={form['form']}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {error !== null && (
        <p role="alert" className={form['error']}>
          {error.message}
        </p>
      )}
      <div className={styles['actions']}>
        <Button kind="primary" type="submit" isDisabled={!isReady || isSending}>
          {isSending ? t('sending') : action}
        </Button>
      </div>
    </form>
  );
}
