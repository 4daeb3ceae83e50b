import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/** Package in a bill of materials (CycloneDX 1.5), as far as it is read. */
export interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  licenses?: ({ license: { id?: string; name?: string } } | { expression: string })[];
}

/** Bill of materials (CycloneDX 1.5). */
interface BillOfMaterials {
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** Packages that build the console and are in none of its files. */
const buildTools = new Set(['vite', '@vitejs/plugin-react']);

/**
 * Returns the bill of materials of what is shipped: the packages of the servers and the embedded stores, and those that the
 * console's build puts into files for browsers. Development packages are left out.
 */
export async function billOfMaterials(): Promise<BillOfMaterials> {
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--include=dev'];
  const { stdout } = await run('npm', ['sbom', ...options], { cwd: root, maxBuffer: 2 ** 26 });
  const whole = JSON.parse(stdout) as BillOfMaterials;
  const shipped = reachable(whole, [
    ...(await packagesOf('package.json', ['dependencies', 'optionalDependencies'])),
    ...(await packagesOf('api/console/package.json', ['dependencies'])).filter(
      (name) => !buildTools.has(name),
    ),
  ]);
  return {
    ...whole,
    components: whole.components.filter((component) => shipped.has(component['bom-ref'])),
    dependencies: whole.dependencies.filter(({ ref }) => shipped.has(ref)),
  };
}

/** Returns the names of the packages that a manifest asks for. */
async function packagesOf(path: string, fields: readonly string[]): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(root, path), 'utf8')) as Record<string, object | undefined>;
  return fields.flatMap((field) => Object.keys(manifest[field] ?? {}));
}

/** Returns the references of packages with the given names, and of what these need. */
function reachable({ components, dependencies }: BillOfMaterials, names: readonly string[]): Set<string> {
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const wanted = new Set(names);
  const found = new Set<string>();
  const open = components.filter(({ name }) => wanted.has(name)).map((component) => component['bom-ref']);
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (found.has(ref)) continue;
    found.add(ref);
    open.push(...(needs.get(ref) ?? []));
  }
  return found;
}
