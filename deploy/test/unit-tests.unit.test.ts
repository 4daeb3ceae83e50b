import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { moduleGraph } from '#shared/testing/run/module-graph.ts';
import { allTestFiles, isUnit } from '#shared/testing/run/test-files.ts';

const root = join(import.meta.dirname, '../..');

/** Modules that start a store, connect to one, or start a process of the product. */
const storeModules = [
  'deploy/test/support/system.ts',
  'shared/embedded/clickhouse.ts',
  'shared/embedded/postgres.ts',
  'shared/testing/postgres-pair.ts',
  'shared/testing/redis.ts',
  'shared/testing/test-servers.ts',
];

const testFiles = allTestFiles();

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
  const unit = testFiles.filter(isUnit);
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
    testFiles.filter((file) => !isUnit(file) && storesOf(file).length === 0),
    [],
  );
});
