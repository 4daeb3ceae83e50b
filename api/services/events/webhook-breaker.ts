import type { ClaimedLane } from '#shared/postgres/events/webhook-lanes.ts';
import type { OrderPolicy, WebhookOrder, WebhookOutcome } from '#shared/domain/events/webhook.ts';
import { afterFailure, type BreakerCounts, isTripped } from '#shared/domain/kernel/circuit-breaker.ts';

/** Failed request, as the breaker counts it. */
interface Failure {
  outcome: WebhookOutcome;
  /** True for the first try of an event: the breaker counts different events. */
  isFirstTry: boolean;
}

/** Verdict on a failure. */
export interface Verdict extends BreakerCounts {
  /** Time for which nothing is sent (ms); null: no pause. */
  pauseMs: number | null;
  isDown: boolean;
  /** True when the failure is one of the event, which has a limited number of tries. */
  countsAsTry: boolean;
}

/** Circuit breaker of one endpoint, as its process sees it. */
export class WebhookBreaker {
  readonly #order: WebhookOrder;
  readonly #policy: OrderPolicy;
  #counts: BreakerCounts;
  #downSince: number | null;
  #pausedUntil = 0;

  constructor(lane: Pick<ClaimedLane, 'order' | 'failures' | 'opened' | 'downSince'>, policy: OrderPolicy) {
    this.#order = lane.order;
    this.#policy = policy;
    this.#counts = { failures: lane.failures, opened: lane.opened };
    this.#downSince = lane.downSince?.getTime() ?? null;
  }

  /** True while the endpoint counts as down: one event at a time is tried. */
  get isDown(): boolean {
    return isTripped(this.#counts, this.#policy.breaker);
  }

  /** True while nothing is sent. */
  get isPaused(): boolean {
    return performance.now() < this.#pausedUntil;
  }

  /** Time for which the endpoint has been down, in ms. */
  downMs(now: number): number {
    return this.#downSince === null ? 0 : now - this.#downSince;
  }

  /** Counts a success. Returns null when nothing was open, else whether the endpoint was down. */
  succeeded(): { wasDown: boolean } | null {
    if (this.#counts.failures === 0) return null;
    const wasDown = this.isDown;
    this.#counts = { failures: 0, opened: 0 };
    this.#downSince = null;
    return { wasDown };
  }

  /** Counts a failure. */
  failed({ outcome, isFirstTry }: Failure): Verdict {
    const wasDown = this.isDown;
    const isAway = outcome.kind === 'unavailable';
    if (isAway && outcome.retryAfterMs !== null) return this.#pause(outcome.retryAfterMs, false);
    const { breaker } = this.#policy;
    // With delivery in one order nothing else can be tried: an endpoint that does not answer is down at once.
    const isBlocked = isAway && this.#order === 'endpoint';
    if (isBlocked && !wasDown) this.#counts = { ...this.#counts, failures: breaker.failuresToOpen - 1 };
    if (!isBlocked && !isFirstTry && !wasDown) return this.#pause(null, true);
    const { pauseMs, ...counts } = afterFailure(this.#counts, breaker, {
      isProbe: wasDown && !this.isPaused,
      isOpen: this.isPaused,
    });
    this.#counts = counts;
    if (this.isDown) this.#downSince ??= Date.now();
    return this.#pause(pauseMs, !this.isDown);
  }

  #pause(pauseMs: number | null, countsAsTry: boolean): Verdict {
    if (pauseMs !== null) this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + pauseMs);
    return { ...this.#counts, pauseMs, isDown: this.isDown, countsAsTry };
  }
}
