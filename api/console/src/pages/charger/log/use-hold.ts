import { useState } from 'react';
import type { Exchange } from './exchange-log.ts';

/** Rows that are shown, and the number of newer ones that wait. */
interface Held {
  rows: readonly Exchange[];
  waiting: number;
  /** Shows the newer ones. */
  release: () => void;
}

/** Holds newer exchanges back, so that rows do not move. Older ones are added at the end as they load. */
export function useHold(exchanges: readonly Exchange[], isHeld: boolean): Held {
  const [firstKey, setFirstKey] = useState<string | null>(null);
  const newest = exchanges[0]?.key ?? null;
  if (isHeld && firstKey === null && newest !== null) setFirstKey(newest);
  if (!isHeld && firstKey !== null) setFirstKey(null);
  const index = firstKey === null ? 0 : exchanges.findIndex(({ key }) => key === firstKey);
  const waiting = isHeld ? Math.max(0, index) : 0;
  return {
    rows: waiting === 0 ? exchanges : exchanges.slice(waiting),
    waiting,
    release: () => setFirstKey(null),
  };
}
