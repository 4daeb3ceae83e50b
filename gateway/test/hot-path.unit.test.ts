import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';

/** Median of the bytes on the heap that a reading allocates, from its text to its answer. */
async function bytesPerReading(version: OcppVersion): Promise<number> {
  const worker = new Worker(new URL('./support/allocations.ts', import.meta.url), {
    workerData: { version, chargers: 100, rounds: 25 },
    resourceLimits: { maxYoungGenerationSizeMb: 256 },
  });
  const ended = once(worker, 'exit').then(([code]) => {
    throw new Error(`the thread ended with ${String(code)}`);
  });
  const [bytes] = (await Promise.race([once(worker, 'message'), ended])) as [number];
  return bytes;
}

// The bounds are up to a fifth above what was measured with Node.js 22: raise one only with a reason.
for (const [version, most] of [
  ['1.6', 5600],
  ['2.0.1', 7800],
] as const) {
  void t.test(
    `a reading of ${version} allocates at most ${most} bytes until its acknowledgement`,
    async (t) => {
      const bytes = await bytesPerReading(version);
      t.ok(bytes > 500, 'something is measured');
      t.ok(bytes <= most, `${Math.round(bytes)} bytes`);
    },
  );
}
