import { hasZone, parseDateTime } from '#shared/domain/kernel/date-time.ts';

/** Offsets of time zones are multiples of it, up to 14 hours. */
const zoneStepMs = 15 * 60_000;
const maxOffsetMs = 14 * 3_600_000;

/** Difference in ms between a clock that is right and the receipt of its message. */
const toleranceMs = 2 * 60_000;

/** Time in ms after a boot in which a status is current, and after a remote start in which its session begins. */
const bootWindowMs = 60_000;
const startWindowMs = 5 * 60_000;

/** Two messages at least this far apart have the same age only when both are current; a queue is sent in less time. */
const apartMs = 10_000;
const agreementMs = 5000;

/** Message with a time. */
export interface TimedMessage {
  /** Time as the charger wrote it. */
  said: string;
  kind: 'status' | 'start' | 'other';
  /** Token of a start. */
  idToken?: string | null;
}

/** Offset that a message shows, and the difference between its time and its receipt. */
interface Sight {
  offsetMs: number;
  differenceMs: number;
  receivedAtMs: number;
}

/**
 * Determines from the messages of one connection whether a charger that states no time zone writes its local time. The offset of a
 * message is the multiple of 15 minutes by which its time differs from its receipt. A queued message can have an offset by accident,
 * so an offset counts only:
 *
 * | message | offset counts |
 * |---|---|
 * | its time would be in the future by the offset known so far | at once |
 * | a status within a minute after a boot | at once |
 * | the start that a remote start requested in the last 5 minutes | at once |
 * | any other | once two of them that are 10 s apart have the same |
 */
export class LocalTime {
  /** ms by which times without a zone are ahead of UTC. */
  offsetMs: number;
  #bootedAtMs = Number.NEGATIVE_INFINITY;
  #requested: { idToken: string; atMs: number } | null = null;
  #last: Sight | null = null;

  constructor(offsetMs = 0) {
    this.offsetMs = offsetMs;
  }

  booted(at: Date): void {
    this.#bootedAtMs = at.getTime();
  }

  startRequested(idToken: string, at: Date): void {
    this.#requested = { idToken: idToken.toLowerCase(), atMs: at.getTime() };
  }

  /** Returns the offset that a message shows where it counts and is not yet known; else null. */
  shownBy(message: TimedMessage, receivedAt: Date): number | null {
    if (hasZone(message.said)) return null;
    const sight = sightOf(message.said, receivedAt);
    if (sight === null || sight.offsetMs === this.offsetMs) {
      this.#last = null;
      return null;
    }
    if (this.#isSure(message, sight) || this.#isSeenTwice(sight)) {
      this.#last = null;
      return sight.offsetMs;
    }
    if (this.#last?.offsetMs !== sight.offsetMs) this.#last = sight;
    return null;
  }

  #isSure({ kind, idToken }: TimedMessage, { differenceMs, receivedAtMs }: Sight): boolean {
    if (differenceMs - this.offsetMs > toleranceMs) return true;
    if (kind === 'status') return receivedAtMs - this.#bootedAtMs <= bootWindowMs;
    return (
      kind === 'start' &&
      this.#requested !== null &&
      this.#requested.idToken === idToken?.toLowerCase() &&
      receivedAtMs - this.#requested.atMs <= startWindowMs
    );
  }

  #isSeenTwice({ offsetMs, differenceMs, receivedAtMs }: Sight): boolean {
    return (
      this.#last?.offsetMs === offsetMs &&
      receivedAtMs - this.#last.receivedAtMs >= apartMs &&
      Math.abs(differenceMs - this.#last.differenceMs) <= agreementMs
    );
  }
}

/** Returns the offset that a message shows. Null if its time is unreadable or fits no time zone. */
function sightOf(said: string, receivedAt: Date): Sight | null {
  const ms = parseDateTime(said);
  if (ms === null) return null;
  const receivedAtMs = receivedAt.getTime();
  const differenceMs = ms - receivedAtMs;
  const offsetMs = Math.round(differenceMs / zoneStepMs) * zoneStepMs;
  const isZone = Math.abs(offsetMs) <= maxOffsetMs && Math.abs(differenceMs - offsetMs) <= toleranceMs;
  return isZone ? { offsetMs, differenceMs, receivedAtMs } : null;
}
