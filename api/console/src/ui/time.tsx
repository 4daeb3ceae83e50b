import { useSyncExternalStore } from 'react';
import { absent, useFormats } from '../texts/formats.ts';

const listeners = new Set<() => void>();
let now = Date.now();
setInterval(() => {
  now = Date.now();
  for (const listener of listeners) listener();
}, 1000);

/** Returns the time in ms, renewed each second by one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => now,
  );
}

/** Time relative to now, with the absolute time on hover. */
export function RelativeTime({ value }: { value: string | null | undefined }) {
  const formats = useFormats();
  useNow();
  if (value === null || value === undefined) return absent;
  return (
    <time dateTime={value} title={formats.dateTime(value)}>
      {formats.relative(value)}
    </time>
  );
}
