import { type Supply, supplies } from '#shared/simulator/charging-model.ts';
import { runObedience } from '#shared/simulator/life.ts';
import { createRandom } from '#shared/simulator/random.ts';
import { stations } from '#shared/simulator/stations.ts';
import type { ConnectSimulation } from '#api/services/fleet/running-simulations.ts';
import { leave } from '#deploy/demo/leave.ts';
import { within } from '#shared/domain/kernel/deadline.ts';

/** Time in ms between two messages with meter values: a page that shows a session moves. */
const meterIntervalMs = 5000;
/** Minutes that a car stays: until the session is stopped. */
const stayMinutes = [100_000, 100_000] as const;
/** Register of the meters at first, in Wh: not that of a new charger. */
const registerWh = 1_000_000;

/** Time in ms that a stopped charger has to end its sessions. */
const leaveMs = 15_000;

/** Returns how to connect simulated chargers to a gateway. Cars charge in real time. */
export function simulateAt(ocppUrl: string, options = { leaveMs }): ConnectSimulation {
  return async ({ uid, password, ocppVersion, connectors, maxPowerW }, onLost) => {
    const ending = new AbortController();
    const station = stations[ocppVersion]({
      ocppUrl,
      uid,
      password,
      connectors,
      vendor: 'chargeway',
      model: 'Simulated',
      serialNumber: uid,
      firmwareVersion: '1.0.0',
      registerWh,
      onLost() {
        ending.abort();
        onLost();
      },
    });
    try {
      await station.connect();
    } catch (error) {
      await station.close();
      throw error;
    }
    const life = station.boot().then(() =>
      runObedience(station, {
        timeScale: 1,
        signal: ending.signal,
        random: createRandom(Date.now()),
        supply: supplyOf(maxPowerW),
        meterIntervalMs,
        stayMinutes,
      }),
    );
    // A charger that is not accepted never boots; it is stopped nevertheless.
    life.catch(() => undefined);
    return {
      async stop() {
        ending.abort();
        try {
          await within(leave(station), options.leaveMs, `the end of the sessions of ${uid}`);
        } finally {
          await station.close();
        }
        await life.catch(() => undefined);
      },
    };
  };
}

/** Returns the smallest usual supply of at least that power. */
function supplyOf(maxPowerW: number): Supply {
  const bySize = Object.values(supplies).toSorted((a, b) => a.maxPowerW - b.maxPowerW);
  return bySize.find((supply) => supply.maxPowerW >= maxPowerW) ?? supplies.dc300;
}
