import { Search } from '../../ui/icons/icons.ts';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import styles from './palette.module.css';

/** Loaded when it is opened first: the first page has no need of it. */
const Finder = lazy(async () => ({ default: (await import('./finder.tsx')).Finder }));

/** Search for pages and records, opened by its button, Ctrl K or a slash. */
export function Palette() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const isTyping = target.matches('input, textarea, select, [contenteditable="true"]');
      const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      if (!isShortcut && (event.key !== '/' || isTyping)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <div className={styles['opener']}>
        <Button onPress={() => setOpen(true)} aria-keyshortcuts="Control+K">
          <Search aria-hidden size={15} />
          <span className={styles['hint']}>{t('search.open')}</span>
          <kbd className={styles['key']}>Ctrl K</kbd>
        </Button>
      </div>
      {isOpen && (
        <Suspense>
          <Finder close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
