import { useEffect, useState } from 'react';
import type { LiveCharger } from '../live-charger.ts';

/** Points of a spark line: 15 minutes of readings every 10 s. */
const maxPoints = 90;

/** Collects the power of each connector while the page is open, newest last. */
export function useRecentPower(live: LiveCharger | null): ReadonlyMap<number, number[]> {
  const [recent, setRecent] = useState<ReadonlyMap<number, { time: string; kw: number }[]>>(new Map());
  useEffect(() => {
    if (live === null) return;
    // oxlint-disable-next-line react/set-state-in-effect -- gathers the values of a stream
    setRecent((before) => {
      const next = new Map(before);
      for (const { number, reading } of live.connectors) {
        const points = before.get(number) ?? [];
        if (reading === null || reading.powerKw === null || points.at(-1)?.time === reading.time) continue;
        next.set(number, [...points.slice(1 - maxPoints), { time: reading.time, kw: reading.powerKw }]);
      }
      return next;
    });
  }, [live]);
  return new Map([...recent].map(([number, points]) => [number, points.map(({ kw }) => kw)]));
}
