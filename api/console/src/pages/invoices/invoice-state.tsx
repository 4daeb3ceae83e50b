import { CircleCheck, Clock, Gift, type IconComponent, Undo2 } from '../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import styles from './invoice-state.module.css';
import type { InvoiceRow } from './invoices-search.ts';

const looks: Record<InvoiceRow['paymentState'], { icon: IconComponent; color: string }> = {
  DUE: { icon: Clock, color: '--state-unavailable' },
  PAID: { icon: CircleCheck, color: '--state-available' },
  FREE: { icon: Gift, color: '--state-offline' },
  CREDITED: { icon: Undo2, color: '--state-offline' },
};

/** State of the payment of an invoice as icon, colour and word. */
export function InvoiceState({ state }: { state: InvoiceRow['paymentState'] }) {
  const { t } = useTranslation('invoices');
  const { icon: Icon, color } = looks[state];
  return (
    <span className={styles['state']}>
      <Icon aria-hidden size={15} style={{ color: `var(${color})` }} />
      {t(`state.${state}`)}
    </span>
  );
}
