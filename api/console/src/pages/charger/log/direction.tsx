import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import styles from './log.module.css';

/** Direction of a call or frame as arrow and word. */
export function Direction({ direction }: { direction: 'in' | 'out' }) {
  const { t } = useTranslation('log');
  const Arrow = direction === 'in' ? ArrowDownLeft : ArrowUpRight;
  return (
    <span className={styles['direction']}>
      <Arrow aria-hidden size={15} />
      {t(`direction.${direction}`)}
    </span>
  );
}
