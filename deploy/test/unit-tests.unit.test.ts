import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { slowFiles } from '#shared/testing/slow-files.ts';
import { moduleGraph } from './support/module-graph.ts';

const root = join(import.meta.dirname, '../..');

/** Modules that start a store, connect to one, or start a process of the product. */
const storeModules = [
  'deploy/test/support/system.ts',
  'shared/embedded/clickhouse.ts',
  'shared/embedded/postgres.ts',
  'shared/testing/postgres-pair.ts',
  'shared/testing/redis.ts',
  'shared/testing/stores.ts',
];

const testFiles = globSync('{api,bench,deploy,gateway,shared}/**/test/**/*.test.ts', {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
});

/** Returns the modules of stores that a test file imports, itself or through others. */
function storesOf(file: string): string[] {
  const { files } = moduleGraph(root, [file]);
  return storeModules.filter((module) => files.has(module));
}

void t.test('the list of store modules names files that exist', async (t) => {
  t.same(
    storeModules.filter((file) => !existsSync(join(root, file))),
    [],
  );
});

void t.test('a file named *.unit.test.ts imports no store', async (t) => {
  const unit = testFiles.filter((file) => file.endsWith('.unit.test.ts'));
  t.ok(unit.length > 40);
  t.same(
    unit
      .filter((file) => storesOf(file).length > 0)
      .map((file) => `${file} imports ${storesOf(file).join()}`),
    [],
  );
});

void t.test('a test file that imports no store is named *.unit.test.ts', async (t) => {
  t.same(
    testFiles.filter((file) => !file.endsWith('.unit.test.ts') && storesOf(file).length === 0),
    [],
  );
});

void t.test('the list of slow test files names files that exist', async (t) => {
  const names = new Set(testFiles.map((file) => basename(file)));
  t.same(
    Object.keys(slowFiles).filter((name) => !names.has(name)),
    [],
  );
});
