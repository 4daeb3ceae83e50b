import type { Random } from '#shared/simulator/random.ts';
import { at, type Payload } from '#shared/ocpp/test/support/sample.ts';

export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)] as T;
}

/** A whole number from 0 to below `limit`. */
export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

/** Values that a field does not expect; raw JSON, since some of them no JavaScript value is written as. */
const oddValues = [
  'null',
  'true',
  '7',
  '-1',
  '1.5',
  '1e308',
  '-1e308',
  '1e400',
  '5e-324',
  '2147483647',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"7"',
  '"-1.5"',
  '"NaN"',
  '"1e999"',
  '"constructor"',
  '"__proto__"',
  '"1970-01-01T00:00:00Z"',
  '"9999-12-31T23:59:59Z"',
  '"0000-01-01T00:00:00Z"',
  '"2026-02-30T25:61:61"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\\\ud800\\udc00"',
  '"\\udc00\\ud800"',
  '"%00%s${1}\'; drop table sessions; --"',
  '"\u202e\ufeff\u{1f600}"',
  '[]',
  '{}',
  '[null]',
  '[[[[[[]]]]]]',
  '{"__proto__":{"type":1}}',
  '{"length":-1}',
];

/** Marks where raw JSON goes. */
const slot = '\u0001slot\u0001';

/** The JSON pointers of every value inside a payload. */
function pointersOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => [
    `${path}/${key}`,
    ...pointersOf(child, `${path}/${key}`),
  ]);
}

/** The payload's text with the value at a pointer replaced by raw JSON. */
function withRaw(payload: Payload, pointer: string, raw: string): string {
  const copy = structuredClone(payload);
  const cut = pointer.lastIndexOf('/');
  at(copy, pointer.slice(0, cut))[pointer.slice(cut + 1)] = slot;
  // A function: `$` in a replacement text has a meaning of its own.
  return JSON.stringify(copy).replace(JSON.stringify(slot), () => raw);
}

/** The payload's text with one to three of its values replaced by odd ones. */
export function withOddValues(random: Random, payload: Payload): string {
  let text = JSON.stringify(payload);
  for (let n = below(random, 3); n >= 0; n -= 1) {
    const now = JSON.parse(text) as Payload;
    const pointers = pointersOf(now);
    if (pointers.length === 0) break;
    text = withRaw(now, pick(random, pointers), oddValue(random));
  }
  return text;
}

function oddValue(random: Random): string {
  switch (below(random, 12)) {
    case 0:
      return JSON.stringify(pick(random, ['x', ' ', 'é', '😀']).repeat(below(random, 30_000)));
    case 1:
      return nested(1 + below(random, 200), random() < 0.5);
    default:
      return pick(random, oddValues);
  }
}

/** Lists or objects inside each other. */
export function nested(depth: number, ofObjects: boolean): string {
  return ofObjects ? `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}` : '['.repeat(depth) + ']'.repeat(depth);
}

const tokens = [
  '"',
  '\\',
  '\\u',
  '\\u0000',
  '\\ud83d',
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  'null',
  '-',
  '1e99',
  '\ufeff',
  '\u0000',
];

/** A text with a few characters deleted, doubled, replaced or put in. */
export function withNoise(random: Random, text: string): string {
  let noisy = text;
  for (let n = below(random, 4); n >= 0; n -= 1) {
    const from = below(random, noisy.length);
    const to = from + below(random, 12);
    const part = noisy.slice(from, to);
    const change = pick(random, [
      '',
      part + part,
      pick(random, tokens),
      String.fromCharCode(below(random, 0x3000)),
    ]);
    noisy = noisy.slice(0, from) + change + noisy.slice(to);
  }
  // A lone half of a surrogate pair cannot be said in UTF-8.
  return (random() < 0.1 ? noisy.slice(0, below(random, noisy.length)) : noisy).toWellFormed();
}
