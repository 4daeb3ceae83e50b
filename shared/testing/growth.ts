/** Runs whose shortest counts: whatever interrupts a run makes it longer. */
const runs = 3;

function shortestMs(work: () => void): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const begin = performance.now();
    work();
    shortest = Math.min(shortest, performance.now() - begin);
  }
  return shortest;
}

/** Returns the ratio of the times of work on an input of `size` and of an eighth of it: 8 for linear work, 64 for quadratic. */
export function growth(size: number, work: (size: number) => void): number {
  const small = shortestMs(() => work(size / 8));
  return shortestMs(() => work(size)) / small;
}
