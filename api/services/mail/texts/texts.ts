import { de } from './de.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';
import { nl } from './nl.ts';

/** What an e-mail is about, with what its text needs. `token` is shown once and good once. */
export type MailMessage =
  | { kind: 'verify-email'; token: string }
  | { kind: 'account-exists'; token: string }
  | { kind: 'reset-password'; token: string }
  | { kind: 'password-changed' }
  | FailedCharge;

/** Why a scheduled charge was not started. missed: we could not try. */
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

/** A message as text: paragraphs, and what there is to do about it. */
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

const texts = { en, de, nl, fr } satisfies Record<string, Texts>;

export type Language = keyof typeof texts;

/** The first of these language tags (BCP 47) that we have texts in; English when there is none. */
export function languageOf(...tags: (string | null)[]): Language {
  const spoken = tags.map((tag) => tag?.split('-')[0]?.toLowerCase());
  return spoken.filter((tag) => tag !== undefined).find(isLanguage) ?? 'en';
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(texts, tag);
}

/** What a message says in a language, and the words around it. */
export function textOf(
  language: Language,
  message: MailMessage,
  network: string,
): MailText & { orEnterCode: string } {
  const own: Texts = texts[language];
  // One function for each kind takes messages of that kind.
  const write = own[message.kind] as (message: MailMessage, network: string) => MailText;
  return { ...write(message, network), orEnterCode: own.orEnterCode };
}
