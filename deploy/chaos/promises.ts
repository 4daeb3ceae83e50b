/** Session whose end was acknowledged, as its charger knows it. */
interface EndedSession {
  /** Final register in Wh. */
  meterStopWh: number;
  energyWh: number;
}

/** Everything that chargers and clients got an acknowledgement for. */
export class Promises {
  /** Keys of readings, see readingKey. */
  readonly readings = new Set<string>();
  /** Keys of started sessions, see sessionKey. */
  readonly started = new Set<string>();
  /** Ended sessions, by sessionKey. */
  readonly ended = new Map<string, EndedSession>();
  /** Idempotency keys of wallet credits that were answered with 200. */
  readonly credits = new Set<string>();
  /** Idempotency keys of wallet credits with another outcome or none. They are repeated before the comparison. */
  readonly openCredits = new Set<string>();
  /** Times of the 200 for commands, in ms since 1970, by request id. */
  readonly commands = new Map<string, number>();
  /** Number of messages of chargers that were refused in all attempts. */
  readonly refused = { readings: 0, ends: 0 };
  /** Charger of each start that was refused in all attempts. */
  readonly refusedStarts: string[] = [];
}

/** Identifies a reading: charger, time in ms since 1970, register in Wh. */
export function readingKey(uid: string, timeMs: number, energyWh: number): string {
  return `${uid} ${timeMs} ${energyWh}`;
}

/** Identifies a session: charger and transaction. */
export function sessionKey(uid: string, transactionId: number | string | undefined): string {
  return `${uid} ${transactionId}`;
}
