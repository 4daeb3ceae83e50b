import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { generatedFiles } from '#shared/ocpp/generator/files.ts';

const folder = new URL('../generated/', import.meta.url);

void t.test('the generator writes exactly the files that are committed, byte for byte', (t) => {
  const files = generatedFiles();
  t.same(readdirSync(folder).toSorted(), [...files.keys()].toSorted());
  for (const [name, text] of files) {
    t.ok(readFileSync(new URL(name, folder), 'utf8') === text, `${name}: run shared/ocpp/generate.ts`);
  }
  t.end();
});

void t.test('the validators import only the formats of the project', (t) => {
  for (const [name, text] of generatedFiles()) {
    if (!name.endsWith('.js')) continue;
    const imports = text.match(/^import .*$/gm);
    t.same(imports, ["import { characterCount, formats } from '#shared/ocpp/formats.ts';"], name);
    t.notMatch(text, /\brequire\(|\bimport\(/, name);
  }
  t.end();
});
