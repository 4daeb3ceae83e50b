import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { withoutTexts } from '#api/test/support/compatibility/contract.ts';
import { startTestApi } from '#api/test/support/fixtures.ts';

const root = join(import.meta.dirname, '../../..');
const generator = join(root, 'api/test/client-generator/node_modules/openapi-typescript/bin/cli.js');
const committed = join(root, 'api/console/src/api/schema.d.ts');
const execute = promisify(execFile);

void t.test('the types of the console are those of the operator API', async (t) => {
  const api = await startTestApi(t);
  const { json } = await api.call(null, { url: '/openapi.json' });
  const { webhooks: _webhooks, ...document } = json as unknown as {
    paths: Record<string, unknown>;
    webhooks: unknown;
  };
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/cpms/v1/'));
  const directory = await mkdtemp(join(tmpdir(), 'console-client-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const [source, types] = [join(directory, 'openapi.json'), join(directory, 'schema.d.ts')];
  const slim = withoutTexts({ ...document, paths: Object.fromEntries(paths) });
  await writeFile(source, JSON.stringify(slim));
  // tap gives its loaders to spawned programs, and env(1) takes them back.
  await execute('env', ['NODE_OPTIONS=', process.execPath, generator, source, '--output', types]);
  const generated = await readFile(types, 'utf8');
  if (process.env['CONSOLE_CLIENT'] === 'write') await writeFile(committed, generated);
  const isSame = (await readFile(committed, 'utf8')) === generated;
  t.ok(isSame, 'run `npm run console:client` after a change of the operator API');
});
