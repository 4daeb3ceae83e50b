import { globSync, readFileSync } from 'node:fs';
import t from 'tap';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import * as de from '#api/console/src/texts/de/index.ts';
import * as en from '#api/console/src/texts/en/index.ts';
import * as fr from '#api/console/src/texts/fr/index.ts';
import * as nl from '#api/console/src/texts/nl/index.ts';

type Tree = { readonly [name: string]: string | Tree };

/** Returns the texts of a language by key, such as `session:price.title`. */
function textsOf(catalogues: Record<string, Tree>): Map<string, string> {
  const texts = new Map<string, string>();
  const add = (tree: Tree, start: string) => {
    for (const [name, value] of Object.entries(tree)) {
      if (typeof value === 'string') texts.set(`${start}${name}`, value);
      else add(value, `${start}${name}${start === '' ? ':' : '.'}`);
    }
  };
  for (const catalogue of Object.values(catalogues)) add(catalogue, '');
  return texts;
}

const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{\{(\w+)/g)].map(([, name = '']) => name))].toSorted((left, right) =>
    left.localeCompare(right),
  );

const english = textsOf(en);
const source = globSync('api/console/src/**/*.{ts,tsx}')
  .filter((path) => !/\/texts\/(?:en|de|fr|nl)\//.test(path))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

/** Words of the source that may be keys: quoted texts, and templates whose inserted parts may be any. */
function usedWords(): { exact: Set<string>; patterns: RegExp[] } {
  const exact = new Set([...source.matchAll(/'([\w:.-]+)'/g)].map(([, word = '']) => word));
  const templates = [...source.matchAll(/`([\w:.-]*(?:\$\{[^}`]*\}[\w:.-]*)+)`/g)].map(([, word = '']) =>
    word.split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', String.raw`\.`)),
  );
  // A template of only inserted parts would match every key.
  const named = templates.filter((parts) => parts.join('').replaceAll(/\W/g, '').length > 1);
  const patterns = named.map((parts) => new RegExp(`^(?:\\w+:)?${parts.join('[\\w.-]+')}$`));
  // Read as a whole, for names that the API gives.
  const wholes = [...source.matchAll(/'([\w:.-]+)', \{ returnObjects: true/g)].map(([, word = '']) => word);
  return { exact, patterns: [...patterns, ...wholes.map((word) => new RegExp(`^(?:\\w+:)?${word}\\.`))] };
}

void t.test('every language has the texts of English, with the same placeholders', (t) => {
  for (const [language, catalogues] of Object.entries({ de, fr, nl })) {
    const texts = textsOf(catalogues);
    t.strictSame([...texts.keys()].toSorted(), [...english.keys()].toSorted(), language);
    const empty = [...texts].filter(([, text]) => text.trim() === '');
    t.strictSame(empty, [], `${language}: empty texts`);
    const other = [...texts].filter(
      ([key, text]) => String(placeholders(text)) !== String(placeholders(english.get(key) ?? '')),
    );
    t.strictSame(other, [], `${language}: texts with other placeholders`);
  }
  t.end();
});

void t.test('every text is used', (t) => {
  const { exact, patterns } = usedWords();
  const unused = [...english.keys()].filter((key) => {
    const whole = key.replace(/_(?:zero|one|two|few|many|other)$/, '');
    const bare = whole.slice(whole.indexOf(':') + 1);
    const isExact = exact.has(whole) || exact.has(bare);
    return !isExact && !patterns.some((pattern) => pattern.test(whole) || pattern.test(bare));
  });
  t.strictSame(unused, []);
  t.end();
});

void t.test('each scope has words', (t) => {
  const words = Object.keys(en.people.operators.roles.resource);
  t.strictSame(
    grantableScopes.filter((scope) => !words.includes(scope.split(':').at(-1) ?? '')),
    [],
  );
  t.end();
});
