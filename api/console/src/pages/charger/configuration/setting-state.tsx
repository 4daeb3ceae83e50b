import { Check, CircleX, Loader, Pencil, RotateCw } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { absent } from '../../../texts/formats.ts';
import type { Outcome } from './edits.ts';
import styles from './settings-table.module.css';

const icons = { changed: Pencil, pending: Loader, accepted: Check, reboot: RotateCw, rejected: CircleX };

/** State of a changed value, with the value before it. */
export function SettingState({
  outcome,
  before,
  isEdited,
}: {
  outcome: Outcome | undefined;
  before: string | null;
  isEdited: boolean;
}) {
  const { t } = useTranslation('configuration');
  const state = outcome?.state ?? (isEdited ? 'changed' : null);
  if (state === null) return null;
  const Icon = icons[state];
  // The status Rejected says no more than the word.
  const reason = outcome?.state === 'rejected' && outcome.reason !== 'Rejected' ? outcome.reason : null;
  const old = (outcome === undefined ? before : outcome.before) ?? absent;
  const text = [t(`state.${state}`), reason].filter((part) => part !== null).join(': ');
  const was = t('was', { value: old });
  return (
    <span className={styles['state']} data-state={state} title={`${text} · ${was}`}>
      <Icon aria-hidden size={14} />
      {text}
      <span className={styles['was']}>{was}</span>
    </span>
  );
}
