import type { PublishedPlan } from './published-plan.ts';

/** Load of one phase of one circuit during a minute. Currents are in ampere. */
export interface LoadMinute {
  circuitId: string;
  /** 0 to 2: L1 to L3. */
  phase: number;
  /** Start of the minute in ms since 1970. */
  at: number;
  /** Number of plans in the minute. */
  samples: number;
  /** Lowest limit. */
  limitAmps: number;
  /** Sums over the samples: load that is not charging, and the load with charging. */
  otherSum: number;
  loadSum: number;
  /** Highest load, and the highest that was possible. */
  loadMax: number;
  boundMax: number;
}

const minuteMs = 60_000;

/** Loads of a site by minutes, collected from its plans. */
export class LoadMinutes {
  readonly #minutes = new Map<string, LoadMinute>();

  add({ at, lines }: PublishedPlan): void {
    const minute = at - (at % minuteMs);
    for (const { circuitId, phase, limitAmps, otherAmps, loadAmps, boundAmps } of lines) {
      const key = `${minute} ${circuitId} ${phase}`;
      const before = this.#minutes.get(key);
      this.#minutes.set(key, {
        circuitId,
        phase,
        at: minute,
        samples: (before?.samples ?? 0) + 1,
        limitAmps: Math.min(before?.limitAmps ?? limitAmps, limitAmps),
        otherSum: (before?.otherSum ?? 0) + otherAmps,
        loadSum: (before?.loadSum ?? 0) + loadAmps,
        loadMax: Math.max(before?.loadMax ?? loadAmps, loadAmps),
        boundMax: Math.max(before?.boundMax ?? boundAmps, boundAmps),
      });
    }
  }

  /** Returns the minutes that ended before `now`, and forgets them. */
  takeEnded(now: number): LoadMinute[] {
    const ended = [...this.#minutes].filter(([, { at }]) => at + minuteMs <= now);
    for (const [key] of ended) this.#minutes.delete(key);
    return ended.map(([, minute]) => minute);
  }
}
