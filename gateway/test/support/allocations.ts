import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { openHotPath } from './hot-path.ts';

/** Measures the bytes that a reading allocates, in a thread whose young generation has room for all of them. */
const { version, chargers, rounds } = workerData as {
  version: OcppVersion;
  chargers: number;
  rounds: number;
};
// The timers of the write-ahead log keep no thread alive.
parentPort?.on('message', () => undefined);
const ends: (() => unknown)[] = [];
const path = openHotPath({ teardown: (end: () => unknown) => void ends.push(end) }, version, chargers);
// Compiled and optimized before it is measured.
for (let round = 0; round < 100; round += 1) await path.round();
let collections = 0;
const observer = new PerformanceObserver((list) => (collections += list.getEntries().length));
observer.observe({ entryTypes: ['gc'] });
const measured: number[] = [];
while (measured.length < rounds) {
  const before = collections;
  const bytes = await path.round();
  await nextTurn();
  // A collection in between hides what was allocated.
  if (collections === before) measured.push(bytes / chargers);
}
observer.disconnect();
await path.close();
for (const end of ends) end();
parentPort?.postMessage(measured.toSorted((a, b) => a - b)[rounds >> 1]);
parentPort?.close();
