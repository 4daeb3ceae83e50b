import { type Backoff, jittered } from '#shared/domain/kernel/backoff.ts';
import type { BreakerPolicy } from '#shared/domain/kernel/circuit-breaker.ts';
import { type EventFilter, type PublicEvent, publicEventTypes, takesEvent } from './event-types.ts';

/** Order of the events of an endpoint: `object`: of each subject; `endpoint`: of all, one after the other. */
export const webhookOrders = ['object', 'endpoint'] as const;
export type WebhookOrder = (typeof webhookOrders)[number];

/** Reason why an endpoint receives nothing. */
export const disabledReasons = [
  'operator',
  'gone',
  'unreachable',
  'owner-revoked',
  'secret-unreadable',
] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Reason why an event, or a range of events, is a dead letter. */
export const deadLetterReasons = ['refused', 'expired', 'unreachable', 'lost'] as const;
export type DeadLetterReason = (typeof deadLetterReasons)[number];

/** Types that a filter may name: each public type, and all types of a subject as `subject.*`. */
export const filterTypes: readonly string[] = [
  ...Object.keys(publicEventTypes),
  ...new Set(Object.keys(publicEventTypes).map((type) => `${subjectOf(type)}.*`)),
];

/** Filter of an endpoint. Types may end with `.*`; an empty list and null take everything. */
export interface WebhookFilter {
  types: readonly string[];
  chargerUuid: string | null;
  locationUuid: string | null;
}

function subjectOf(type: string): string {
  return type.slice(0, type.indexOf('.'));
}

/** Returns true when the filter of an endpoint takes an event. */
export function takesWebhookEvent(filter: WebhookFilter, event: PublicEvent): boolean {
  const { types, chargerUuid, locationUuid } = filter;
  const isTypeTaken =
    types.length === 0 || types.includes(event.type) || types.includes(`${subjectOf(event.type)}.*`);
  const rest: EventFilter = {
    chargerUuid: chargerUuid ?? undefined,
    locationUuid: locationUuid ?? undefined,
  };
  return isTypeTaken && takesEvent(rest, event);
}

/** Returns the key of an event's lane: events of one key are delivered in their order. */
export function laneKeyOf(order: WebhookOrder, event: PublicEvent): string {
  return order === 'endpoint' ? '' : `${subjectOf(event.type)}/${event.subjectUuid}`;
}

/** Prefix of the keys of replayed events, each of which is a lane of its own. */
export const replayPrefix = 'replay:';

/** Outcome of one request to an endpoint. */
export type WebhookOutcome =
  | { kind: 'delivered' }
  /** The endpoint answered and does not take this event. */
  | { kind: 'refused' }
  /** The endpoint did not answer, or has no capacity. */
  | { kind: 'unavailable'; retryAfterMs: number | null }
  /** 410: the endpoint wants no events any more. */
  | { kind: 'gone' };

/** Statuses of an endpoint that is down, overloaded or limits its rate. They report nothing on the event. */
const awayStatuses = new Set([408, 425, 429, 502, 503, 504]);

/** Maximum pause that an endpoint may request (ms). */
const maxRetryAfterMs = 3_600_000;

/**
 * Returns the outcome of a response.
 * @param retryAfter the header Retry-After: seconds, or a date (RFC 9110 §10.2.3).
 */
export function outcomeOf(status: number, retryAfter: string | undefined, now: number): WebhookOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };
  if (!awayStatuses.has(status)) return { kind: 'refused' };
  return { kind: 'unavailable', retryAfterMs: pauseOf(retryAfter, now) };
}

function pauseOf(retryAfter: string | undefined, now: number): number | null {
  if (retryAfter === undefined) return null;
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return Number.isNaN(ms) || ms <= 0 ? null : Math.min(ms, maxRetryAfterMs);
}

/** Tries of one event, and rows that wait. Times in ms. */
export interface OrderPolicy {
  /** Pauses between the tries of an event; after the last one it is a dead letter. */
  retriesMs: readonly number[];
  /** Requests to the endpoint side by side. */
  sideBySide: number;
  /** Rows of `webhook_retries` at which the endpoint waits for them before more events are read. */
  maxWaiting: number;
  breaker: BreakerPolicy;
}

/** Rules of the delivery. Times in ms. */
export interface WebhookPolicy {
  /** Interval at which a process looks for work by itself. */
  everyMs: number;
  timeoutMs: number;
  /** Lease of an endpoint, and the interval at which its process renews it. */
  leaseMs: number;
  renewEveryMs: number;
  /** Interval at which positions are stored. A process that dies repeats what it delivered since. */
  saveEveryMs: number;
  /** Events that are read at a time. */
  pageSize: number;
  /** Time for which an endpoint may be down before it is disabled. */
  givesUpAfterMs: number;
  order: Record<WebhookOrder, OrderPolicy>;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const toMs = (seconds: number): number => seconds * second;
const openBreaker: Backoff = { firstMs: 5 * second, longestMs: 5 * minute };

export const webhookPolicy: WebhookPolicy = {
  everyMs: second,
  timeoutMs: 10 * second,
  leaseMs: 15 * second,
  renewEveryMs: 4 * second,
  saveEveryMs: 250,
  pageSize: 500,
  givesUpAfterMs: 72 * hour,
  order: {
    // Twelve tries in three days: nothing but the events of the same subject waits.
    object: {
      retriesMs: [5, 30, 120, 600, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 72_000].map(toMs),
      sideBySide: 8,
      maxWaiting: 10_000,
      breaker: { failuresToOpen: 5, open: openBreaker },
    },
    // Eight tries in 40 minutes: everything else of the endpoint waits.
    endpoint: {
      retriesMs: [5, 30, 60, 120, 300, 600, 1200].map(toMs),
      sideBySide: 1,
      maxWaiting: 1,
      breaker: { failuresToOpen: 3, open: openBreaker },
    },
  },
};

/** Returns the pause after a failed try, with jitter; null: it was the last one. */
export function retryAfterTry({ retriesMs }: OrderPolicy, tries: number): number | null {
  const pause = retriesMs[tries - 1];
  return pause === undefined ? null : jittered(pause);
}
