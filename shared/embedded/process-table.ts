import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** One process for certain: process ids are given out again, together with the start time they are not. */
export interface ProcessIdentity {
  pid: number;
  start: string;
}

/** One step of ending a process: the signal, and how long (ms) to wait before the next, harsher step. */
export type EndStep = readonly [signal: NodeJS.Signals, waitMs: number];

/**
 * Returns the identity of a running process, or undefined without one. A zombie does not count: it holds no file, port
 * or memory.
 */
export function identify(pid: number): ProcessIdentity | undefined {
  const start = process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
  return start === undefined ? undefined : { pid, start };
}

/** Returns true when exactly this process still runs. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.start === identity.start;
}

/** Returns the command line of a process, empty when it has ended or is not readable. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') return ps(pid, 'command=') ?? '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/**
 * Returns the working directory of a process; undefined when it has ended, is not readable, or the system is not
 * Linux.
 */
export function workingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** The processes whose working directory is this one; none where the system is not Linux. */
export function processesIn(directory: string): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  return pids.filter((pid) => workingDirectory(pid) === directory);
}

/**
 * Ends a process that need not be our child, step by step.
 * It polls, because the end of a foreign process is not reported to us.
 * @throws Error when the process outlives every step.
 */
export async function endProcess(identity: ProcessIdentity, steps: readonly EndStep[]): Promise<void> {
  for (const [signal, waitMs] of steps) {
    if (!isRunning(identity)) return;
    signalProcess(identity.pid, signal);
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      if (!isRunning(identity)) return;
      await delay(20);
    }
  }
  if (isRunning(identity)) throw new Error(`process ${identity.pid} could not be ended`);
}

/** Sends a signal; ignores a process that has just ended. */
function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function startFromProc(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may hold anything, so the fields are counted behind its end (proc(5): state is 3, start is 22).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${bootId()}/${fields[19]}`;
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function startFromPs(pid: number): string | undefined {
  if (ps(pid, 'state=')?.startsWith('Z')) return undefined;
  return ps(pid, 'lstart=');
}

function ps(pid: number, column: string): string | undefined {
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
