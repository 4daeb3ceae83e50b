import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { importsStripped } from '#shared/stripping/options.ts';

const run = promisify(execFile);

/** Returns the error message of a file that fails. */
async function complaint(file: string): Promise<string> {
  const failed = run(process.execPath, [...importsStripped, file]).then(() => ({ stderr: '' }));
  return (await failed.catch((error: unknown) => error as { stderr: string })).stderr;
}

void t.test('runs the current content of a file and reports errors at its lines', async (t) => {
  // Of the project: the hook ignores other files.
  const directory = new URL(`../../../.tap/stripping-${randomUUID()}/`, import.meta.url);
  mkdirSync(directory, { recursive: true });
  t.teardown(() => rmSync(directory, { recursive: true }));
  const file = fileURLToPath(new URL('sum.ts', directory));
  const say = async (source: string) => {
    writeFileSync(file, source);
    // Twice: what the first makes is there for the second.
    const runs = [];
    for (let n = 0; n < 2; n += 1) {
      const { stdout, stderr } = await run(process.execPath, [...importsStripped, file]);
      runs.push(stdout.trim() + stderr);
    }
    return runs;
  };
  t.same(await say('const n: number = 1;\nconsole.log(n as number);'), ['1', '1']);
  t.same(await say('const n: number = 2;\nconsole.log(n as number);'), ['2', '2']);

  writeFileSync(
    file,
    'interface Sum { of: number[] }\nconst sum = undefined as unknown as Sum;\nconsole.log(sum.of);',
  );
  t.match(await complaint(file), /sum\.ts:3:17/);
});

void t.test('fails with the reason when types cannot be stripped', async (t) => {
  const directory = new URL(`../../../.tap/stripping-${randomUUID()}/`, import.meta.url);
  mkdirSync(directory, { recursive: true });
  t.teardown(() => rmSync(directory, { recursive: true }));
  const file = fileURLToPath(new URL('kinds.ts', directory));
  writeFileSync(file, 'enum Kind { One }\nconsole.log(Kind.One);');
  t.match(await complaint(file), /enum is not supported/);
});

void t.test('finds files by the same names as package.json', async (t) => {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  const { imports } = JSON.parse(text) as { imports: Record<string, string> };
  for (const [name, path] of Object.entries(imports)) t.equal(path, name.replace('#', './'));
  const missing: string = '#shared/stripping/missing.ts';
  await t.rejects(import(missing), /shared\/stripping\/missing\.ts/);
});
