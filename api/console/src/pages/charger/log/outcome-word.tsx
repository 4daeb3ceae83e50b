import { CircleAlert, CircleCheck, CircleHelp, TriangleAlert } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import type { Outcome } from './frames.ts';
import styles from './log.module.css';

const icons = {
  answered: { icon: CircleCheck, color: '--state-available' },
  refused: { icon: TriangleAlert, color: '--state-unavailable' },
  error: { icon: CircleAlert, color: '--state-faulted' },
  broken: { icon: CircleAlert, color: '--state-faulted' },
  unanswered: { icon: CircleHelp, color: '--state-unknown' },
} as const;

/** Outcome of an exchange as icon and word. */
export function OutcomeWord({ outcome: { kind, word } }: { outcome: Outcome }) {
  const { t } = useTranslation('log');
  const { icon: Icon, color } = icons[kind];
  return (
    <span className={styles['outcome']} data-kind={kind}>
      <Icon aria-hidden size={14} style={{ color: `var(${color})` }} />
      {word ?? t(`outcome.${kind}`)}
    </span>
  );
}
