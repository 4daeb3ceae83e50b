import type { Supply } from '#shared/simulator/charging-model.ts';
import { randomCar, usualStay } from '#shared/simulator/life.ts';
import { between, type Random } from '#shared/simulator/random.ts';
import type { PastSession, Reading } from '#shared/simulator/station.ts';

const minuteMs = 60_000;
const stepSeconds = 300;

/** Readings of a past session that are sent: enough for its curve. */
const readingsAtMost = 12;

/** Minutes that a connector is free between two drivers, from and to. */
const freeMinutes = { ac: [60, 600], dc: [30, 240] } as const;

/** A time in which a network was used. */
export interface PastTime {
  /** ms since 1970. */
  from: number;
  to: number;
}

/** Energy by which the register of a faulty meter jumps. */
const jumpWh = 480_000;

/** Returns the sessions with a jump of the register in the last one, whose price then waits for a review. */
export function withJump(sessions: readonly PastSession[]): PastSession[] {
  return sessions.map((session, index) =>
    index < sessions.length - 1
      ? session
      : { ...session, end: { ...session.end, meterStopWh: session.end.meterStopWh + jumpWh } },
  );
}

/**
 * The sessions of a connector in a time that is over, oldest first, with power, energy and duration as cars have them. The last
 * one ends in it.
 */
export function pastSessions(
  time: PastTime,
  {
    supply,
    tokens,
    random,
    registerWh,
  }: { supply: Supply; tokens: readonly string[]; random: Random; registerWh: number },
): PastSession[] {
  const sessions: PastSession[] = [];
  const [shortest, longest] = freeMinutes[supply.kind];
  let meterStartWh = registerWh;
  let startedAt = time.from + between(random, 0, longest) * minuteMs;
  for (;;) {
    const endedAt = startedAt + between(random, ...usualStay(supply)) * minuteMs;
    if (endedAt > time.to) return sessions;
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
    startedAt = endedAt + between(random, shortest, longest) * minuteMs;
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
