import { setTimeout as wait } from 'node:timers/promises';
import { startConnectedFleet } from '#bench/load/start-fleet.ts';
import { countMissingReadings, listSessions } from '#bench/load/stored-readings.ts';
import type { LifeResult } from '#bench/load/fleet-processes.ts';
import type { RegisteredCharger } from '#bench/load/chargers.ts';
import { measurementsOf } from '#bench/report/measurement.ts';
import type { Scenario } from '#bench/scenarios/scenario.ts';
import type { System } from '#bench/system/system.ts';

/** Moments of the faults, as parts of the day. */
const faults = { cut: [0.15, 0.75], kill: [0.3, 0.6], freeze: 0.45 } as const;

/** Part of the day in which ClickHouse answers nothing. */
const frozenShare = 0.1;

/** Readings of a session. */
const readings = 5;
const pauseMs = 500;

/**
 * A day of a fleet in a minute, with faults: connections cut, the product killed (SIGKILL), ClickHouse frozen. It ends
 * with a comparison of everything that was acknowledged with what is stored.
 */
export const compressedDay: Scenario = {
  name: 'compressed-day',
  describe:
    'sessions and readings while the product is killed, ClickHouse is frozen and connections are cut: ' +
    'acknowledged data that is lost',
  defaults: { stations: 300, duration: 40 },
  async run(bench) {
    const { stations, duration } = bench.load;
    const system = await bench.startOwn('all-in-one');
    const { fleet, chargers } = await startConnectedFleet(bench, system, stations);
    bench.progress('the day: connections cut, the product killed, ClickHouse frozen');
    const startMs = Date.now();
    const at = (share: number): number => startMs + share * duration * 1000;
    const day = fleet.live({
      tokens: system.tokens,
      readings,
      pauseMs,
      untilMs: at(1),
      cutAtMs: faults.cut.map(at),
    });
    const recoveries: number[] = [];
    const kill = async (): Promise<void> => {
      for (const share of faults.kill) {
        await wait(at(share) - Date.now());
        const killedAt = performance.now();
        await system.restart();
        recoveries.push((performance.now() - killedAt) / 1000);
      }
    };
    const freeze = async (): Promise<void> => {
      await wait(at(faults.freeze) - Date.now());
      const thaw = system.stores.freeze('ClickHouse');
      await wait(frozenShare * duration * 1000);
      thaw();
    };
    const [result] = await Promise.all([day, freeze(), kill()]);

    bench.progress('comparing what was acknowledged with what is stored');
    const missing = await countMissingReadings(system, chargers, result.acknowledged);
    const lost = await countLostSessions(system, chargers, result);
    const of = measurementsOf('all-in-one');
    const ended = result.ended.reduce((sum, { sessions }) => sum + sessions, 0);
    return {
      measurements: [
        of('sessions acknowledged from start to end', ended),
        of('of them lost', lost),
        of(
          'readings acknowledged',
          result.acknowledged.reduce((sum, { timesMs }) => sum + timesMs.length, 0),
        ),
        of('of them missing in ClickHouse', missing ?? 0),
        of('messages refused', result.refused),
        of('kill -9 until ready again, longest', Math.max(...recoveries), 's'),
      ],
      ratios: [
        { what: 'acknowledged sessions lost', value: lost, goal: { atMost: 0 } },
        { what: 'acknowledged readings lost', value: missing ?? 0, goal: { atMost: 0 } },
      ],
    };
  },
};

/** Counts sessions whose end was acknowledged and that are not stored as completed. */
async function countLostSessions(
  system: System,
  chargers: readonly RegisteredCharger[],
  { ended }: LifeResult,
): Promise<number> {
  const completed = new Map<string, number>();
  for (const { chargerId, status } of await listSessions(system)) {
    if (status === 'COMPLETED') completed.set(chargerId, (completed.get(chargerId) ?? 0) + 1);
  }
  const ids = new Map(chargers.map(({ id, uid }) => [uid, id]));
  return ended.reduce(
    (lost, { uid, sessions }) => lost + Math.max(0, sessions - (completed.get(ids.get(uid) ?? '') ?? 0)),
    0,
  );
}
