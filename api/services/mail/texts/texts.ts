import { de } from './de.ts';
import { en } from './en.ts';
import { fr } from './fr.ts';
import type { MailMessage, MailText, Texts } from './messages.ts';
import { nl } from './nl.ts';

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

/** Returns the text of a message in a language, and the text around it. */
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
