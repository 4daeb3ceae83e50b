/** Kinds of events in the course of a session. */
export const timelineTypes = [
  'start-requested',
  'command',
  'reserved',
  'authorized',
  'start-reported',
  'started',
  'first-energy',
  'idle',
  'connector-status',
  'disconnected',
  'connected',
  'limit-reached',
  'stop-reported',
  'stopped',
  'hold-placed',
  'hold-released',
  'priced',
  'under-review',
  'changed',
  'corrected',
  'paid',
  'receipt-issued',
  'invoice-issued',
  'cdr-created',
  'cdr-credited',
] as const;
type TimelineType = (typeof timelineTypes)[number];

/** Origins of such events. */
export const timelineSources = [
  'session',
  'remote-start',
  'reservation',
  'audit-log',
  'message-log',
  'status-history',
  'readings',
  'wallet',
  'receipt',
  'invoice',
  'cdr',
] as const;
type TimelineSource = (typeof timelineSources)[number];

/** Kinds of records that an event refers to. */
export const timelineLinks = [
  'remote-start',
  'reservation',
  'audit-entry',
  'message',
  'wallet-transaction',
  'receipt',
  'invoice',
  'cdr',
] as const;

/** Event in the course of a session. */
export interface TimelineEntry {
  time: Date;
  type: TimelineType;
  source: TimelineSource;
  /** Operator, API key, partner or part of the product; null: no actor. */
  by: string | null;
  /** Resulting status, or decision. */
  status: string | null;
  /** Reason, or the OCPP action. */
  reason: string | null;
  /** End of an interval. */
  until: Date | null;
  link: { kind: (typeof timelineLinks)[number]; id: string } | null;
}

/** Maximum number of entries of a timeline. */
export const maxTimelineEntries = 200;
