import { useCallback, useSyncExternalStore } from 'react';

/** Returns whether the window matches a media query, as `(min-width: 1200px)`. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** Returns whether the window is as narrow as a phone. */
export const useIsPhone = () => useMedia('(max-width: 700px)');
