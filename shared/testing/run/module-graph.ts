import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path/posix';

/** Modules of a running program. */
export interface ModuleGraph {
  /** Files of ours, by their path from the root. */
  files: Set<string>;
  /** Packages, each with one of the files that imports it. */
  packages: Map<string, string>;
}

/** Imports that are left when types are erased, and the files that are started as threads. */
const edges = [
  /^(?:import|export)\s+(?!type\b)[^'";]*?\bfrom\s+['"]([^'"]+)['"]/gm,
  /^import\s+['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
  /new URL\(\s*['"]([^'"]+\.[jt]s)['"],\s*import\.meta\.url/g,
];

/**
 * Follows the imports from `entries` (paths from `root`) through our own files.
 * @throws {Error} naming the import that leads to no file.
 */
export function moduleGraph(root: string, entries: string[]): ModuleGraph {
  const graph: ModuleGraph = { files: new Set(), packages: new Map() };
  const toVisit = [...entries];
  for (let file = toVisit.pop(); file !== undefined; file = toVisit.pop()) {
    if (graph.files.has(file)) continue;
    graph.files.add(file);
    const { files, packages } = importsOf(root, file);
    toVisit.push(...files);
    for (const name of packages) graph.packages.set(name, file);
  }
  return graph;
}

interface Imports {
  files: string[];
  packages: string[];
}

/** Imports of the files read so far, by path: graphs of many entries share most of their files. */
const knownImports = new Map<string, Imports>();

function importsOf(root: string, file: string): Imports {
  const path = join(root, file);
  const known = knownImports.get(path);
  if (known !== undefined) return known;
  const source = readFileSync(path, 'utf8');
  const imports: Imports = { files: [], packages: [] };
  for (const [, specifier = ''] of edges.flatMap((edge) => [...source.matchAll(edge)])) {
    const target = ownFile(file, specifier);
    if (target === null) {
      if (!isBuiltin(specifier)) imports.packages.push(packageName(specifier));
    } else if (existsSync(join(root, target))) imports.files.push(target);
    else throw new Error(`${file} imports ${specifier}, which does not exist`);
  }
  knownImports.set(path, imports);
  return imports;
}

/** Returns the path of an imported file from the root, or null for a package. `#shared/…` is below `shared/`. */
function ownFile(importer: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? join(dirname(importer), specifier) : null;
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
