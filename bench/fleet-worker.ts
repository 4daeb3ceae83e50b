import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { RegisteredCharger } from './chargers.ts';
import { createFleetCounters } from './fleet/counters.ts';
import type { Station } from './fleet/station.ts';
import { createStation16 } from './fleet/station16.ts';
import { createStation201 } from './fleet/station201.ts';

/** Tasks of the fleet's own process; it answers each with a `FleetAnswer`. */
export type FleetTask =
  /** Connects and boots these stations. */
  | { do: 'connect'; ocppUrl: string; chargers: RegisteredCharger[] }
  /** Waits until all connections are lost, and then until every station is connected and booted again. */
  | { do: 'return' }
  | { do: 'close' };

/** Times at which each station was connected and booted (ms since 1970). */
export interface FleetAnswer {
  bootedAt: number[];
}

/** Stations that connect at the same time the first time; the rest waits for its turn. */
const atOnce = 100;

// A real fleet computes elsewhere: here it takes what the product leaves of the processors that they share. Linux shares
// them between sessions first, by the weight of each (sched(7), "The autogroup feature"), and this process leads one.
setPriority(constants.priority.PRIORITY_LOW);
try {
  writeFileSync('/proc/self/autogroup', String(constants.priority.PRIORITY_LOW));
} catch (error) {
  // Not on Linux, or not allowed; of several workers that begin together the kernel may refuse all but one.
  process.emitWarning(`the fleet takes as much of the processors as the product: ${String(error)}`);
}

const stations: Station[] = [];
const counters = createFleetCounters();

async function connect(ocppUrl: string, chargers: RegisteredCharger[]): Promise<FleetAnswer> {
  const added = chargers.map(({ uid, password }, index) =>
    (index % 2 === 0 ? createStation16 : createStation201)({
      ocppUrl,
      uid,
      password,
      connectors: 1,
      vendor: 'Bench',
      model: 'Bench',
      counters,
      bootsOnReconnect: true,
      // Impatient on purpose, and still at random times: all of them are back within seconds of the gateway.
      backoff: { baseMs: 1000, maxMs: 8000 },
      // Beyond 28,000 connections one address has no ports left.
      localAddress: `127.0.0.${1 + (index % 8)}`,
    }),
  );
  stations.push(...added);
  const bootedAt: number[] = [];
  const waiting = added.values();
  const start = async (): Promise<void> => {
    for (const station of waiting) {
      await station.connect(20);
      await station.boot();
      bootedAt.push(Date.now());
    }
  };
  await Promise.all(Array.from({ length: atOnce }, start));
  return { bootedAt };
}

async function comeBack(): Promise<FleetAnswer> {
  while (counters.connectionsLost < stations.length) await new Promise((resolve) => setTimeout(resolve, 10));
  return {
    bootedAt: await Promise.all(
      stations.map(async (station) => {
        await station.ready();
        return Date.now();
      }),
    ),
  };
}

async function carryOut(task: FleetTask): Promise<FleetAnswer> {
  if (task.do === 'connect') return connect(task.ocppUrl, task.chargers);
  if (task.do === 'return') return comeBack();
  await Promise.all(stations.map((station) => station.close()));
  return { bootedAt: [] };
}

process.on('message', (task: FleetTask) => {
  void carryOut(task).then((answer) => process.send?.(answer));
});
// The bench is over, or was interrupted.
process.on('disconnect', () => process.exit());
