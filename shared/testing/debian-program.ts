import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

// One test process installs at a time, the others wait for it. RUNLEVEL keeps Debian from starting the service.
const installScript = `
exec 9>"$1"; flock 9
command -v "$2" && exit 0
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
apt-get update && apt-get install -y --no-install-recommends "$2"`;

const installTimeoutMs = 300_000;

/**
 * The path of a program that tests need, from the Debian package of the same name. On Debian, root gets it
 * installed. `or` is what else can be done about its absence.
 * @throws {Error} that says what to install, when it is not there and cannot be installed.
 */
export async function debianProgram(name: string, { or }: { or?: string } = {}): Promise<string> {
  const found = find(name);
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) await install(name);
  const installed = find(name);
  if (installed !== undefined) return installed;
  const otherwise = or === undefined ? '' : ` or ${or}`;
  throw new Error(`These tests need ${name}: install it (Debian: apt-get install ${name})${otherwise}.`);
}

/** Servers are in sbin, which is not in everybody's path. */
function find(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const usual = ['/usr/bin', '/usr/local/bin', '/usr/sbin', '/usr/local/sbin'];
  return [...folders, ...usual].map((folder) => join(folder, name)).find((path) => existsSync(path));
}

async function install(name: string): Promise<void> {
  const lock = join(tmpdir(), `chargeway-apt.lock`);
  await promisify(execFile)('/bin/sh', ['-c', installScript, 'install', lock, name], {
    timeout: installTimeoutMs,
  });
}
