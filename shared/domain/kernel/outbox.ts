/** Type of an event in the outbox. The subject of an event is the row that the first word names. */
export type EventType =
  | 'session.created'
  | 'session.updated'
  /** The fact of a session must be sent again, although the session did not change. */
  | 'session_fact.due'
  | 'location.created'
  | 'location.updated'
  | 'evse.created'
  /** Without a changed column: the status of the EVSE changed. */
  | 'evse.updated'
  | 'tariff.updated'
  | 'tariff_assignment.created'
  | 'tariff_assignment.updated'
  | 'cdr.created'
  /** A reservation was cancelled or removed before it was used or expired. */
  | 'reservation.ended'
  /** The subject is the charger; `data.evse` is the EVSE number, 0 for the charger as a whole. */
  | 'charging_profile.changed'
  /** A limit beside ours began or ended at a charger. Subject and data as of `charging_profile.changed`. */
  | 'charging_limit.changed';

/** Types of events that each reader of the outbox takes. The names are rows of `outbox_readers`. */
export const eventsOfReader = {
  'session-facts': ['session.created', 'session.updated', 'session_fact.due'],
  cdrs: ['session.created', 'session.updated'],
  'evse-use': ['session.created', 'session.updated'],
  'ocpi-pushes': [
    'session.created',
    'session.updated',
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
