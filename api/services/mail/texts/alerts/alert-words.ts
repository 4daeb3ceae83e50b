import type { Language } from '#api/services/mail/texts/texts.ts';
import type { AlertWords } from './alert-text.ts';
import { alertWordsDe } from './de.ts';
import { alertWordsEn } from './en.ts';
import { alertWordsFr } from './fr.ts';
import { alertWordsNl } from './nl.ts';

/** Words about alerts in each language. */
export const alertWords: Record<Language, AlertWords> = {
  en: alertWordsEn,
  de: alertWordsDe,
  fr: alertWordsFr,
  nl: alertWordsNl,
};
