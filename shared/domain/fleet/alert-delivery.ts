/** Bounds of the e-mails about alerts. */
export const alertDelivery = {
  /** Minimum time between two e-mails of a network to one address; notices of that time are in one e-mail. */
  mailIntervalSeconds: 120,
  /** E-mails of a network to one address within an hour; further notices wait and share an e-mail. */
  mailsPerHour: 12,
  /** Notifications that one e-mail lists; the others are counted. */
  entriesPerMail: 20,
  /** Names that one entry lists; the others are counted. */
  namesPerEntry: 10,
  /** Openings of one condition within an hour that are reported as such; the next is reported as unstable, once. */
  openingsPerHour: 3,
} as const;

/** Reason of a notice. */
export const alertNoticeCauses = ['raised', 'escalated', 'cleared'] as const;
export type AlertNoticeCause = (typeof alertNoticeCauses)[number];
