import { de } from './de.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';
import type { MailMessage, MailText, Texts } from './messages.ts';
import { nl } from './nl.ts';

const texts = { en, de, nl, fr } satisfies Record<string, Texts>;

export type Language = keyof typeof texts;

/** Returns the language of the first of these tags (BCP 47) that has texts, or English. */
export function languageOf(...tags: (string | null)[]): Language {
  const languages = tags.map((tag) => tag?.split('-')[0]?.toLowerCase());
  return languages.filter((tag) => tag !== undefined).find(isLanguage) ?? 'en';
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(texts, tag);
}

/** Returns the text of a message in a language, and the texts around it. */
export function textOf(
  language: Language,
  message: MailMessage,
  network: string,
): MailText & Pick<Texts, 'orEnterCode' | 'sentBy' | 'contact'> {
  const catalogue: Texts = texts[language];
  const { orEnterCode, sentBy, contact } = catalogue;
  // Each function takes only messages of its kind.
  const write = catalogue[message.kind] as (message: MailMessage, network: string) => MailText;
  return { ...write(message, network), orEnterCode, sentBy, contact };
}
