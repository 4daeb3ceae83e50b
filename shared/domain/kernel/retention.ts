/** Retention in days of stored records. Null: indefinitely. */
export interface Retention {
  /** Logs: OCPP messages, device events, exchanges with roaming partners, deliveries to webhooks. */
  logDays: number;
  /** Meter readings, and readings of quarters of an hour. */
  readingDays: number | null;
  /** Records that no bill rests upon: the status history, security events, closed records such as resolved alerts. */
  recordDays: number | null;
  auditDays: number | null;
  /** Personal data of drivers who are not active; a network can shorten it. */
  personalDays: number | null;
}

/** Retention in days of events in the outbox that every reader has passed. */
export const outboxDays = 7;
