/** ICU divides text without spaces into words by dictionaries. */
const words = new Intl.Segmenter('en', { granularity: 'word' });
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Scripts that are written without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3000-\u303f\uff00-\uffef]/u;
const opening = /[\p{Ps}\p{Pi}]$/u;
const following = /^(?![\p{Ps}\p{Pi}])[\p{P}\p{M}ー々～〜]/u;

/** Returns the letters of a text as a reader counts them, with their marks. */
export function lettersOf(text: string): string[] {
  return [...letters.segment(text)].map(({ segment }) => segment);
}

/** Returns the parts of a paragraph between which a line may end; a part keeps the space before it. */
export function breakableParts(paragraph: string): string[] {
  return paragraph.split(' ').flatMap((word, index) => {
    const [first = '', ...others] = unspaced.test(word) ? unspacedParts(word) : [word];
    return [index === 0 ? first : ` ${first}`, ...others];
  });
}

/** No line begins with closing punctuation, or ends with an opening one. */
function unspacedParts(word: string): string[] {
  const parts: string[] = [];
  for (const { segment } of words.segment(word)) {
    const last = parts.at(-1);
    const isTogether =
      last === undefined || opening.test(last) || following.test(segment) || !unspaced.test(last + segment);
    if (isTogether) parts.splice(-1, 1, (last ?? '') + segment);
    else parts.push(segment);
  }
  return parts;
}
