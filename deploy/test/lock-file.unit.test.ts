import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

interface LockEntry {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const root = join(import.meta.dirname, '../..');
const locks = ['package-lock.json', 'deploy/operate/helm/program/package-lock.json'];
const fromRegistry = locks.flatMap((path) => {
  const lock = JSON.parse(readFileSync(join(root, path), 'utf8')) as { packages: Record<string, LockEntry> };
  return Object.entries(lock.packages).filter(
    ([name, { link }]) => name.startsWith('node_modules/') && link !== true,
  );
});

const isForLinux = ({ os = ['linux'], cpu = ['x64'], libc = ['glibc'] }: LockEntry): boolean =>
  os.includes('linux') && cpu.includes('x64') && libc.includes('glibc');

void t.test('every package that an install on Linux x64 loads has an integrity in a lock file', async (t) => {
  t.ok(fromRegistry.length > 500, 'the lock files list packages');
  t.same(
    fromRegistry
      .filter(([, entry]) => isForLinux(entry) && entry.integrity?.startsWith('sha512-') !== true)
      .map(([path]) => path),
    [],
  );
});

void t.test('the lock files name no registry', async (t) => {
  t.same(
    fromRegistry.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
    [],
  );
});
