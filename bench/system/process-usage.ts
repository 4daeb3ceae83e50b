import { readdirSync, readFileSync } from 'node:fs';

/** CPU time and memory of processes. */
export interface Usage {
  cpuSeconds: number;
  residentBytes: number;
}

/** Linux counts CPU time in ticks of 10 ms (USER_HZ is 100 on every platform that Node.js runs on). */
const ticksPerSecond = 100;

/** Fields of /proc/PID/stat that are used here. Times in seconds. */
interface ProcessStat {
  parent: number;
  cpuSeconds: number;
  /** CPU time of children that have ended and were waited for. */
  reapedSeconds: number;
}

/** Parses /proc/PID/stat (proc_pid_stat(5)). The second field, the name, may contain blanks and parentheses. */
export function parseStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = (first: number): number => Number(fields[first]) + Number(fields[first + 1]);
  return {
    parent: Number(fields[1]),
    cpuSeconds: ticks(11) / ticksPerSecond,
    reapedSeconds: ticks(13) / ticksPerSecond,
  };
}

/** Returns CPU time and resident memory of one process, with all its threads. */
export function processUsage(pid: number): Usage {
  return { cpuSeconds: readStat(pid).cpuSeconds, residentBytes: residentBytes(pid) };
}

/** Returns the usage of a process and its descendants, including descendants that have ended. */
export function treeUsage(root: number): Usage {
  const parents = new Map<number, ProcessStat>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      parents.set(pid, readStat(pid));
    } catch {
      // Ended since the directory was read.
    }
  }
  const total: Usage = { cpuSeconds: 0, residentBytes: 0 };
  for (const [pid, stat] of parents) {
    if (!descends(pid, root, parents)) continue;
    total.cpuSeconds += stat.cpuSeconds + stat.reapedSeconds;
    try {
      total.residentBytes += residentBytes(pid);
    } catch {
      // As above.
    }
  }
  return total;
}

function descends(pid: number, root: number, stats: ReadonlyMap<number, ProcessStat>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at !== 0; at = stats.get(at)?.parent)
    if (at === root) return true;
  return false;
}

function readStat(pid: number): ProcessStat {
  return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

function residentBytes(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) * 1024;
}
