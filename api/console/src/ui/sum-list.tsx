import type { ReactNode } from 'react';
import styles from './sum-list.module.css';

/** Sums of a list, next to its title. */
export function SumList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <dl className={styles['sums']} aria-label={label}>
      {children}
    </dl>
  );
}

/** One sum. `onPress` opens the rows behind it. */
export function Sum({
  name,
  value,
  onPress,
}: {
  name: string;
  value: string;
  onPress?: (() => void) | undefined;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {onPress === undefined ? (
          value
        ) : (
          <button type="button" className={styles['door']} onClick={onPress}>
            {value}
          </button>
        )}
      </dd>
    </div>
  );
}
