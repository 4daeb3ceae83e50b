import bidiFactory from 'bidi-js';

// Its types are those of an ES module, which Node does not load it as.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
const anyRightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Returns whether a text has letters that are read from right to left. */
export function runsLeft(text: string): boolean {
  return anyRightToLeft.test(text);
}

interface Part {
  text: string;
  /** Even ones are read from left to right (UAX #9). */
  level: number;
}

/**
 * The parts of one line of text as they stand on paper, from left to right, each to be set by itself, as the Unicode
 * Bidirectional Algorithm (UAX #9) has it: words, and spaces. Brackets among letters that run to the left are mirrored.
 */
export function readingOrder(line: string): string[] {
  const { levels } = bidi.getEmbeddingLevels(line);
  const parts: Part[] = [];
  let index = 0;
  for (const character of line) {
    const level = levels[index] ?? 0;
    const shown = level % 2 === 1 ? (bidi.getMirroredCharacter(character) ?? character) : character;
    const last = parts.at(-1);
    if (last !== undefined && last.level === level && ![character, last.text].includes(' '))
      last.text += shown;
    else parts.push({ text: shown, level });
    index += character.length;
  }
  return reordered(parts).map(({ text }) => text);
}

/** Rule L2: from the highest level down, what is at least at that level is turned round. */
function reordered(parts: readonly Part[]): Part[] {
  let order = [...parts];
  for (let level = Math.max(0, ...parts.map((part) => part.level)); level > 0; level -= 1) {
    const next: Part[] = [];
    let turned: Part[] = [];
    for (const part of order) {
      if (part.level >= level) {
        turned.unshift(part);
      } else {
        next.push(...turned, part);
        turned = [];
      }
    }
    order = [...next, ...turned];
  }
  return order;
}
