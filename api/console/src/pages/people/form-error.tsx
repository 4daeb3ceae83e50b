import { TriangleAlert } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client.ts';
import styles from './list-page.module.css';

/** Returns the explanation of refused changes, by the code of the error; empty for other errors. */
export function useReason(): (error: Error) => string {
  const { t } = useTranslation('people');
  const problems: Partial<Record<string, string>> = t('problem', { returnObjects: true });
  return (error) => (error instanceof ApiError ? problems[error.code] : undefined) ?? '';
}

/** Explains a refused change: the reason, and the sentence of the server. */
export function FormError({ error }: { error: Error | null }) {
  const reasonOf = useReason();
  if (error === null) return null;
  const reason = reasonOf(error);
  return (
    <div role="alert" className={styles['error']}>
      <TriangleAlert aria-hidden size={16} />
      <div>
        {reason !== '' && <strong>{reason}</strong>}
        <p>{error.message}</p>
      </div>
    </div>
  );
}
