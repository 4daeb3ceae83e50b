import type { Line } from './lines.ts';

/** Tolerance of a comparison with a limit, in ampere. Limits are sent in tenths. */
const tolerance = 1e-6;

/**
 * Returns the highest current of a line in ampere, if each connector draws at most its value. A car may draw less: where currents of
 * groups cancel, the worst case leaves some groups out.
 */
export function worstAmps(line: Line, amps: ArrayLike<number>): number {
  if (!line.cancels) {
    let re = 0;
    let im = 0;
    for (const group of line.groups) {
      const sum = sumOf(group.members, amps);
      re += group.re * sum;
      im += group.im * sum;
    }
    return im === 0 ? Math.abs(re) : Math.hypot(re, im);
  }
  const sums = line.groups.map(({ members }) => sumOf(members, amps));
  let worst = 0;
  for (let subset = 1; subset < 2 ** sums.length; subset += 1) {
    let re = 0;
    let im = 0;
    for (const [index, group] of line.groups.entries()) {
      if ((subset & (1 << index)) === 0) continue;
      re += group.re * (sums[index] ?? 0);
      im += group.im * (sums[index] ?? 0);
    }
    worst = Math.max(worst, Math.hypot(re, im));
  }
  return worst;
}

function sumOf(members: readonly number[], amps: ArrayLike<number>): number {
  let sum = 0;
  for (const member of members) sum += amps[member] ?? 0;
  return sum;
}

/** Returns true if a line carries its worst current. */
export function fits(line: Line, amps: ArrayLike<number>): boolean {
  return worstAmps(line, amps) <= line.amps + tolerance;
}

/** Returns the lines of each connector. */
export function linesByConnector(lines: readonly Line[], connectors: number): Line[][] {
  const byConnector: Line[][] = Array.from({ length: connectors }, () => []);
  for (const line of lines) {
    for (const { members } of line.groups) for (const member of members) byConnector[member]?.push(line);
  }
  return byConnector;
}
