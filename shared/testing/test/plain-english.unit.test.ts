import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';

const root = join(import.meta.dirname, '../../..');

interface Diagnostic {
  code: string;
  message: string;
}

/** Runs oxlint with the rules of plain English alone on one file; returns its findings. */
async function lint(t: Test, source: string): Promise<Diagnostic[]> {
  // Outside the repository, whose .gitignore covers the test's own folder.
  const directory = await mkdtemp(join(tmpdir(), 'plain-english-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const config = {
    jsPlugins: [join(root, 'shared/testing/lint/plain-english.ts')],
    categories: { correctness: 'off' },
    rules: { 'plain-english/doc-comment-opener': 'error', 'plain-english/retired-phrase': 'error' },
  };
  await writeFile(join(directory, 'oxlint.json'), JSON.stringify(config));
  await writeFile(join(directory, 'source.ts'), source);
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  // tap instruments what it spawns through NODE_OPTIONS, which breaks the start of oxlint.
  const args = [
    'NODE_OPTIONS=',
    process.execPath,
    oxlint,
    '--config',
    'oxlint.json',
    '--format',
    'json',
    'source.ts',
  ];
  const { stdout } = await promisify(execFile)('env', args, { cwd: directory }).catch(
    (error: { stdout: string }) => error,
  );
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
  return diagnostics;
}

const openers = ['What', 'Who', 'Whose', 'How', 'Where', 'When', 'Whether', 'Why', 'It'];

void t.test('refuses doc comments that open with a question word or "It"', async (t) => {
  const source = openers.map((opener, index) => `/** ${opener} it holds. */\nexport const c${index} = 0;`);
  const found = await lint(t, `${source.join('\n')}\n/**\n * Who asks.\n */\nexport const last = 0;\n`);
  const expected = [...openers, 'Who'].map(
    (opener) => `A doc comment opens with a verb in the third person or a noun phrase, not with "${opener}".`,
  );
  t.same(found.map(({ message }) => message).toSorted(), expected.toSorted());
});

void t.test('refuses retired phrases in comments, texts and names', async (t) => {
  const source = `// The partner is told once.
/** Price of a session, priced anew. */
export const mostRows = 5;
throw new Error('The store is out of reach.');
// Ignores what
// may be sent.
export const title = 'a start that is asked for';
`;
  const found = await lint(t, source);
  t.same(found.map(({ message }) => /"([^"]+)"/.exec(message)?.[1] ?? '').toSorted(), [
    'anew',
    'is asked for',
    'mostRows',
    'out of reach',
    'told',
    'what\n// may be',
  ]);
});

void t.test('accepts noun phrases, verbs in the third person and ordinary words', async (t) => {
  const source = `/** Returns the few places that are mostly free. */
export const mostly = 'Where the charger stands, when it does.';
// What this does is out of scope; Fastify took the request back.
export const toldAt = 0;
`;
  t.same(await lint(t, source), []);
});
