import type { ReactNode } from 'react';
import { type Fact, Facts } from './card.tsx';
import styles from './object-header.module.css';

interface Props {
  title: string;
  facts: readonly Fact[];
  /** Link to the list. */
  back?: ReactNode;
  /** States of the object and the button that copies its id, next to the title. */
  states?: ReactNode;
  /** Buttons at the right. */
  actions?: ReactNode;
  /** Between the title and the facts. */
  notices?: ReactNode;
  /** Below the facts. */
  children?: ReactNode;
}

/** Identity of an object, with what can be done with it. */
export function ObjectHeader({ title, facts, back, states, actions, notices, children }: Props) {
  return (
    <header className={styles['header']}>
      {back}
      <div className={styles['title']}>
        <h1>{title}</h1>
        {states}
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </div>
      {notices}
      <Facts facts={facts} shape="line" />
      {children}
    </header>
  );
}

/** Words in the header that are less important than the title. */
export function Muted({ children }: { children: ReactNode }) {
  return <span className={styles['muted']}>{children}</span>;
}
