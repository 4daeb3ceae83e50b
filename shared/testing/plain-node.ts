import { spawn } from 'node:child_process';
import { importsStripped } from '#shared/stripping/options.ts';

const exactLists = `--import=${new URL('./exact-lists.ts', import.meta.url).href}`;

/** Each test builds an application: a larger space for new objects saves a twentieth of the CPU time. */
const newSpace = '--max-semi-space-size=64';

/** Returns the arguments with which Node.js runs a test file as it is. */
export const plainNodeArguments = (file: string): string[] => [
  newSpace,
  ...importsStripped,
  exactLists,
  file,
];

/** Makes sockets and threads late, where `LATE=1` is in the environment. */
const lateness = process.env['LATE'] === '1' ? ` --import=${new URL('./late.ts', import.meta.url).href}` : '';

/** Returns options of Node.js without the loaders that tap added to the environment of this process. */
export function optionsWithoutTap(options: string): string {
  return options.replaceAll(/"?--import=[^\s"]*@tapjs[^\s"]*"?\s*/g, '').trim();
}

/**
 * Runs a test file in a process of Node.js as it is, in place of this one: what it prints, its exit code, and what tap says
 * to it pass through. tap instruments each process that it starts, and those that they start, for coverage, which is not
 * asked for here: its loaders double the CPU time of imports.
 */
export function runInPlainNode(file: string): void {
  // tap gives its options to whatever is spawned; env(1) takes them back.
  const options = `NODE_OPTIONS=${optionsWithoutTap(process.env['NODE_OPTIONS'] ?? '')}${lateness}`;
  const child = spawn('env', [options, process.execPath, ...plainNodeArguments(file)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // That the time is over, and how much time a test asks for.
  process.on('message', (message: object) => child.send(message));
  child.on('message', (message) => process.send?.(message));
  child.once('error', (error) => {
    throw error;
  });
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
    process.disconnect?.();
  });
}
