import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import t from 'tap';

const root = join(import.meta.dirname, '../..');
/** Documents of all folders. */
const documents = globSync('{README.md,{api,bench,deploy,docs,gateway,shared}/**/*.md}', {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
}).toSorted();
const pages = documents.filter((document) => document.startsWith('docs/') && document !== 'docs/README.md');
const sources = globSync('{api,bench,deploy,gateway,shared}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: (path) => path.includes('node_modules') || path.includes('schema.d.ts'),
});
const records = globSync('docs/adr/*.md', { cwd: root }).toSorted();

const textOf = (document: string): string => readFileSync(join(root, document), 'utf8');

/** Removes code blocks and inline code, which hold no links. */
const withoutCode = (text: string): string =>
  text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '');

/** Returns paths of the repository that a text names in code, starting at a top-level folder. Globs and braces are expanded. */
function namedPaths(text: string): string[] {
  return [...text.matchAll(/(?<![\w./#$-])(?:api|bench|deploy|docs|gateway|shared|\.ci)\/[\w./{},*-]*/g)].map(
    ([path]) => path.replace(/[.,]+$/, ''),
  );
}

/** Returns targets of a document's links inside the repository, relative to the root, with their anchors. */
function linkTargets(document: string): { path: string; anchor: string | undefined }[] {
  return [...withoutCode(textOf(document)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#');
      return { path: path === '' ? document : relative(root, join(root, dirname(document), path)), anchor };
    });
}

/** Returns the anchors of a document's headings, as GitHub derives them. */
function anchorsOf(document: string): string[] {
  return [...textOf(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

void t.test('documents name paths that exist', async (t) => {
  const missing = documents.flatMap((document) =>
    [...new Set(namedPaths(textOf(document)))]
      .filter((path) => globSync(path, { cwd: root }).length === 0)
      .map((path) => `${document}: ${path}`),
  );
  t.strictSame(missing, []);
});

void t.test('comments name paths that exist', async (t) => {
  const missing = sources.flatMap((source) =>
    [...textOf(source).matchAll(/^\s*(?:\/\/|\/?\*).*$/gm)]
      .flatMap(([comment]) => namedPaths(comment))
      .filter((path) => globSync(path, { cwd: root }).length === 0)
      .map((path) => `${source}: ${path}`),
  );
  t.strictSame(missing, []);
});

void t.test('documents link to files and headings that exist', async (t) => {
  const broken = documents.flatMap((document) =>
    linkTargets(document)
      .filter(({ path, anchor }) => {
        if (!existsSync(join(root, path))) return true;
        return anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).includes(anchor);
      })
      .map(({ path, anchor }) => `${document}: ${path}${anchor === undefined ? '' : `#${anchor}`}`),
  );
  t.strictSame(broken, []);
});

void t.test('docs/README.md links to every document', async (t) => {
  const linked = new Set(linkTargets('docs/README.md').map(({ path }) => path));
  t.strictSame(
    pages.filter((document) => !linked.has(document)),
    [],
  );
});

void t.test('documents avoid retired words', async (t) => {
  const retired =
    /\b(?:told|anew|mended|what may be|who calls|taken back|out of reach|put right|(?:some|any|every|no)body|whoever|beside|alone|for ever|found out|(?:is|are) none)\b/gi;
  const found = documents
    .filter((document) => document !== 'docs/glossary.md')
    .flatMap((document) =>
      [...withoutCode(textOf(document)).matchAll(retired)].map(([word]) => `${document}: ${word}`),
    );
  t.strictSame(found, []);
});

void t.test('each decision record has four sections on one page', async (t) => {
  for (const record of records) {
    const text = textOf(record);
    const headings = [...text.matchAll(/^## (\w+(?: alternatives)?)/gm)].map(([, heading]) => heading);
    t.strictSame(
      [...new Set(headings)],
      ['Context', 'Decision', 'Consequences', 'Rejected alternatives'],
      `${record}: sections`,
    );
    t.ok(text.trimEnd().split('\n').length < 60, `${record}: fewer than 60 lines`);
  }
});
