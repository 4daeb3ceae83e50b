import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Variable } from './variables/variable.ts';
import { fileVariableOf, removedVariables, variablesOf } from './variables/variables.ts';

const root = join(import.meta.dirname, '../..');
const all = Object.values(variablesOf).flat();

/** Documents with blocks of the variables, from the root. */
export const documents = ['README.md', 'docs/configuration.md'] as const;

const blocks: Record<string, () => string[]> = {
  essential: () => [
    ...row('Variable', 'Default', 'Meaning'),
    ...all
      .filter(({ isEssential }) => isEssential)
      .map((each) => line(code(each.name), defaultOf(each), firstSentence(each.meaning))),
  ],
  all: () => [
    ...row('Variable', 'Default', 'Reader', 'Meaning', 'Accepts'),
    ...Object.entries(variablesOf).flatMap(([reader, own]) =>
      own.map((each) => line(code(each.name), defaultOf(each), reader, each.meaning, each.kind.accepts)),
    ),
  ],
  secrets: () => all.filter(({ isSecret }) => isSecret).map(({ name }) => `- ${code(fileVariableOf(name))}`),
  removed: () => [
    ...row('Variable', 'Now'),
    ...Object.entries(removedVariables).map(([name, reason]) => line(code(name), reason)),
  ],
};

/** Returns a document as it is stored, and as it is with the present variables. */
export function variableDocument(document: string): { stored: string; present: string } {
  const stored = readFileSync(join(root, document), 'utf8');
  const present = stored.replaceAll(
    /<!-- variables: (\w+) -->.*?<!-- \/variables -->/gs,
    (_, name: string) => {
      const lines = blocks[name]?.() ?? [];
      return [`<!-- variables: ${name} -->`, '', ...lines, '', '<!-- /variables -->'].join('\n');
    },
  );
  return { stored, present };
}

const code = (text: string): string => `\`${text}\``;
const line = (...cells: string[]): string => `| ${cells.join(' | ')} |`;
const row = (...headings: string[]): string[] => [line(...headings), line(...headings.map(() => '---'))];

function defaultOf({ default: value, shownDefault }: Variable<unknown>): string {
  if (shownDefault !== undefined) return shownDefault;
  return value === null || Array.isArray(value) ? 'none' : code(JSON.stringify(value).replaceAll('"', ''));
}

/** Returns the first sentence, with links from the root. */
function firstSentence(meaning: string): string {
  const [sentence = ''] = meaning.split(/(?<=\.) (?=[A-Z])/);
  return sentence.replaceAll('](', '](docs/');
}
