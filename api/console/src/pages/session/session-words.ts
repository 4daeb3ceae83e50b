import type { TFunction } from 'i18next';
import { en } from '../../texts/english.ts';

type Words = TFunction<['session', 'common']>;

const isWord = (word: string): word is keyof typeof en.session.word => word in en.session.word;
const isFlag = (flag: string): flag is keyof typeof en.session.flag => flag in en.session.flag;

/** Returns the text of a word of OCPP or of the API; or the word itself. */
export function wordText(t: Words, word: string): string {
  return isWord(word) ? t(`word.${word}`) : word;
}

/** Returns the text of a word for a cell of a table. */
export function wordTitle(t: Words, word: string): string {
  const text = wordText(t, word);
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** Returns what a flag of a session means. */
export function flagText(t: Words, flag: string): string {
  return isFlag(flag) ? t(`flag.${flag}`) : t('flag.other', { flag });
}

/** Flags that the page can name, for a filter. */
export const knownFlags = Object.keys(en.session.flag).filter((flag) => flag !== 'other');
