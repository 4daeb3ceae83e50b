import type { ReactNode } from 'react';
import { useFormats } from '../texts/formats.ts';
import styles from './outcome-bar.module.css';

interface Props<Outcome extends string> {
  label: string;
  /** State in words. */
  children: ReactNode;
  total: number;
  done: number;
  /** Outcomes with their numbers, in the order of the bar. Those without any are hidden unless they are chosen. */
  outcomes: readonly { id: Outcome; text: string; count: number; color: string }[];
  chosen: Outcome | undefined;
  onChoose: (outcome: Outcome | undefined) => void;
}

/** Progress of a job by outcome. A press on an outcome filters the results. */
export function OutcomeBar<Outcome extends string>({
  label,
  children,
  total,
  done,
  outcomes,
  chosen,
  onChoose,
}: Props<Outcome>) {
  const formats = useFormats();
  const present = outcomes.filter(({ id, count }) => count > 0 || id === chosen);
  return (
    <section aria-label={label} className={styles['progress']}>
      <p role="status">{children}</p>
      <div
        className={styles['bar']}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        {present.map(({ id, count, color }) => (
          <span key={id} style={{ flexGrow: count, background: `var(${color})` }} />
        ))}
      </div>
      <div className={styles['outcomes']}>
        {present.map(({ id, text, count, color }) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === chosen}
            className={styles['outcome']}
            onClick={() => onChoose(id === chosen ? undefined : id)}
          >
            <span aria-hidden className={styles['dot']} style={{ background: `var(${color})` }} />
            {text} <strong>{formats.integer(count)}</strong>
          </button>
        ))}
      </div>
    </section>
  );
}
