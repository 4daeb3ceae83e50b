import { Check } from '../../ui/icons/icons.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './start.module.css';

type StepState = 'done' | 'current' | 'next';

interface Props {
  number: number;
  title: string;
  state: StepState;
  /** Outcome of a step that is done. */
  summary?: ReactNode;
  /** Form of the current step. */
  children?: ReactNode;
}

/** Step of the way to the first session. */
export function Step({ number, title, state, summary, children }: Props) {
  const { t } = useTranslation('start');
  return (
    <li className={styles['step']} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
      <span className={styles['mark']}>
        {state === 'done' ? <Check aria-label={t('done')} size={16} /> : number}
      </span>
      <div>
        <div className={styles['title']}>
          <h2>{title}</h2>
          {state === 'done' && <span className={styles['summary']}>{summary}</span>}
        </div>
        {state === 'current' && <div className={styles['content']}>{children}</div>}
      </div>
    </li>
  );
}
