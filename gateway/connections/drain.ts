import { setTimeout as wait } from 'node:timers/promises';
import type { Registry } from './registry.ts';

/** 1.6J and 2.0.1 name no code for it; RFC 6455 §7.4.1: the server goes down, another may be there. */
const goingAway = 1001;
const reason = 'the gateway is restarting';

const sliceEveryMs = 100;
/** However many there are, the last one is asked to leave after that many slices. */
const maxSlices = 50;
/** Fewer than that at a time are not worth the wait. */
const smallestSlice = 25;
/** What is still under way that long (ms) after the last slice is cut off. */
const patienceMs = 5000;

/**
 * Sends all chargers of a shard elsewhere: a slice of them every 100 ms, over at most 5 s, so that those who take
 * them in are not stormed. Each is closed when what it had under way is answered. Chargers that came in meanwhile
 * go as well. Resolves when no socket is left.
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
