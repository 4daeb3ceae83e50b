import { type FleetProcesses, startFleetProcesses } from '#bench/load/fleet-processes.ts';
import type { FleetProgress } from '#bench/load/fleet-protocol.ts';
import { showProgress } from './progress.ts';
import type { Bench, Load } from '#bench/scenarios/scenario.ts';
import { startOwnSystem } from '#bench/system/own-system.ts';
import type { OwnSystem, System, Versions } from '#bench/system/system.ts';
import { openTarget, type Target } from '#bench/system/target-system.ts';
import { startYardstick, type Yardstick } from '#bench/yardsticks/start.ts';

/** Means of one run of a scenario, and the versions of all that it started. */
interface RunningBench extends Bench {
  readonly versions: Versions;
}

type Stoppable = Pick<OwnSystem | FleetProcesses | Yardstick, 'stop'>;

/** Creates the means of one run of a scenario. */
export function createBench(name: string, load: Load, target: Target | null): RunningBench {
  const started: Stoppable[] = [];
  const versions: Versions = {};
  const kept = <Started extends Stoppable>(one: Started): Started => {
    started.push(one);
    return one;
  };
  /** Start that may be under way when the run is interrupted. */
  let starting: Promise<unknown> = Promise.resolve();
  let step = '';
  const show = (text: string): void => showProgress(`${name}: ${text}`);
  const progress = (text: string): void => {
    step = text;
    show(text);
  };
  const stopStarted = async (): Promise<void> => {
    await starting.catch(() => undefined);
    // The fleet first: a gateway that is stopped waits for its chargers.
    for (const one of started.splice(0).toReversed()) await one.stop();
  };
  let stopping = Promise.resolve();
  const startOwn: Bench['startOwn'] = async (topology, options) => {
    if (target !== null)
      throw new Error(`${name} starts, stops or kills its system: it does not take --target`);
    progress(`starting a system (${topology})`);
    const start = startOwnSystem(topology, options).then(kept);
    starting = start;
    const system = await start;
    Object.assign(versions, system.versions);
    return system;
  };
  return {
    load,
    versions,
    progress,
    topologies: target === null ? ['all-in-one', 'split'] : ['target'],
    startOwn,
    async start(topology, options): Promise<System> {
      if (target === null) return startOwn(topology, options);
      const system = await openTarget(target);
      Object.assign(versions, system.versions);
      return system;
    },
    startFleet: (ocppUrls, options) =>
      kept(
        startFleetProcesses(ocppUrls, {
          onProgress: (state) => {
            const text = describeProgress(state);
            if (text !== '') show(step === '' ? text : `${step}: ${text}`);
          },
          ...options,
        }),
      ),
    startYardstick: async (yardstick, env) => kept(await startYardstick(yardstick, env)),
    stopAll() {
      // An interrupted scenario fails while it is stopped, and stops everything once more.
      stopping = stopping.then(stopStarted);
      return stopping;
    },
  };
}

function describeProgress({ messages, errors, done }: FleetProgress): string {
  if (messages > 0) return `${messages.toLocaleString('en')} messages acknowledged, ${errors} refused`;
  return done === 0 ? '' : `${done.toLocaleString('en')} done`;
}
