import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { RegisteredCharger } from './chargers.ts';
import type { FleetAnswer, FleetTask } from './fleet-worker.ts';
import type { Product } from './product.ts';

/** A fleet in processes of its own: open files are counted per process, and 20,000 is a common limit. */
export interface FleetProcesses {
  /** Connects and boots; the answer is when each was booted (ms since 1970). */
  connect(chargers: RegisteredCharger[]): Promise<number[]>;
  /** Resolves when all were cut off and are connected and booted again, with when each was. */
  comeBack(): Promise<number[]>;
  close(): Promise<void>;
}

const perProcess = 10_000;

/** Starts as many processes as a fleet of this size needs. */
export function startFleetProcesses(product: Product, size: number): FleetProcesses {
  const workers = Array.from({ length: Math.ceil(size / perProcess) }, () =>
    // A session of its own, which gives way to the product's.
    fork(new URL('./fleet-worker.ts', import.meta.url), { detached: true }),
  );
  const all = async (taskOf: (index: number) => FleetTask): Promise<number[]> => {
    const answers = await Promise.all(workers.map((worker, index) => ask(worker, taskOf(index))));
    return answers.flatMap(({ bootedAt }) => bootedAt);
  };
  return {
    connect: (chargers) =>
      all((index) => ({
        do: 'connect',
        ocppUrl: product.ocppUrl,
        chargers: chargers.filter((_, charger) => charger % workers.length === index),
      })),
    comeBack: () => all(() => ({ do: 'return' })),
    async close() {
      await all(() => ({ do: 'close' }));
      for (const worker of workers) worker.disconnect();
    },
  };
}

/** @throws {Error} when the process ends instead of answering. */
async function ask(worker: ChildProcess, task: FleetTask): Promise<FleetAnswer> {
  const ended = once(worker, 'exit').then(([code]) => {
    throw new Error(`a process of the fleet ended with ${String(code)}`);
  });
  worker.send(task);
  const answer = once(worker, 'message').then(([message]) => message as FleetAnswer);
  return Promise.race([answer, ended]);
}
