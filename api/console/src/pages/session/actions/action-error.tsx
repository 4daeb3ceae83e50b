import { TriangleAlert } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { hasCode } from './actable.ts';
import styles from './actions.module.css';

/** Explains why an action failed, in its dialog. */
export function ActionError({ error }: { error: Error | null }) {
  const { t } = useTranslation('session');
  if (error === null) return null;
  return (
    <p role="alert" className={styles['error']}>
      <TriangleAlert aria-hidden size={16} />
      {hasCode(error, 'PRECONDITION_FAILED')
        ? t('action.changedMeanwhile')
        : hasCode(error, 'ABOVE_PLAUSIBLE')
          ? t('amend.above')
          : error.message}
    </p>
  );
}
