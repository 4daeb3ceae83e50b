// Node.js strips the types of each file again in every thread that imports it, which is a third of the time of a start. With this
// imported first it does so once for each content of a file; the code that V8 compiles of it is kept as well. The search for the file
// of each import is a sixth of the CPU of a start: our imports name theirs, and so do those of packages that end in `.mjs`.
import crypto from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

const project = new URL('../../', import.meta.url).href;
const foreign = `${project}node_modules/`;
const kept = fileURLToPath(`${foreign}.cache/chargeway/`);

/** @type {import('node:module').ResolveHookSync} */
function resolve(specifier, context, nextResolve) {
  const url = fileOf(specifier, context.parentURL);
  return url === null ? nextResolve(specifier, context) : { url, format: 'module', shortCircuit: true };
}

/**
 * Returns the file that one of ours imports by a path, or by `#api/…` as `imports` of package.json has it, and that a module of a package
 * imports by a path that ends in `.mjs`; else null.
 */
function fileOf(specifier, parent) {
  const isOurs = specifier.endsWith('.ts');
  if (!isOurs && !specifier.endsWith('.mjs')) return null;
  if (!parent?.startsWith(project) || parent.startsWith(foreign) === isOurs) return null;
  if (specifier.startsWith('#')) return project + specifier.slice(1);
  return specifier.startsWith('.') ? new URL(specifier, parent).href : null;
}

/** @type {import('node:module').LoadHookSync} */
function load(url, context, nextLoad) {
  if (!url.endsWith('.ts') || !url.startsWith(project) || url.startsWith(foreign)) {
    return nextLoad(url, context);
  }
  const source = readFileSync(new URL(url), 'utf8');
  return { format: 'module', source: strippedOf(source), shortCircuit: true };
}

function strippedOf(source) {
  const file = `${kept}${crypto.hash('sha256', process.version + source)}.js`;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not yet.
  }
  const stripped = strip(source);
  try {
    // Moved into its place whole: others may read it meanwhile.
    const whole = `${kept}${process.pid}-${threadId}`;
    writeFileSync(whole, stripped);
    renameSync(whole, file);
  } catch {
    // A place that cannot be written costs time only.
  }
  return stripped;
}

/** Node.js 22 warns of this function, once in every thread, and of its own way to run TypeScript no more (ADR 6). */
function strip(source) {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return module.stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

// `deploy/run.js` reports a Node.js that is too old for this.
if (module.registerHooks !== undefined) {
  try {
    mkdirSync(kept, { recursive: true });
  } catch {
    // As above.
  }
  module.registerHooks({ resolve, load });
  module.enableCompileCache(`${kept}compiled`);
}
