import t from 'tap';
import { RowLines } from '#shared/log/row-lines.ts';

void t.test('returns rows as they were added, whatever their length and characters', (t) => {
  const rows = Array.from({ length: 400 }, (_, n) => [n, 'é😀\n"'.repeat((n * 37) % 1000), null, ['x']]);
  // Longer than any chunk, and the one after it.
  rows.push([400, '😀'.repeat(100_000), null, []], [401, '', null, []]);
  const lines = new RowLines();
  t.same(
    lines.chunks().reduce((sum, chunk) => sum + chunk.length, 0),
    0,
  );
  for (const row of rows) lines.add(row);
  const text = Buffer.concat(lines.chunks());
  t.match(lines, { rows: rows.length, bytes: text.length });
  t.same(
    text
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
    rows,
  );
  t.end();
});

void t.test('keeps returned chunks unchanged', (t) => {
  const lines = new RowLines();
  lines.add(['first']);
  const taken = lines.chunks();
  lines.add(['second']);
  t.equal(Buffer.concat(taken).toString(), '["first"]\n');
  t.equal(Buffer.concat(lines.chunks()).toString(), '["first"]\n["second"]\n');
  t.end();
});
