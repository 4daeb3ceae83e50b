import type { PublishedPlan } from './published-plan.ts';
import type { Site } from './site.ts';
import { readingTolerance } from './standing.ts';

/** Seconds for which a condition lasts before it is reported. Shorter ones are usual after a reconnect or a restart. */
const reportedAfter = {
  /** Circuits whose load exceeds their limit. */
  overloaded: 30,
  /** Circuits without a working meter. */
  meterLost: 60,
  /** Connectors whose station confirms no limits while it is connected or has a car: its fallback may be in force. */
  unconfirmed: 120,
} as const;
type Kind = keyof typeof reportedAfter;

/** Identifiers of the circuits and connectors with each condition. */
export type Conditions = Record<Kind, string[]>;

/** Conditions of a site that alerts report, collected from its plans. */
export class SiteConditions {
  readonly #since: Record<Kind, Map<string, number>> = {
    overloaded: new Map(),
    meterLost: new Map(),
    unconfirmed: new Map(),
  };
  #startedAt: number | null = null;
  #reported: string | null = null;

  /** Takes a plan. Returns the conditions if they changed; null otherwise, and at first, when earlier ones may still last. */
  take(site: Site, plan: PublishedPlan): Conditions | null {
    this.#startedAt ??= plan.at;
    const current = currentConditions(site, plan);
    const conditions: Conditions = {
      overloaded: this.#lasting('overloaded', current, plan.at),
      meterLost: this.#lasting('meterLost', current, plan.at),
      unconfirmed: this.#lasting('unconfirmed', current, plan.at),
    };
    const isFirst = plan.at - this.#startedAt < Math.max(...Object.values(reportedAfter)) * 1000;
    const reported = JSON.stringify(conditions);
    if (isFirst || reported === this.#reported) return null;
    this.#reported = reported;
    return conditions;
  }

  /** Lets the next plan report again, after a report failed. */
  repeat(): void {
    this.#reported = null;
  }

  #lasting(kind: Kind, current: Conditions, at: number): string[] {
    const since = new Map(current[kind].map((id) => [id, this.#since[kind].get(id) ?? at]));
    this.#since[kind] = since;
    return [...since].filter(([, from]) => at - from >= reportedAfter[kind] * 1000).map(([id]) => id);
  }
}

function currentConditions(
  { connectors }: Site,
  { lines, lostMeters, connectors: planned }: PublishedPlan,
): Conditions {
  const overloaded = lines.filter(({ loadAmps, limitAmps }) => loadAmps > limitAmps + readingTolerance);
  const unconfirmed = planned.filter(
    ({ reason, isOnline, demand }, index) =>
      connectors[index]?.control === 'profiles' &&
      ['offline', 'unconfirmed', 'uncontrolled'].includes(reason.kind) &&
      (isOnline || demand !== null),
  );
  return {
    overloaded: [...new Set(overloaded.map(({ circuitId }) => circuitId))],
    meterLost: lostMeters,
    unconfirmed: unconfirmed.map(({ connectorId }) => connectorId),
  };
}
