import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs that the tests start and npm does not install, each with its Debian package. */
const packages = {
  chromium: 'chromium',
  'chromium-headless-shell': 'chromium-headless-shell',
  haproxy: 'haproxy',
  openssl: 'openssl',
  pgbouncer: 'pgbouncer',
  prometheus: 'prometheus',
  ps: 'procps',
  'redis-server': 'redis-server',
} as const;

export type Program = keyof typeof packages;

export const allPrograms = Object.keys(packages) as Program[];

/** Returns the Debian packages of the given programs that are not installed. */
export function missingPackages(programs: readonly Program[] = allPrograms): string[] {
  return programs
    .filter((program) => !isReplaced(program) && findProgram(program) === undefined)
    .map((program) => packages[program]);
}

/** Returns the message that names missing packages and the command that installs them. */
export function installHint(missing: readonly string[]): string {
  const replaced = missing.includes(packages['redis-server'])
    ? '\nA Redis of your own replaces redis-server: set REDIS_URL.'
    : '';
  return (
    `The tests need programs that are not installed: ${missing.join(', ')}.\n` +
    `Debian and Ubuntu: sudo apt-get install --no-install-recommends ${missing.join(' ')}${replaced}`
  );
}

/**
 * Returns the path of a program.
 * @throws {Error} with the command that installs it, when it is missing.
 */
export function programPath(program: Program): string {
  const path = findProgram(program);
  if (path === undefined) throw new Error(installHint([packages[program]]));
  return path;
}

function isReplaced(program: Program): boolean {
  return program === 'redis-server' && (process.env['REDIS_URL'] ?? '') !== '';
}

/**
 * Returns the path of a program, or undefined when it is missing. Debian installs servers in sbin, which is not in the path of
 * ordinary accounts.
 */
export function findProgram(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const usual = ['/usr/bin', '/usr/local/bin', '/usr/sbin', '/usr/local/sbin'];
  return [...folders, ...usual].map((folder) => join(folder, program)).find((path) => existsSync(path));
}
