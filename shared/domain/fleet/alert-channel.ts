import type { Backoff } from '#shared/domain/kernel/backoff.ts';
import type { AlertKind, AlertSeverity } from './alert.ts';

/** Formats in which alerts are sent to another system. */
export const alertChannelFormats = ['webhook', 'slack', 'teams', 'pagerduty'] as const;
export type AlertChannelFormat = (typeof alertChannelFormats)[number];

/** Secrets of a channel. They are stored sealed, and never shown. */
export interface AlertChannelTarget {
  /** Address that receives the requests. */
  url: string;
  /** Key of a PagerDuty service; null for other formats. */
  routingKey: string | null;
  /** Secret that signs webhooks; null: they are not signed. */
  signingSecret: string | null;
}

/** Selection of notifications. No kinds: all. */
export interface AlertChannelFilter {
  kinds: readonly AlertKind[];
  minimumSeverity: AlertSeverity;
}

/** Address of the Events API of PagerDuty, for channels without another one. */
export const pagerDutyUrl = 'https://events.pagerduty.com/v2/enqueue';

/**
 * State of the delivery of a notice. dropped: over or acknowledged before it was delivered. failed: the channel refused it at each try.
 */
export const alertChannelDeliveryStates = ['waiting', 'delivered', 'dropped', 'failed'] as const;
export type AlertChannelDeliveryState = (typeof alertChannelDeliveryStates)[number];

/** Way in which a format is sent. */
export interface ChannelPace {
  /** Notices that one request carries. */
  noticesPerRequest: number;
  /** Requests that follow each other without a pause, and the pause after them. */
  requestsAtOnce: number;
  pauseMs: number;
  /** True: the receiver keeps the state of each notification, so each that was sent is ended. */
  isStateful: boolean;
}

/** One message for readers lists all that is due; programs get a request for each notification. */
const readers: ChannelPace = { noticesPerRequest: 20, requestsAtOnce: 1, pauseMs: 30_000, isStateful: false };
const programs: ChannelPace = {
  noticesPerRequest: 1,
  requestsAtOnce: 20,
  pauseMs: 10_000,
  isStateful: true,
};

export const channelPaces: Record<AlertChannelFormat, ChannelPace> = {
  webhook: programs,
  slack: readers,
  teams: readers,
  pagerduty: programs,
};

/** Rules of the delivery to channels. */
export const alertChannelPolicy = {
  /** Channels of a network. */
  maxChannels: 50,
  timeoutMs: 10_000,
  /** Time after which a process that sends counts as dead. Longer than its requests take together. */
  leaseMs: 60_000,
  /** Time after which a process begins no further request of a round. */
  roundMs: 30_000,
  /** Pauses after failures. */
  backoff: { firstMs: 5000, longestMs: 300_000 } satisfies Backoff,
  /** Tries of a notice that its channel refuses. */
  refusedTries: 10,
};
