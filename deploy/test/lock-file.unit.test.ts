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

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Record<string, LockEntry>;
};
const fromRegistry = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.startsWith('node_modules/') && link !== true,
);

const isForLinux = ({ os = ['linux'], cpu = ['x64'], libc = ['glibc'] }: LockEntry): boolean =>
  os.includes('linux') && cpu.includes('x64') && libc.includes('glibc');

void t.test(
  'every package that an install on Linux x64 loads has an integrity in the lock file',
  async (t) => {
    t.ok(fromRegistry.length > 500, 'the lock file lists packages');
    t.same(
      fromRegistry
        .filter(([, entry]) => isForLinux(entry) && entry.integrity?.startsWith('sha512-') !== true)
        .map(([path]) => path),
      [],
    );
  },
);

void t.test('the lock file names no registry', async (t) => {
  t.same(
    fromRegistry.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
    [],
  );
});
