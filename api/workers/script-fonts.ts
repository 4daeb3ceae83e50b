import { fileURLToPath } from 'node:url';

/** Fonts of letters that DejaVu Sans lacks. pdfkit reads a file when the first text needs it. */
const families = {
  thai: ['noto-sans-thai', 'NotoSansThai'],
  devanagari: ['noto-sans-devanagari', 'NotoSansDevanagari'],
  japanese: ['noto-sans-jp', 'NotoSansJP'],
  korean: ['noto-sans-kr', 'NotoSansKR'],
  // With the traditional characters.
  chinese: ['noto-sans-sc', 'NotoSansSC'],
} as const;

export type ScriptFont = keyof typeof families;

const fileOf = ([folder, file]: readonly [string, string], weight: string) =>
  fileURLToPath(import.meta.resolve(`@expo-google-fonts/${folder}/${weight}/${file}_${weight}.ttf`));

/** Files of each font by its name. */
export const scriptFontFiles = Object.entries(families).map(([name, family]) => ({
  name: name as ScriptFont,
  regular: fileOf(family, '400Regular'),
  bold: fileOf(family, '700Bold'),
}));

/** Letters of each script, with the punctuation that only they have. */
const thai = /\p{Script=Thai}/u;
const devanagari = /[\p{Script=Devanagari}\u0964\u0965]/u;
const hangul = /\p{Script=Hangul}/u;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Characters; and what all three write with them: punctuation, enclosed letters, units, and letters of full width. */
const han =
  /[\p{Script=Han}\p{Script=Bopomofo}\u3000-\u303f\u30a0-\u30ff\u3200-\u33ff\ufe30-\ufe4f\uff00-\uffef]/u;

/** Returns whether DejaVu Sans lacks letters of a text. */
export function needsScriptFont(text: string): boolean {
  return [thai, devanagari, kana, hangul, han].some((letters) => letters.test(text));
}

/** Returns the fonts that may have a letter, the best first; an empty list stands for DejaVu Sans. */
export function scriptFontsOf(letter: string, eastAsian: ScriptFont): ScriptFont[] {
  if (thai.test(letter)) return ['thai'];
  if (devanagari.test(letter)) return ['devanagari'];
  const isEastAsian = [kana, hangul, han].some((letters) => letters.test(letter));
  return isEastAsian ? [eastAsian, 'chinese', 'japanese', 'korean'] : [];
}

/**
 * Returns the font for the characters of a text, which Chinese, Japanese and Korean write differently: by its other letters, or by
 * the language and the country of the document.
 */
export function eastAsianFontOf(text: string, language: string): ScriptFont {
  if (hangul.test(text)) return 'korean';
  if (kana.test(text)) return 'japanese';
  const { language: spoken, region } = new Intl.Locale(language);
  if (spoken === 'ja' || region === 'JP') return 'japanese';
  return spoken === 'ko' || region === 'KR' ? 'korean' : 'chinese';
}
