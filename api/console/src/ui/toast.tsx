import { X } from './icons/icons.ts';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import styles from './toast.module.css';

interface Toast {
  id: number;
  kind: 'done' | 'failed';
  text: string;
}

const doneMs = 6000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function close(id: number): void {
  show(toasts.filter((toast) => toast.id !== id));
}

/** Reports the outcome of an action. Failures stay until they are closed. */
export function notify(kind: Toast['kind'], text: string): void {
  const id = (lastId += 1);
  show([...toasts.slice(-2), { id, kind, text }]);
  if (kind === 'done') setTimeout(() => close(id), doneMs);
}

/** Region of the page that shows the reports. Screen readers read new ones. */
export function Toasts() {
  const { t } = useTranslation();
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className={styles['region']} role="log" aria-live="polite">
      {shown.map(({ id, kind, text }) => (
        <div key={id} className={`${styles['toast']} ${styles[kind]}`}>
          {text}
          <Button kind="quiet" isIcon aria-label={t('action.close')} onPress={() => close(id)}>
            <X aria-hidden size={16} />
          </Button>
        </div>
      ))}
    </div>
  );
}
