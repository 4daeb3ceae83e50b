import { readFileSync } from 'node:fs';
import t from 'tap';
import { errorStatus } from '#shared/domain/kernel/errors.ts';

void t.test('docs/errors.md explains exactly the existing codes, with their status', async (t) => {
  const text = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \| (\d{3}) \| ([^|]{10,}) \| ([^|]+) \|$/gm)];
  const explained = rows.map(([, code, status]) => `${code} ${status}`);
  const known = Object.entries(errorStatus).map(([code, status]) => `${code} ${status}`);
  t.strictSame(explained.toSorted(), known.toSorted());
});
