import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** Shortest time in ms between two loads: a fleet that returns sends thousands of events. */
const reloadMs = 3000;

/** Returns a function that loads queries again, however often it is called, once in three seconds. */
export function useReload(...keys: QueryKey[]): () => void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    if (timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
    }, reloadMs);
  };
}
