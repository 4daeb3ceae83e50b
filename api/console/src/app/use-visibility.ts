import { useSyncExternalStore } from 'react';

/** Returns whether the page is visible. A hidden one follows no events: browsers open few connections for all tabs together. */
export function useVisibility(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
    () => document.visibilityState === 'visible',
  );
}
