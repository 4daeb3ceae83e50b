import type { Supply } from '#shared/simulator/charging-model.ts';
import { randomCar, usualStay } from '#shared/simulator/life.ts';
import { between, type Random } from '#shared/simulator/random.ts';
import type { PastSession, Reading } from '#shared/simulator/station.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const stepSeconds = 300;

/** Readings of a past session that are sent: enough for its curve. */
const readingsAtMost = 12;

/** Mean minutes between two cars in the busiest hour of a free connector. */
const meanMinutes = { ac: 200, dc: 160 } as const;

/** Share of the arrivals of the busiest hour by local hour: offices and streets at AC, motorways at DC. */
const arrivals = {
  ac: [5, 3, 2, 2, 3, 8, 30, 70, 100, 90, 60, 50, 50, 50, 50, 60, 80, 100, 100, 80, 60, 40, 25, 12],
  dc: [8, 5, 4, 4, 6, 12, 30, 50, 60, 70, 80, 90, 100, 95, 90, 95, 100, 100, 90, 70, 50, 35, 25, 15],
} as const;

/** Share of the arrivals of a weekday that come on a day of the weekend. */
const weekend = { ac: 0.6, dc: 1 } as const;

/** Share of the free connectors to which a car came in the last half hour, so that cars charge at any hour and after a restart. */
const lateShare = 0.2;

/** A time in which a network was used. */
export interface PastTime {
  /** ms since 1970. */
  from: number;
  to: number;
}

/** Use of a connector in a time that is over. */
export interface ConnectorPast {
  /** Sessions that ended in it, oldest first. */
  sessions: PastSession[];
  /** Time in ms at which the driver came who is there at its end. Null: the connector is free. */
  occupiedSince: number | null;
}

/** Energy by which the register of a faulty meter jumps. */
const jumpWh = 480_000;

/** Returns the sessions with changes of the last one. */
export function withLast(
  sessions: readonly PastSession[],
  change: (last: PastSession) => PastSession,
): PastSession[] {
  const last = sessions.at(-1);
  return last === undefined ? [] : [...sessions.slice(0, -1), change(last)];
}

/** Lets the register jump at the end of a session: its price waits for a review. */
export const withJump = (session: PastSession): PastSession => ({
  ...session,
  end: { ...session.end, meterStopWh: session.end.meterStopWh + jumpWh },
});

/** Returns the sessions of a connector, with power, energy, duration and hours as cars have them. */
export function pastOf(
  time: PastTime,
  {
    supply,
    tokens,
    random,
    registerWh,
  }: { supply: Supply; tokens: readonly string[]; random: Random; registerWh: number },
): ConnectorPast {
  const sessions: PastSession[] = [];
  let meterStartWh = registerWh;
  let freeSince = time.from;
  for (;;) {
    const startedAt = nextArrival(freeSince, supply, random);
    if (startedAt > time.to) {
      const cameAt = Math.max(freeSince, time.to - between(random, 1, 30) * minuteMs);
      return { sessions, occupiedSince: random() < lateShare && cameAt < time.to ? cameAt : null };
    }
    const endedAt = startedAt + between(random, ...usualStay(supply)) * minuteMs;
    if (endedAt > time.to) return { sessions, occupiedSince: startedAt };
    const idToken = tokens[Math.floor(random() * tokens.length)];
    if (idToken === undefined) throw new RangeError('past sessions need tokens');
    const readings = readingsOf(supply, random, { startedAt, endedAt, meterStartWh });
    const meterStopWh = readings.at(-1)?.energyWh ?? meterStartWh;
    const reason = random() < 0.7 ? 'local' : 'evDisconnected';
    sessions.push({
      idToken,
      meterStartWh,
      at: new Date(startedAt),
      readings: readings.filter((_, index) => index % Math.ceil(readings.length / readingsAtMost) === 0),
      end: { at: new Date(endedAt), meterStopWh, reason },
    });
    meterStartWh = meterStopWh;
    freeSince = endedAt + between(random, 2, 15) * minuteMs;
  }
}

/** Returns the time at which the next car comes to a connector that is free since a time. */
function nextArrival(freeSince: number, { kind }: Supply, random: Random): number {
  let at = freeSince;
  for (;;) {
    at -= Math.log(1 - random()) * meanMinutes[kind] * minuteMs;
    // Local time in winter.
    const local = new Date(at + hourMs);
    const ofDay = [0, 6].includes(local.getUTCDay()) ? weekend[kind] : 1;
    if (random() * 100 < (arrivals[kind][local.getUTCHours()] ?? 0) * ofDay) return at;
  }
}

function readingsOf(
  supply: Supply,
  random: Random,
  session: { startedAt: number; endedAt: number; meterStartWh: number },
): Reading[] {
  const car = randomCar(supply, random);
  const readings: Reading[] = [];
  for (let at = session.startedAt; at < session.endedAt;) {
    const seconds = Math.min(stepSeconds, (session.endedAt - at) / 1000);
    at += seconds * 1000;
    const state = car.advance(seconds);
    readings.push({ ...state, energyWh: session.meterStartWh + state.energyWh, time: new Date(at) });
  }
  return readings;
}
