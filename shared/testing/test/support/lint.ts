import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';

const root = join(import.meta.dirname, '../../../..');

interface Diagnostic {
  code: string;
  message: string;
  labels: { span: { line: number } }[];
}

/** Runs oxlint on one file, with the rules of one of our plugins; returns its findings. */
export async function lint(t: Test, plugin: string, rules: string[], source: string): Promise<Diagnostic[]> {
  // Outside the repository, whose .gitignore covers the test's own folder.
  const directory = await mkdtemp(join(tmpdir(), `${plugin}-`));
  t.teardown(() => rm(directory, { recursive: true }));
  const config = {
    jsPlugins: [join(root, `shared/testing/lint/${plugin}.ts`)],
    categories: { correctness: 'off' },
    rules: Object.fromEntries(rules.map((rule) => [`${plugin}/${rule}`, 'error'])),
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
