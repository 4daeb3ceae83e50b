import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './roaming.module.css';

/** Text to hand over, with a button that copies it. */
export function CopyLine({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles['copyLine']}>
      <span className={styles['muted']}>{label}</span>
      <code>{text}</code>
      <CopyButton text={text} />
    </div>
  );
}
