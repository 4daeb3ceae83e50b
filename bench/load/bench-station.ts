import type { Station, StationOptions } from '#shared/simulator/station.ts';
import { createStation16 } from '#shared/simulator/station16.ts';
import { createStation201 } from '#shared/simulator/station201.ts';
import type { RegisteredCharger } from './chargers.ts';

/** Stations that connect or start a session at the same time; the rest waits for its turn. */
export const stationsAtOnce = 100;

/** Returns the simulated station of a registered charger, with one connector. */
export function createBenchStation(
  { uid, password, number }: RegisteredCharger,
  options: Pick<StationOptions, 'ocppUrl'> & Partial<StationOptions>,
): Station {
  return (number % 2 === 0 ? createStation16 : createStation201)({
    uid,
    password,
    connectors: 1,
    vendor: 'Bench',
    model: 'Bench',
    localAddress: localAddress(number),
    ...options,
  });
}

/** Returns the loopback address of a connection. Beyond 28,000 connections one address has no ports left. */
export function localAddress(number: number): string {
  return `127.0.0.${1 + (number % 8)}`;
}

/** Runs a step for each item, a limited number of them at once. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  limit: number,
  step: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries();
  const run = async (): Promise<void> => {
    for (const [index, item] of waiting) await step(item, index);
  };
  await Promise.all(Array.from({ length: limit }, run));
}
