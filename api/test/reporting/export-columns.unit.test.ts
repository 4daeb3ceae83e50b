import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { exportColumns } from '#shared/domain/reporting/export-columns.ts';
import { mergeBuckets } from '#api/services/reporting/exports/export-plan.ts';

void t.test('docs/exports.md lists every column in order', (t) => {
  const path = fileURLToPath(new URL('../../../docs/exports.md', import.meta.url));
  const [, ...sections] = readFileSync(path, 'utf8').split('## Columns\n')[1]?.split('### ') ?? [];
  const listed = sections.map((section) => {
    const [title, ...lines] = section.split('\n');
    return [title, lines.filter((line) => line.startsWith('| `'))];
  });
  const defined = Object.entries(exportColumns).map(([dataset, columns]) => [
    dataset,
    columns.map(
      ({ name, type, isNullable, description }) =>
        `| \`${name}\` | ${type}${isNullable ? ', nullable' : ''} | ${description} |`,
    ),
  ]);
  t.strictSame(listed, defined);
  t.end();
});

void t.test('merges buckets to parts that cover the range', (t) => {
  const hour = 3_600_000;
  const range = { from: new Date(0), to: new Date(10 * hour + 1) };
  const buckets = [1, 2, 5, 6, 9].map((at) => ({ at: at * hour, rows: at === 5 ? 90 : 20 }));
  const parts = mergeBuckets(range, buckets, 50);
  t.strictSame(parts, [
    { number: 1, from: range.from, to: new Date(5 * hour) },
    { number: 2, from: new Date(5 * hour), to: new Date(6 * hour) },
    { number: 3, from: new Date(6 * hour), to: range.to },
  ]);
  t.strictSame(mergeBuckets(range, [], 50), []);
  t.end();
});
