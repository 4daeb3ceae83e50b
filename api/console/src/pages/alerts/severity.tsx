import { CircleAlert, TriangleAlert } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import type { Alert } from './alerts-search.ts';
import styles from './alerts.module.css';

/** Severity as icon, colour and word. */
export function Severity({ severity }: Pick<Alert, 'severity'>) {
  const { t } = useTranslation('alerts');
  const Icon = severity === 'critical' ? CircleAlert : TriangleAlert;
  const color = severity === 'critical' ? 'faulted' : 'unavailable';
  return (
    <span className={styles['severity']}>
      <Icon aria-hidden size={15} style={{ color: `var(--state-${color})` }} />
      {t(`severity.${severity}`)}
    </span>
  );
}
