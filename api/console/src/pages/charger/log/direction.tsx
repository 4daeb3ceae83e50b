import { ArrowDownLeft, ArrowUpRight } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import styles from './log.module.css';

/** Direction of a call or frame as arrow and word. Another word is shown instead; then only the direction is read. */
export function Direction({ direction, word }: { direction: 'in' | 'out'; word?: string }) {
  const { t } = useTranslation('log');
  const Arrow = direction === 'in' ? ArrowDownLeft : ArrowUpRight;
  const name = t(`direction.${direction}`);
  return (
    <span className={styles['direction']}>
      <Arrow aria-hidden size={15} />
      {word === undefined ? name : <span className="visually-hidden">{name}</span>}
      {word}
    </span>
  );
}
