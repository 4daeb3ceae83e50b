import { setTimeout as wait } from 'node:timers/promises';
import type { Registry } from './registry.ts';

/** WebSocket close code "going away" (RFC 6455 §7.4.1); 1.6J and 2.0.1 define none. */
const goingAway = 1001;
const reason = 'the gateway is restarting';

const sliceEveryMs = 100;
/** Maximum number of slices, however many chargers are connected. */
const maxSlices = 50;
/** Minimum number of chargers in a slice. */
const smallestSlice = 25;
/** Time in ms after the last slice at which remaining connections are closed by force. */
const patienceMs = 5000;

/**
 * Closes all connections of a shard: a slice every 100 ms, over at most 5 s, to spread the load of reconnections. Each
 * is closed after its calls in progress. Chargers that connect meanwhile are closed too. Resolves when no socket is
 * left.
 */
export async function drainConnections(registry: Registry): Promise<void> {
  const slice = Math.max(smallestSlice, Math.ceil(registry.size / maxSlices));
  const leaving = registry.connections();
  for (let start = 0; start < leaving.length; start += slice) {
    if (start > 0) await wait(sliceEveryMs);
    for (const connection of leaving.slice(start, start + slice)) connection.end(goingAway, reason);
  }
  for (const connection of registry.connections()) connection.end(goingAway, reason);
  if (await isEmptyWithin(registry, patienceMs)) return;
  for (const connection of registry.connections()) connection.close(goingAway, reason);
}

async function isEmptyWithin(registry: Registry, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (registry.size > 0 && performance.now() < deadline) await wait(20);
  return registry.size === 0;
}
