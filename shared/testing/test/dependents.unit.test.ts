import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { dependentsOf } from '#shared/testing/run/dependents.ts';
import { root, testFilesOf } from '#shared/testing/run/test-files.ts';

const files = {
  'a/test/imports.test.ts': `import { b } from '../b.ts';`,
  'a/test/types.test.ts': `import type { B } from '../b.ts';`,
  'a/test/reads.test.ts': `readFile(new URL('../../docs/guide.md', import.meta.url)); exists('docs/deleted.md');`,
  'a/test/root.test.ts': `const root = join(import.meta.dirname, '../..'); readFile(join(root, 'docs/guide.md')); exists('docs/deleted.md');`,
  'a/test/folder.test.ts': `readdir(join(import.meta.dirname, '../migrations'));`,
  'a/test/glob.test.ts': `globSync('{docs,api}/**/*.md', { cwd: root });`,
  'a/test/starts.test.ts': `startProcess(t, 'a/main.ts');`,
  'a/test/loads.test.ts': `fork('../start.ts');`,
  'a/main.ts': `import '#a/b.ts';`,
  'a/b.ts': `readdir(import.meta.dirname);`,
  'a/start.ts': `readdir(join(import.meta.dirname, 'migrations'));`,
  'a/migrations/0001.sql': '',
  'docs/guide.md': '',
};

void t.test('finds the entries that import, start or read a changed file', async (t) => {
  const root = t.testdir();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const entries = Object.keys(files).filter((file) => file.endsWith('.test.ts'));
  const found = (...changed: string[]) =>
    Object.fromEntries(
      [...dependentsOf(root, entries, changed)].map(([file, distance]) => [
        file.slice('a/test/'.length, -'.test.ts'.length),
        distance,
      ]),
    );
  t.strictSame(found('a/test/types.test.ts'), { types: 0, imports: 2, starts: 3 });
  t.strictSame(found('a/b.ts'), { imports: 1, starts: 2 });
  for (const name of ['guide.md', 'deleted.md']) {
    t.strictSame(found(`docs/${name}`), { reads: 1, root: 1, glob: 1 });
  }
  for (const name of ['0001.sql', 'deleted.sql']) {
    t.strictSame(found(`a/migrations/${name}`), { folder: 1, imports: 2, loads: 2, starts: 3 });
  }
});

void t.test('finds the tests that read a document, a migration, a style or a chart', (t) => {
  for (const [changed, test] of [
    ['README.md', 'deploy/test/documents.unit.test.ts'],
    ['docs/configuration.md', 'deploy/test/container-files.unit.test.ts'],
    [
      'shared/postgres/migrations/0150_wallet_ledger.sql',
      'shared/postgres/test/migration-safety.unit.test.ts',
    ],
    ['shared/postgres/baseline.sql', 'shared/postgres/test/baseline.test.ts'],
    ['api/console/src/styles/tokens.css', 'deploy/test/console/accessibility.test.ts'],
    ['api/console/src/pages/alerts/alerts-page.tsx', 'deploy/test/console/alerts.test.ts'],
    ['deploy/operate/helm/chargeway/values.yaml', 'deploy/operate/helm/test/chart.unit.test.ts'],
    ['package-lock.json', 'deploy/test/lock-file.unit.test.ts'],
  ] as const) {
    t.ok(dependentsOf(root, testFilesOf('default'), [changed]).has(test), `${changed}: ${test}`);
  }
  const ofStyle = dependentsOf(root, testFilesOf('default'), ['api/console/src/styles/tokens.css']);
  t.notOk(ofStyle.has('api/test/kernel/errors.test.ts'), 'the API does not read the sources of the console');
  t.end();
});
