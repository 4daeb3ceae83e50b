/** Retention in days of what is stored. Null: indefinitely. */
export interface Retention {
  /** Meter readings. */
  meterValueDays: number | null;
  /** Readings of quarters of an hour, at least as long as the readings themselves. */
  readingRollupDays: number | null;
  /** Requests between roaming partners and this installation. */
  ocpiExchangeDays: number | null;
  /** Attempts to deliver events to webhooks. */
  webhookDeliveryDays: number | null;
  auditLogDays: number | null;
  /** Records that are closed and that no bill rests upon, such as resolved alerts and firmware updates. */
  closedRecordDays: number | null;
  /** Personal data of drivers who are not active; a network can shorten it. */
  personalDataDays: number | null;
}
