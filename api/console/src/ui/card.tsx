import { type ReactNode, useId } from 'react';
import styles from './card.module.css';

interface Props {
  title?: ReactNode;
  /** Buttons and links at the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
  /** False: the content reaches the border, as tables and maps do. */
  hasPadding?: boolean;
}

/** Surface with a title. */
export function Card({ title, actions, children, hasPadding = true }: Props) {
  const id = useId();
  return (
    <section className={styles['card']} aria-labelledby={title === undefined ? undefined : id}>
      {(title !== undefined || actions !== undefined) && (
        <header className={styles['header']}>
          {title !== undefined && <h2 id={id}>{title}</h2>}
          <div className={styles['actions']}>{actions}</div>
        </header>
      )}
      <div className={hasPadding ? styles['content'] : styles['flush']}>{children}</div>
    </section>
  );
}

/** Name and value; false: left out. */
export type Fact = readonly [name: string, value: ReactNode] | false;

/** Names and values, in columns or in a line. */
export function Facts({ facts, shape = 'facts' }: { facts: readonly Fact[]; shape?: 'facts' | 'line' }) {
  return (
    <dl className={styles[shape]}>
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
