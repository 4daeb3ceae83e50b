import { Latencies } from '#bench/load/latencies.ts';
import { productNames, type ProductName } from './topology.ts';

/** Groups whose acknowledgements are measured: the clients of each process, and clients that send commands. */
const pulseNames = [...productNames, 'commands'] as const;
export type PulseName = ProductName | 'commands';

interface Beat {
  /** `performance.now()` of the acknowledgement. */
  at: number;
  /** Time since the first sending, in ms. */
  ms: number;
}

/** Recovery of the system from one fault, in seconds. */
export interface Recovery {
  /** Longest time without an acknowledgement to the clients of one process, while the fault lasted and afterwards. */
  longestPause: number;
  /** Time until the clients of every process, and those that send commands, had an acknowledgement again. */
  recovered: number;
  /** Process whose clients, or `commands` whose clients, waited for that long. */
  slowest: string;
  /** Time until the P99 to the acknowledgement was normal for 2 s. */
  p99Normal: number;
}

const secondMs = 1000;
/** P99 counts as normal up to this factor of the P99 before the faults. */
const normalFactor = 3;
const normalAtLeastMs = 500;
/** Seconds in succession with a normal P99. */
const normalSeconds = 2;

/** Times of acknowledgements, by the process whose clients received them. */
export class Pulse {
  readonly #beats = Object.fromEntries(pulseNames.map((name) => [name, []])) as unknown as Record<
    PulseName,
    Beat[]
  >;
  #normalMs = Number.POSITIVE_INFINITY;

  record(name: PulseName, sentAt: number): void {
    const at = performance.now();
    this.#beats[name].push({ at, ms: at - sentAt });
  }

  /** Takes the P99 of readings since `from` as normal; returns it in ms. */
  calibrate(from: number): number {
    const p99 = percentile99(this.#chargerBeats(from, performance.now()));
    this.#normalMs = Math.max(normalAtLeastMs, p99 * normalFactor);
    return p99;
  }

  /** Returns true when every process acknowledges, a command was answered, and the P99 since `from` was normal for 2 s. */
  isNormal(from: number): boolean {
    const now = performance.now();
    const last = (name: PulseName): number => this.#beats[name].at(-1)?.at ?? 0;
    const acknowledges =
      pulseNames.every((name) => last(name) >= from) &&
      productNames.every((name) => last(name) > now - secondMs);
    return (
      acknowledges && now - from >= normalSeconds * secondMs && this.#secondsToNormal(from, now) !== null
    );
  }

  /**
   * Measures the recovery from a fault.
   * @param endedAt end of the fault; its start for a kill, whose recovery is the longest pause.
   * @param unmeasured value in seconds for what did not happen until now.
   */
  recovery(startedAt: number, endedAt: number, unmeasured: number): Recovery {
    const now = performance.now();
    const processes = pulseNames.map((name) => {
      const pause = longestPause(this.#beats[name], startedAt, now);
      const recovered = endedAt === startedAt ? pause : this.#secondsToBeat(name, endedAt, unmeasured);
      return { name, pause, recovered };
    });
    const [slowest] = processes.toSorted((one, other) => other.recovered - one.recovered);
    return {
      longestPause: Math.max(...processes.map(({ pause }) => pause)),
      recovered: slowest?.recovered ?? unmeasured,
      slowest: slowest?.name ?? '',
      p99Normal: this.#secondsToNormal(endedAt, now) ?? unmeasured,
    };
  }

  #secondsToBeat(name: PulseName, from: number, unmeasured: number): number {
    const first = this.#beats[name].find(({ at }) => at >= from);
    return first === undefined ? unmeasured : (first.at - from) / secondMs;
  }

  #secondsToNormal(from: number, until: number): number | null {
    let normal = 0;
    for (let start = from; start + secondMs <= until; start += secondMs) {
      const beats = this.#chargerBeats(start, start + secondMs);
      normal = beats.length > 0 && percentile99(beats) <= this.#normalMs ? normal + 1 : 0;
      if (normal === normalSeconds) return Math.round((start - from) / secondMs) - (normalSeconds - 1);
    }
    return null;
  }

  #chargerBeats(from: number, until: number): Beat[] {
    const chargers = [...this.#beats['gateway-1'], ...this.#beats['gateway-2']];
    return chargers.filter(({ at }) => at >= from && at < until);
  }
}

function percentile99(beats: readonly Beat[]): number {
  const latencies = new Latencies();
  for (const { ms } of beats) latencies.record(ms);
  return latencies.percentile(99);
}

/** Returns the longest time without a beat between two moments, in seconds. */
function longestPause(beats: readonly Beat[], from: number, until: number): number {
  const moments = [from, ...beats.map(({ at }) => at).filter((at) => at > from && at < until), until];
  const pauses = moments.slice(1).map((at, index) => at - (moments[index] ?? at));
  return Math.max(...pauses) / secondMs;
}
