import { readFileSync, statSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path/posix';

/** Statements that are gone when types are erased. */
const typeStatements = /^(?:import|export) type\b[^;]*;/gm;

/** Texts that may be paths: imports, and files, folders or globs that a module reads or starts. */
const names = /(['"`])([^'"`\s$]*[./][^'"`\s$]*)\1/g;

/** The folder of a module, and the path that begins with it. */
const ownFolder = /\bimport\.meta\.dirname\b(?:,\s*(['"`])([^'"`$]*)\1)?/g;

/**
 * Returns the entries that depend on a changed file, each with the number of steps between them: they import or name it, as a path from
 * the root or from their folder, or name its folder or a glob that matches it. A changed entry has distance 0.
 */
export function dependentsOf(
  root: string,
  entries: readonly string[],
  changed: readonly string[],
): Map<string, number> {
  const dependents = new Map<string, Set<string>>();
  const modules = new Set(entries);
  for (const module of modules) {
    for (const file of filesNamedIn(root, module, changed)) {
      dependents.set(file, (dependents.get(file) ?? new Set()).add(module));
      if (/\.[jt]sx?$/.test(file)) modules.add(file);
    }
  }
  const distances = new Map(changed.map((file) => [file, 0]));
  for (const [file, distance] of distances) {
    for (const dependent of dependents.get(file) ?? []) {
      if (!distances.has(dependent)) distances.set(dependent, distance + 1);
    }
  }
  const isEntry = new Set(entries);
  return new Map([...distances].filter(([file]) => isEntry.has(file)));
}

/** Returns the files that a module names, and the changed files in the folders and globs that it names. */
function filesNamedIn(root: string, module: string, changed: readonly string[]): string[] {
  const stats = statSync(join(root, module), { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return [];
  const folder = dirname(module);
  const source = readFileSync(join(root, module), 'utf8').replaceAll(typeStatements, '');
  const begun = [...source.matchAll(ownFolder)].map(([, , name]) => name);
  const paths = [
    ...begun.flatMap((name) => (name === undefined ? [] : [join(folder, name)])),
    ...[...source.matchAll(names)].flatMap(([, , name = '']) =>
      name.startsWith('#') ? [name.slice(1)] : [join(folder, name), join(name)],
    ),
  ];
  const read = [...new Set(paths)].flatMap((path) => filesOf(root, module, path, changed));
  return begun.includes(undefined) ? [...read, ...filesIn(folder, changed)] : read;
}

function filesOf(root: string, module: string, path: string, changed: readonly string[]): string[] {
  if (path.includes('*')) return changed.filter((file) => matchesGlob(file, path));
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (stats?.isFile() === true || changed.includes(path)) return [path];
  const folder = path.replace(/\/$/, '');
  // A folder that contains the module begins other paths.
  return stats?.isDirectory() === true && !module.startsWith(`${folder}/`) ? filesIn(folder, changed) : [];
}

function filesIn(folder: string, files: readonly string[]): string[] {
  return files.filter((file) => file.startsWith(`${folder}/`));
}
