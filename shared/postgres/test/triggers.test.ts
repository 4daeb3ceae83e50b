import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { testStores } from '#shared/testing/stores.ts';

const document = join(import.meta.dirname, '../../../docs/architecture.md');

void t.test('docs/architecture.md lists every trigger with its table, fewer than 20', async (t) => {
  const { sql } = await testStores(t);
  const text = await readFile(document, 'utf8');
  const section = /^## Triggers$(.*?)^## /ms.exec(text)?.[1] ?? '';
  const listed = [...section.matchAll(/^\| `(\w+)` \| `(\w+)` \| (.+) \|$/gm)].map(
    ([, trigger, table]) => `${table}.${trigger}`,
  );
  const rows = await sql<{ name: string }[]>`
    select c.relname || '.' || t.tgname as name
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal`;
  t.same(listed.toSorted(), rows.map(({ name }) => name).toSorted());
  t.ok(rows.length < 20, `${rows.length} triggers`);
});
