import { setTimeout as wait } from 'node:timers/promises';
import { type CommandAnswer, createFleetCounters } from '#shared/simulator/counters.ts';
import { between, type Random } from '#shared/simulator/random.ts';
import type { Station } from '#shared/simulator/station.ts';
import { createStation16 } from '#shared/simulator/station16.ts';
import { createStation201 } from '#shared/simulator/station201.ts';
import type { SeededCharger } from '#shared/testing/seed.ts';
import { type Promises, readingKey, sessionKey } from './promises.ts';
import type { Pulse } from './pulse.ts';
import { gatewayNames, type ProductName, type Topology } from './topology.ts';

/** Vendor of the chargers, which takes data of the back end. */
export const vendor = 'Chaos';

const fewestReadings = 5;
/** 2,000 chargers send 16 readings in a session, and so charge for ten minutes: its end is far more work than a reading. */
const pauseMsPerReading = 2500;
const shortestPauseMs = 1000;
/** A fleet sends at most 50 readings a second: 2,000 chargers one in 40 s each, as real ones do. Two cores carry that alongside the load itself. */
const pauseMsPerStation = 20;
const stepWh = 100;

/** Tokens that chargers begin sessions with. */
interface Tokens {
  /** Token without a driver. */
  anonymous: string;
  /** Of drivers with a wallet. */
  drivers: readonly string[];
  /** Of the roaming partner. */
  partner: string;
}

/**
 * Every fifth charger of the first 200 charges with the token of the roaming partner, which takes 50 requests a second; a third of
 * the others with those of drivers.
 */
function tokenAt(index: number, { anonymous, drivers, partner }: Tokens): string {
  if (index % 5 === 4 && index < 200) return partner;
  return (index % 3 === 0 ? drivers[(index / 3) % drivers.length] : undefined) ?? anonymous;
}

/** Charger and the gateway that it connects to while that one accepts connections. */
interface HomedStation {
  station: Station;
  home: ProductName;
  idToken: string;
}

/** Fleet whose chargers have one session after the other. */
interface Chargers {
  /** Returns the number of times that a charger answered a command, by the data in it. */
  answeredCommands(): Map<string, number>;
  /** Lets sessions begin and end until the signal; resolves when every message is answered or refused. */
  live(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Connects a charger for each record: half of each OCPP version at each gateway. */
export async function connectChargers(
  topology: Topology,
  records: readonly SeededCharger[],
  load: { tokens: Tokens; promises: Promises; pulse: Pulse; random: Random },
): Promise<Chargers> {
  const commandAnswers: CommandAnswer[] = [];
  const counters = { ...createFleetCounters(), commandAnswers };
  const pauseMs = Math.max(shortestPauseMs, records.length * pauseMsPerStation);
  const readingsPerSession = Math.max(fewestReadings, Math.round(pauseMs / pauseMsPerReading));
  const fleet = records.map(({ uid, password }, index): HomedStation => {
    const home = gatewayNames[index % 2 === 0 ? 0 : 1];
    const create = index % 4 < 2 ? createStation16 : createStation201;
    const station = create({
      ocppUrl: `ws://127.0.0.1:${topology.fronts[home].port}/ocpp`,
      uid,
      password,
      connectors: 1,
      vendor,
      model: vendor,
      backoff: { baseMs: 200, maxMs: 2000 },
      retryMs: 1000,
      callDeadlineMs: 10_000,
      counters,
      random: load.random,
    });
    return { station, home, idToken: tokenAt(index, load.tokens) };
  });
  await Promise.all(
    fleet.map(async ({ station }) => {
      await station.connect(20);
      await station.boot();
    }),
  );
  const live = async ({ station, home, idToken }: HomedStation, signal: AbortSignal): Promise<void> => {
    const { promises, pulse, random } = load;
    const acknowledge = async (action: () => Promise<unknown>): Promise<boolean> => {
      const sentAt = performance.now();
      try {
        await action();
      } catch {
        await wait(pauseMs);
        return false;
      }
      pulse.record(home, sentAt);
      return true;
    };
    await wait(between(random, 0, pauseMs));
    // The first session is cut short by a random part: sessions of a fleet do not end together.
    let readingsLeft = Math.ceil(between(random, 0, readingsPerSession));
    while (!signal.aborted) {
      if (!(await acknowledge(() => station.startSession({ idToken })))) {
        promises.refusedStarts.push(station.uid);
        continue;
      }
      const session = station.session(1);
      const meterStartWh = session?.meterStartWh ?? Number.NaN;
      const key = sessionKey(station.uid, session?.transactionId);
      promises.started.add(key);
      for (; readingsLeft > 0 && !signal.aborted; readingsLeft--) {
        await wait(between(random, 0.5, 1.5) * pauseMs);
        const reading = { time: new Date(), energyWh: station.registerWh(1) + stepWh, powerW: 11_000 };
        if (await acknowledge(() => station.sendMeterValues(1, reading)))
          promises.readings.add(readingKey(station.uid, reading.time.getTime(), reading.energyWh));
        else promises.refused.readings++;
      }
      const meterStopWh = station.registerWh(1);
      if (await acknowledge(() => station.stopSession({ meterStopWh })))
        promises.ended.set(key, { meterStopWh, energyWh: meterStopWh - meterStartWh });
      else promises.refused.ends++;
      await station.unplug();
      readingsLeft = readingsPerSession;
    }
    await station.delivered();
  };
  return {
    answeredCommands() {
      const answers = Map.groupBy(commandAnswers, ({ data }) => data ?? '');
      answers.delete('');
      return new Map([...answers].map(([data, { length }]) => [data, length]));
    },
    async live(signal) {
      await Promise.all(fleet.map((one) => live(one, signal)));
    },
    async close() {
      await Promise.all(fleet.map(({ station }) => station.close()));
    },
  };
}
