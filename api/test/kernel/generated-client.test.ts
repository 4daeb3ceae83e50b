import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';

const root = join(import.meta.dirname, '../../..');
const generator = join(root, 'api/test/client-generator/node_modules/openapi-typescript/bin/cli.js');
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const execute = promisify(execFile);

/** Runs a program of Node.js. tap gives its loaders to what is spawned, and env(1) takes them back. */
const run = (...words: string[]) => execute('env', ['NODE_OPTIONS=', process.execPath, ...words]);

/** A program of an integrator: it compiles only when the document has the types that it names. */
const program = `import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

type Charger = components['schemas']['Charger'];
type Resources = components['schemas']['Session' | 'Tariff' | 'Wallet' | 'Invoice' | 'Location'];
export type Named = [Resources, components['schemas']['StartSessionRequest']];

export async function useApi(baseUrl: string, key: string) {
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } });
  const made = await client.POST('/cpms/v1/chargers', { body: { serial: 'CLIENT-1', ocppVersion: '1.6' } });
  if (made.data === undefined) throw new Error(made.error.error.code);
  const uuid = made.data.data.id;
  const read = await client.GET('/cpms/v1/chargers/{uuid}', { params: { path: { uuid } } });
  if (read.data === undefined) throw new Error(read.error.error.code);
  const charger: Charger = read.data.data;
  const again = await client.POST('/cpms/v1/chargers', { body: { serial: 'CLIENT-1' } });
  const code = again.error?.error.code;
  // @ts-expect-error no error of this operation
  if (code === 'TARIFF_NOT_FOUND') throw new Error(code);
  return { uid: charger.uid, code };
}
`;

void t.test('a generated client compiles and calls the product', async (t) => {
  const api = await startTestApi(t);
  const baseUrl = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const directory = await mkdtemp(join(root, 'node_modules/.client-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  await run(generator, `${baseUrl}/openapi.json`, '--output', join(directory, 'schema.ts'));
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  await writeFile(join(directory, 'program.ts'), program);
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--outDir', directory];
  const lenient = [
    '--allowImportingTsExtensions',
    '--rewriteRelativeImportExtensions',
    '--skipLibCheck',
    '--ignoreConfig',
  ];
  await run(compiler, ...options, ...lenient, join(directory, 'program.ts')).catch(
    (error: { stdout: string }) => {
      throw new Error(error.stdout);
    },
  );
  const { useApi } = (await import(join(directory, 'program.js'))) as {
    useApi: (baseUrl: string, key: string) => Promise<object>;
  };
  t.same(await useApi(baseUrl, await mintKey(api)), { uid: 'CLIENT-1', code: 'CHARGER_EXISTS' });
});
