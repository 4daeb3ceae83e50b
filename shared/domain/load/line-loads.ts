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
    return im === 0 ? Math.abs(re) : Math.sqrt(re * re + im * im);
  }
  const { groups } = line;
  for (let index = 0; index < groups.length; index += 1)
    sums[index] = sumOf(groups[index]?.members ?? [], amps);
  let worst = 0;
  for (const border of groups) {
    for (const normal of signs) {
      for (const side of signs) worst = Math.max(worst, squareOn(groups, border, normal, side));
    }
  }
  return Math.sqrt(worst);
}

const signs = [1, -1] as const;

/** Component of a unit vector below which it is parallel to another. */
const parallel = 1e-9;

/**
 * Returns the square of the current of the groups in a half-plane. The worst groups are all those on one side of a line through the
 * origin. One that turns until it meets a group finds them: its normal is across `border`, which is on `side` of it.
 */
function squareOn(
  groups: Line['groups'],
  border: Line['groups'][number],
  normal: number,
  side: number,
): number {
  let re = 0;
  let im = 0;
  for (let index = 0; index < groups.length; index += 1) {
    const group = groups[index];
    if (group === undefined) continue;
    const across = normal * (border.re * group.im - border.im * group.re);
    const isParallel = Math.abs(across) <= parallel;
    const isIn = isParallel ? side * (border.re * group.re + border.im * group.im) > 0 : across > 0;
    if (!isIn) continue;
    re += group.re * (sums[index] ?? 0);
    im += group.im * (sums[index] ?? 0);
  }
  return re * re + im * im;
}

/** Sums of the groups of one line during a call. */
const sums: number[] = [];

function sumOf(members: readonly number[], amps: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < members.length; index += 1) sum += amps[members[index] ?? 0] ?? 0;
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
