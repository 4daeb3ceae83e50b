/**
 * Type of an event that the product's own readers take. The subject of an event is the row that the first word names. Of the public
 * events (`shared/domain/events/event-types.ts`) the readers take what `internal` holds.
 */
export type EventType =
  | 'session.started'
  | 'session.updated'
  | 'session.idle'
  | 'session.stopped'
  | 'session.priced'
  | 'session.amended'
  | 'session.under_review'
  /** The fact of a session must be sent again, although the session did not change. */
  | 'session_fact.due'
  | 'location.created'
  | 'location.updated'
  | 'evse.created'
  /** `internal.isWhole` false: only the status of the EVSE changed. */
  | 'evse.updated'
  | 'tariff.updated'
  | 'tariff_assignment.created'
  | 'tariff_assignment.updated'
  | 'cdr.created'
  /** A reservation was cancelled or removed before it was used or expired. */
  | 'reservation.ended'
  /** The subject is the charger; `data.evse` is the EVSE number, 0 for the charger as a whole. */
  | 'charging_profile.changed'
  /** A limit alongside ours began or ended at a charger. Subject and data as of `charging_profile.changed`. */
  | 'charging_limit.changed';

/** Events of the sessions themselves. The first one of a change holds what changed, others of the same change nothing. */
const sessionEvents = [
  'session.started',
  'session.updated',
  'session.idle',
  'session.stopped',
  'session.priced',
  'session.amended',
  'session.under_review',
] as const satisfies EventType[];

/** Types of events that each reader of the outbox takes. The names are rows of `outbox_readers`. */
export const eventsOfReader = {
  facts: [...sessionEvents, 'session_fact.due'],
  'cdr-marks': sessionEvents,
  'evse-usage': sessionEvents,
  'partner-pushes': [
    ...sessionEvents,
    'location.created',
    'location.updated',
    'evse.created',
    'evse.updated',
    'tariff.updated',
    'tariff_assignment.created',
    'tariff_assignment.updated',
    'cdr.created',
  ],
  'charging-changes': ['reservation.ended', 'charging_profile.changed', 'charging_limit.changed'],
} as const satisfies Record<string, readonly EventType[]>;

export type OutboxReader = keyof typeof eventsOfReader;
