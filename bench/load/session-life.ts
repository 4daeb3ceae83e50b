import { setTimeout as wait } from 'node:timers/promises';
import type { Station } from '#shared/simulator/station.ts';
import type { LifeAnswer, LifeLoad } from './fleet-protocol.ts';
import { Latencies } from './latencies.ts';

/** Pause after a refused start, in ms. */
const refusedPauseMs = 500;

/** Lets every station have one session after the other; resolves when the last one has ended. */
export async function live(
  stations: readonly Station[],
  load: LifeLoad,
  onEnded: () => void,
): Promise<LifeAnswer> {
  const duration = new Latencies();
  const answer: LifeAnswer = { ended: [], acknowledged: [], refused: 0, durationMs: new Float32Array() };
  const cuts = load.cutAtMs.map((moment) =>
    setTimeout(() => {
      for (const [index, station] of stations.entries()) if (index % 2 === 0) void station.rpc?.terminate();
    }, moment - Date.now()),
  );
  await Promise.all(
    stations.map(async (station, index) => {
      const ended = { uid: station.uid, sessions: 0 };
      const acknowledged = { uid: station.uid, timesMs: [] };
      answer.ended.push(ended);
      answer.acknowledged.push(acknowledged);
      const idToken = load.tokens[index % load.tokens.length] ?? '';
      // Stations are at different points of their sessions.
      await wait((load.pauseMs * index) / stations.length);
      while (Date.now() < load.untilMs) {
        try {
          const startedAt = performance.now();
          answer.refused += await runSession(station, idToken, load, acknowledged.timesMs);
          duration.record(performance.now() - startedAt);
          ended.sessions++;
          onEnded();
        } catch {
          // Refused while the back end cannot store it. A charger's driver tries again.
          answer.refused++;
          await wait(refusedPauseMs);
        }
      }
      await station.delivered();
    }),
  );
  for (const cut of cuts) clearTimeout(cut);
  return { ...answer, durationMs: duration.values() };
}

/** Runs one session; adds the times of acknowledged readings and returns the number of refused ones. */
async function runSession(
  station: Station,
  idToken: string,
  load: LifeLoad,
  timesMs: number[],
): Promise<number> {
  let refused = 0;
  // A start that was refused may have left a session behind.
  if (station.session(1) === undefined) await station.startSession({ idToken });
  for (let reading = 1; reading <= load.readings; reading++) {
    await wait(load.pauseMs);
    const time = new Date();
    try {
      await station.sendMeterValues(1, { time, energyWh: station.registerWh(1) + 100, powerW: 11_000 });
      timesMs.push(time.getTime());
    } catch {
      refused++;
    }
  }
  await wait(load.pauseMs);
  await station.stopSession();
  await station.unplug();
  return refused;
}
