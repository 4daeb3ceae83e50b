/** Subject of an e-mail, with the values that its text needs. `token` is sent once and valid once. */
export type MailMessage =
  | { kind: 'verify-email'; token: string }
  | { kind: 'account-exists'; token: string }
  | { kind: 'reset-password'; token: string }
  | { kind: 'password-changed' }
  | FailedCharge;

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
export interface FailedCharge {
  kind: 'scheduled-charge-failed';
  charger: string;
  startAt: Date;
  timeZone: string;
  reason: FailedStartReason;
}

export type MailKind = MailMessage['kind'];

/** Message as text: paragraphs, and the action that it asks for. */
export interface MailText {
  subject: string;
  paragraphs: string[];
  /** The label of the link, where the message has one. */
  action?: string;
}

/** Every message in one language; `network` is the network's name. */
export type Texts = {
  [Kind in MailKind]: (message: Extract<MailMessage, { kind: Kind }>, network: string) => MailText;
} & {
  /** Above a token, for those who cannot follow the link. */
  orEnterCode: string;
};
