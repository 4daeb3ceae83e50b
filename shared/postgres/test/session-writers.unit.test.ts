import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

const root = join(import.meta.dirname, '../../..');
const owner = 'shared/postgres/charging/session-writes/';

/** Sources of the product. Tests, their helpers and the demo make sessions of their own; migrations change all that exist. */
const sources = globSync(['{api,gateway,shared,deploy}/**/*.ts'], { cwd: root }).filter(
  (file) => !/node_modules|\/test\/|^shared\/testing\/|^deploy\/demo\//.test(file),
);

/** A statement that writes the table `sessions`; a lock (`for update of s`) does not count. */
const write =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?sessions\b/gi;

const writesOf = (file: string) => readFileSync(join(root, file), 'utf8').match(write)?.length ?? 0;

void t.test('only its owner writes the table sessions', async (t) => {
  t.strictSame(
    sources.filter((file) => !file.startsWith(owner) && writesOf(file) > 0),
    [],
    `move the statement to ${owner}`,
  );
});

void t.test('the owner of the table sessions has at most 27 statements', async (t) => {
  const count = sources
    .filter((file) => file.startsWith(owner))
    .reduce((sum, file) => sum + writesOf(file), 0);
  t.ok(count > 0 && count <= 27, `${count} statements`);
});
