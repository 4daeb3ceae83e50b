import type { PublicEvent } from '#shared/domain/events/event-types.ts';
import {
  laneKeyOf,
  type OrderPolicy,
  retryAfterTry,
  takesWebhookEvent,
  type WebhookPolicy,
} from '#shared/domain/events/webhook.ts';
import { buryRetry } from '#shared/postgres/events/webhook-dead-letters.ts';
import { disableEndpoint } from '#shared/postgres/events/webhook-endpoints.statements.ts';
import {
  type ClaimedLane,
  type LaneProgress,
  recordLaneFailure,
  recordRecovery,
} from '#shared/postgres/events/webhook-lanes.ts';
import {
  countWaitingByKey,
  listDueRetries,
  parkEvents,
  type ParkedEvent,
  postponeRetry,
  type RetryRecord,
  settleRetry,
} from '#shared/postgres/events/webhook-retries.ts';
import { cloudEventOf } from './cloud-event.ts';
import type { WebhookDeps } from './deps.ts';
import type { EventPages } from './event-pages.ts';
import { LowWaterMark } from './low-water-mark.ts';
import { sideBySide } from './side-by-side.ts';
import { WaitingCounts } from './waiting-counts.ts';
import { type Verdict, WebhookBreaker } from './webhook-breaker.ts';
import { openSecrets } from './webhook-secrets.ts';
import { type Attempt, type Message, sendWebhook } from './webhook-sender.ts';

type LaneDeps = Pick<WebhookDeps, 'sql' | 'secrets' | 'webhookOutbound' | 'deliveries' | 'settings'>;

/**
 * Delivery to one endpoint, by the process that has its lease. Events that arrive leave no row: the position moves on. Events that fail
 * wait in `webhook_retries`, with later events of the same key behind them. See docs/adr/0054-event-streams-and-webhooks.md.
 */
export class WebhookLane {
  readonly claimed: ClaimedLane;
  readonly #deps: LaneDeps;
  readonly #policy: WebhookPolicy;
  readonly #order: OrderPolicy;
  readonly #pages: EventPages;
  /** Secrets that sign, as they were at the beginning of a round. */
  #secrets: () => readonly string[] = () => [];
  readonly #breaker: WebhookBreaker;
  readonly #mark: LowWaterMark;
  /** Null until the waiting events were counted. */
  #waiting: WaitingCounts | null = null;
  /** Events that were settled since the last progress, so that a count is stored with the position that it belongs to. */
  #delivered = 0;
  #savedPosition: bigint;
  #isStopped = false;

  constructor(deps: LaneDeps, pages: EventPages, policy: WebhookPolicy, claimed: ClaimedLane) {
    this.claimed = claimed;
    this.#deps = deps;
    this.#policy = policy;
    this.#order = policy.order[claimed.order];
    this.#pages = pages;
    this.#breaker = new WebhookBreaker(claimed, this.#order);
    this.#mark = new LowWaterMark(claimed.position);
    this.#savedPosition = claimed.position;
  }

  /** Sends nothing more; requests in progress end. */
  stop(): void {
    this.#isStopped = true;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** True while the endpoint's pause lasts. */
  get isPaused(): boolean {
    return this.#breaker.isPaused;
  }

  /** Returns what was done since the last call; null: nothing. */
  takeProgress(): LaneProgress | null {
    const { position } = this.#mark;
    if (position === this.#savedPosition && this.#delivered === 0) return null;
    const { endpointId, lease } = this.claimed;
    const progress = { endpointId, lease, position, delivered: this.#delivered };
    this.#savedPosition = position;
    this.#delivered = 0;
    return progress;
  }

  /** Delivers until nothing is due, or a pause begins. Rounds of retries and of new events take turns. */
  async drain(): Promise<void> {
    this.#waiting ??= new WaitingCounts(await countWaitingByKey(this.#deps.sql, this.claimed.endpointId));
    let isMore = true;
    while (isMore && !this.#isHalted) {
      // A new secret signs from the next round on, with the one before it.
      this.#secrets = await openSecrets(this.#deps, this.claimed.endpointId);
      const hasRetried = await this.#deliverRetries();
      const hasMoreEvents = await this.#deliverPage();
      isMore = hasRetried || hasMoreEvents;
    }
  }

  get #isHalted(): boolean {
    return this.#isStopped || this.#breaker.isPaused;
  }

  /** True while so many events wait that no more are read. */
  get #isFull(): boolean {
    return this.#counts.total >= this.#order.maxWaiting;
  }

  get #counts(): WaitingCounts {
    if (this.#waiting === null) throw new Error('the waiting events were not counted');
    return this.#waiting;
  }

  /** Reads a page and delivers its events. Returns true when more can be read. */
  async #deliverPage(): Promise<boolean> {
    if (this.#isHalted || this.#isFull) return false;
    const page = await this.#pages.after(this.claimed.networkId, this.#mark.position);
    const taken = page.events.filter((event) => takesWebhookEvent(this.claimed, event));
    const events = this.#breaker.isDown ? taken.slice(0, 1) : taken;
    this.#mark.begin(events.map(({ position }) => position));
    const byKey = Map.groupBy(events, (event) => laneKeyOf(this.claimed.order, event));
    await sideBySide(byKey, this.#order.sideBySide, ([key, group]) => this.#deliverGroup(key, group));
    const isWhole = events.length === taken.length;
    const upTo = isWhole ? page.upTo : (events.at(-1)?.position ?? page.upTo);
    return this.#mark.finish(upTo) && (!isWhole || page.hasMore);
  }

  /** Delivers events of one key, one after the other. */
  async #deliverGroup(key: string, group: readonly PublicEvent[]): Promise<void> {
    for (const [index, event] of group.entries()) {
      if (this.#isHalted || this.#isFull) return;
      if (this.#counts.has(key)) {
        await this.#park(group.slice(index).map((later) => this.#parked(key, later)));
        return;
      }
      const waiting = this.#parked(key, event);
      const attempt = await this.#send(waiting, 1);
      if (attempt.outcome.kind === 'delivered') {
        await this.#recover();
        this.#delivered += 1;
        this.#mark.settle(event.position);
        continue;
      }
      const verdict = await this.#fail(attempt, true);
      if (verdict === null) return;
      const tries = verdict.countsAsTry ? 1 : 0;
      const dueInMs = verdict.pauseMs ?? retryAfterTry(this.#order, 1) ?? 0;
      await this.#park([{ ...waiting, tries, dueInMs, error: attempt.error }]);
    }
  }

  #parked(laneKey: string, event: PublicEvent): ParkedEvent {
    const { id: eventId, position, type } = event;
    const body = JSON.stringify(cloudEventOf(event, this.#deps.settings.publicUrl));
    return { laneKey, position, eventId, type, body, tries: 0, dueInMs: null, error: null };
  }

  /** Stores events that wait. They are settled for the position. */
  async #park(events: readonly ParkedEvent[]): Promise<void> {
    if (!(await parkEvents(this.#deps.sql, this.claimed, events))) {
      this.#isStopped = true;
      return;
    }
    for (const { laneKey, position } of events) {
      this.#counts.add(laneKey);
      this.#mark.settle(position);
    }
  }

  /**
   * Tries events that are due again: while the endpoint is down only one, else those that follow a success too. Returns false when
   * none was due.
   */
  async #deliverRetries(): Promise<boolean> {
    if (this.#counts.isEmpty) return false;
    const limit = this.#order.sideBySide;
    const { isDown: isProbe } = this.#breaker;
    const due = await listDueRetries(this.#deps.sql, this.claimed.endpointId, { limit, isProbe });
    await sideBySide(due, limit, (first) => this.#retryKey(first));
    return due.length > 0;
  }

  async #retryKey(first: RetryRecord): Promise<void> {
    let next: RetryRecord | null = first;
    while (next !== null && !this.#isHalted) {
      const attempt = await this.#send(next, next.tries + 1);
      if (attempt.outcome.kind === 'delivered') {
        await this.#recover();
        const following = await settleRetry(this.#deps.sql, this.claimed.endpointId, next);
        this.#delivered += 1;
        next = this.#following(next, following);
        continue;
      }
      const verdict = await this.#fail(attempt, false);
      if (verdict === null) return;
      const tries = next.tries + (verdict.countsAsTry ? 1 : 0);
      const isOver = verdict.countsAsTry
        ? tries > this.#order.retriesMs.length
        : this.#isTooOld(next, verdict);
      const pauseMs = isOver ? null : (retryAfterTry(this.#order, Math.max(1, tries)) ?? 0);
      if (pauseMs !== null) {
        const dueInMs = verdict.pauseMs ?? pauseMs;
        await postponeRetry(this.#deps.sql, this.claimed.endpointId, next, {
          tries,
          dueInMs,
          error: attempt.error,
        });
        return;
      }
      const reason = attempt.outcome.kind === 'refused' ? 'refused' : 'expired';
      const death = { reason, tries, error: attempt.error } as const;
      next = this.#following(next, await buryRetry(this.#deps.sql, this.claimed.endpointId, next, death));
    }
  }

  /** An endpoint that limits its rate for days, and is not down, ends the tries of an event by its age. */
  #isTooOld({ createdAt }: RetryRecord, { isDown }: Verdict): boolean {
    return !isDown && Date.now() - createdAt.getTime() > this.#policy.givesUpAfterMs;
  }

  /** Counts an event that waits no more, and returns the one behind it. */
  #following({ laneKey }: RetryRecord, next: RetryRecord | null): RetryRecord | null {
    this.#counts.remove(laneKey, next === null);
    return next;
  }

  #send(
    { eventId, type, body }: Pick<ParkedEvent, 'eventId' | 'type' | 'body'>,
    tryNumber: number,
  ): Promise<Attempt> {
    const message: Message = { eventId, key: String(eventId), type, body, tryNumber };
    const destination = { ...this.claimed, secrets: this.#secrets };
    return sendWebhook(this.#deps, destination, message, this.#policy.timeoutMs);
  }

  /** Closes the breaker after a success. */
  async #recover(): Promise<void> {
    const closed = this.#breaker.succeeded();
    if (closed !== null) await recordRecovery(this.#deps.sql, this.claimed, closed.wasDown);
  }

  /** Stores a failure; null: the endpoint was disabled. */
  async #fail({ outcome, error }: Attempt, isFirstTry: boolean): Promise<Verdict | null> {
    const verdict = this.#breaker.failed({ outcome, isFirstTry });
    await recordLaneFailure(this.#deps.sql, this.claimed, { ...verdict, error });
    const isOver = this.#breaker.downMs(Date.now()) > this.#policy.givesUpAfterMs;
    const reason = outcome.kind === 'gone' ? 'gone' : isOver ? 'unreachable' : null;
    if (reason === null) return verdict;
    this.#isStopped = true;
    await this.#deps.sql.begin((transaction) =>
      disableEndpoint(transaction, this.claimed.endpointId, reason),
    );
    return null;
  }
}
