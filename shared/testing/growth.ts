/** Runs of which the shortest counts: other work of the machine makes a run longer. */
const runs = 5;

/** Returns the time in µs that the processors work, without the time in which others have them. */
function shortestRun(work: () => void): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const begin = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begin);
    shortest = Math.min(shortest, user + system);
  }
  return shortest;
}

/** Returns the ratio of the times of work on an input of `size` and of an eighth of it: 8 for linear work, 64 for quadratic. */
export function growth(size: number, work: (size: number) => void): number {
  const small = shortestRun(() => work(size / 8));
  return shortestRun(() => work(size)) / small;
}
