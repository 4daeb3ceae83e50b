import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { flushTree } from '#deploy/operate/backup/flush-tree.ts';

void t.test('flushes all files and directories of a tree', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'chargeway-test-flush-'));
  t.teardown(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'a', 'b'), { recursive: true });
  mkdirSync(join(root, 'empty'));
  for (const name of ['one', 'a/two', 'a/b/three']) writeFileSync(join(root, name), name, { mode: 0o400 });
  symlinkSync('nowhere', join(root, 'a', 'link'));
  const handle = await open(root);
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const syncs = t.capture(prototype, 'sync');
  t.equal(await flushTree(root), 7, 'three files, four directories');
  t.equal(syncs().length, 7);
  await t.rejects(flushTree(join(root, 'nothing')), { code: 'ENOENT' });
});
