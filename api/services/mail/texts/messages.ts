import type { AlertNoticeCause } from '#shared/domain/fleet/alert-delivery.ts';
import type { AlertKind, AlertSeverity } from '#shared/domain/fleet/alert.ts';

/** Subject of an e-mail, with the values that its text needs. `token` is sent once and valid once. */
export type MailMessage =
  | { kind: 'verify-email'; token: string }
  | { kind: 'account-exists'; token: string }
  | { kind: 'reset-password'; token: string }
  | { kind: 'password-changed' }
  | { kind: 'reset-operator-password'; token: string }
  | { kind: 'operator-password-changed' }
  | { kind: 'second-factor-reset' }
  | { kind: 'second-factor-failed' }
  | FailedCharge
  | AccountDeletion
  | AlertMail;

/** Reason why a scheduled charge was not started. missed: no attempt was possible in time. */
export type FailedStartReason =
  | 'offline'
  | 'occupied'
  | 'balance'
  | 'token'
  | 'gone'
  | 'no-car'
  | 'missed'
  | 'refused';

/** A scheduled charge that was not started; `timeZone`: of the charger. */
interface FailedCharge {
  kind: 'scheduled-charge-failed';
  charger: string;
  startAt: Date;
  timeZone: string;
  reason: FailedStartReason;
}

/** Announcement that an inactive driver is deleted at a time; `timeZone`: of the network. */
interface AccountDeletion {
  kind: 'account-deletion';
  /** Within the last day of the account. */
  keptUntil: Date;
  timeZone: string;
}

/** Notifications about alerts of a network, the most severe first. */
export interface AlertMail {
  kind: 'alerts';
  entries: AlertEntry[];
  /** Number of notifications beyond the listed ones. */
  more: number;
  /** Address of the alerts in the console. */
  alertsUrl: string;
}

/** Notification about alerts of one kind at one location. */
export interface AlertEntry {
  cause: AlertNoticeCause;
  kind: AlertKind;
  severity: AlertSeverity;
  isFlapping: boolean;
  /** Null: the alerts are at no location. */
  location: string | null;
  /** IANA name of the time zone of the location or the network. */
  timeZone: string;
  /** Number of alerts. */
  count: number;
  since: Date;
  /** Null: not over. */
  until: Date | null;
  /** Names of the first resources. `moreNames` is the number of the others. */
  names: string[];
  moreNames: number;
  stillOffline: number;
  /** Null: there are several alerts. */
  alertId: string | null;
}

type MailKind = MailMessage['kind'];

/** Message as text, in the order of its parts. */
export interface MailText {
  subject: string;
  /** Event, and the action that the reader should take. */
  paragraphs: string[];
  /** Label of the button that uses the token of the message. */
  action?: string;
  entries?: MailEntry[];
  /** Expiry of the link, what to do otherwise. */
  notes?: string[];
  links?: MailLink[];
}

export interface MailLink {
  label: string;
  url: string;
}

/** Item of a message, with a title and a link. */
export interface MailEntry {
  title: string;
  lines: string[];
  link: MailLink;
}

/** Every message in one language; `network` is the network's name. */
export type Texts = {
  [Kind in MailKind]: (message: Extract<MailMessage, { kind: Kind }>, network: string) => MailText;
} & {
  /** Above a token, for readers who cannot follow the link. */
  orEnterCode: string;
  /** Footer: the sender and its support address. */
  sentBy: (network: string) => string;
  contact: (email: string) => string;
};
