import { type DocumentLanguage, languageOf } from '#api/services/money/document-language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { Labels } from './labels.ts';
import { nl } from './nl.ts';
import { sv } from './sv.ts';

const catalogs: Record<DocumentLanguage, Labels> = { en, nl, de, fr, es, sv };

/** Returns the labels of a language (BCP 47). */
export function labelsOf(tag: string): Labels {
  return catalogs[languageOf(tag)];
}
