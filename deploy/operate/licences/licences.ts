import type { Component } from './inventory.ts';

/** Licences (SPDX) that permit use, change and distribution without duties beyond a notice. */
const permitted = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Of fonts: they are shipped unchanged, with their licence.
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Licences that were read by a person, of packages whose manifest names none. */
const readByHand: Readonly<Record<string, string>> = {
  // A licence of its own, like that of Bitstream Vera: free use and distribution, not under the same name when changed.
  'dejavu-fonts-ttf': 'Bitstream-Vera',
  'png-js': 'MIT',
};

/** Returns the licence of a package as an SPDX expression; null when its manifest has none. */
export function licenceOf({ name, licenses = [] }: Component): string | null {
  const [first] = licenses;
  if (first === undefined) return readByHand[name] ?? null;
  if ('expression' in first) return first.expression;
  return readByHand[name] ?? first.license.id ?? first.license.name ?? null;
}

/** Returns whether a licence may be shipped: with a choice, one of them suffices; what is joined must all be permitted. */
export function isPermitted(licence: string): boolean {
  if (licence === readByHand['dejavu-fonts-ttf']) return true;
  const choices = licence.replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((part) => permitted.has(part.trim())));
}
