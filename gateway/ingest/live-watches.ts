import type { MeterOrigin, StoredReading } from '#shared/clickhouse/meter-samples.ts';
import type { Bus, Unsubscribe } from '#shared/bus/contract.ts';
import {
  liveChannel,
  type LiveReading,
  type LiveSession,
  type LiveStatus,
  liveUpdateMs,
  type LiveUpdate,
  liveWatchChannel,
  type LiveWatchRequest,
  mergedReading,
} from '#shared/domain/charging/live.ts';
import type { StatusNotice } from '#shared/domain/commands/charger-messages.ts';
import { type ConnectorPosition, station } from '#shared/domain/fleet/charger.ts';
import { type Clock, systemClock, type Timer } from '#shared/domain/kernel/system-clock.ts';

/** Interval in ms at which watches whose lease has ended are removed. */
const sweepMs = 10_000;

/** Watched charger. Times in ms of the clock. */
interface Watch {
  until: number;
  sentAt: number;
  timer: Timer | null;
  isOnline: boolean | undefined;
  /** By position. */
  readings: Map<string, LiveReading>;
  statuses: Map<string, LiveStatus>;
  /** By session. */
  sessions: Map<string, LiveSession>;
}

/** Source of the energy that a session has charged. */
type SessionEnergy = (sessionId: string) => number | null;

const keyOf = ({ evse, connector }: ConnectorPosition) => `${evse}/${connector}`;

/**
 * Publishes the live values of watched chargers, at most once a second for each. Every shard keeps every
 * watch, so that a charger that moves to another shard stays watched. Without a watch a reading costs one comparison.
 */
export class LiveWatches {
  readonly #bus: Pick<Bus, 'publish' | 'subscribe'>;
  readonly #clock: Clock;
  readonly #watches = new Map<number, Watch>();
  #sweep: Timer | null = null;
  #unsubscribe: Unsubscribe | null = null;

  constructor(bus: Pick<Bus, 'publish' | 'subscribe'>, clock: Clock = systemClock) {
    this.#bus = bus;
    this.#clock = clock;
  }

  get size(): number {
    return this.#watches.size;
  }

  /** Begins to take requests of API processes. */
  async listen(): Promise<void> {
    this.#unsubscribe = await this.#bus.subscribe(liveWatchChannel, (message) =>
      this.#watch(message as LiveWatchRequest),
    );
  }

  async close(): Promise<void> {
    for (const id of this.#watches.keys()) this.#remove(id);
    await this.#unsubscribe?.();
  }

  /** Notes readings. `energyOf` is called for a watched charger only. */
  readings(origin: MeterOrigin, samples: readonly StoredReading[], energyOf: SessionEnergy): void {
    if (this.#watches.size === 0) return;
    const watch = this.#find(origin.chargerId);
    if (watch === null) return;
    const { position, sessionId } = origin;
    const key = keyOf(position);
    for (const sample of samples) {
      const before = watch.readings.get(key);
      const at = sample.time.getTime();
      if (before !== undefined && before.at > at) continue;
      const { energyWh, powerW, currentA, phaseCurrentsA, voltageV, socPercent, temperatureC } = sample;
      const reading = {
        ...position,
        at,
        sessionId,
        sessionEnergyWh: sessionId === null ? null : energyOf(sessionId),
        energyRegisterWh: energyWh,
        powerW,
        currentA,
        currentAt: currentA === null ? null : at,
        phaseCurrentsA,
        voltageV,
        socPercent,
        temperatureC,
      };
      watch.readings.set(key, mergedReading(before, reading));
    }
    this.#sendSoon(origin.chargerId, watch);
  }

  /** Notes a status that a charger reported. */
  status(chargerId: number, { position, at, status, errorCode }: StatusNotice): void {
    if (this.#watches.size === 0) return;
    const watch = this.#find(chargerId);
    if (watch === null) return;
    const where = position ?? station;
    watch.statuses.set(keyOf(where), { ...where, at: at.getTime(), status, errorCode });
    this.#sendSoon(chargerId, watch);
  }

  /** Notes that a session began or ended. */
  session(chargerId: number, session: LiveSession): void {
    if (this.#watches.size === 0) return;
    const watch = this.#find(chargerId);
    if (watch === null) return;
    watch.sessions.set(session.sessionId, session);
    this.#sendSoon(chargerId, watch);
  }

  /** Notes that the newest socket of a charger opened or closed here. */
  connection(chargerId: number, isOnline: boolean): void {
    if (this.#watches.size === 0) return;
    const watch = this.#find(chargerId);
    if (watch === null) return;
    watch.isOnline = isOnline;
    this.#sendSoon(chargerId, watch);
  }

  #watch({ chargerIds, leaseMs }: LiveWatchRequest): void {
    const until = this.#clock.steady() + leaseMs;
    for (const id of chargerIds) {
      const watch = this.#watches.get(id);
      if (watch === undefined) this.#watches.set(id, newWatch(until));
      else watch.until = Math.max(watch.until, until);
    }
    this.#sweep ??= this.#clock.every(sweepMs, () => this.#removeEnded());
  }

  #find(chargerId: number): Watch | null {
    const watch = this.#watches.get(chargerId);
    if (watch === undefined) return null;
    if (watch.until > this.#clock.steady()) return watch;
    this.#remove(chargerId);
    return null;
  }

  #removeEnded(): void {
    const now = this.#clock.steady();
    for (const [id, { until }] of this.#watches) if (until <= now) this.#remove(id);
  }

  #remove(chargerId: number): void {
    this.#watches.get(chargerId)?.timer?.cancel();
    this.#watches.delete(chargerId);
    if (this.#watches.size > 0) return;
    this.#sweep?.cancel();
    this.#sweep = null;
  }

  #sendSoon(chargerId: number, watch: Watch): void {
    if (watch.timer !== null) return;
    // The changes of one message of the charger are one update.
    const inMs = Math.max(0, watch.sentAt + liveUpdateMs - this.#clock.steady());
    watch.timer = this.#clock.after(inMs, () => this.#send(chargerId, watch));
  }

  #send(chargerId: number, watch: Watch): void {
    const update: LiveUpdate = {
      ...(watch.isOnline !== undefined && { isOnline: watch.isOnline }),
      readings: [...watch.readings.values()],
      statuses: [...watch.statuses.values()],
      sessions: [...watch.sessions.values()],
    };
    Object.assign(watch, { ...newWatch(watch.until), sentAt: this.#clock.steady() });
    // A watcher reads the stored state every few seconds as well.
    this.#bus.publish(liveChannel(chargerId), update).catch(() => undefined);
  }
}

function newWatch(until: number): Watch {
  return {
    until,
    sentAt: Number.NEGATIVE_INFINITY,
    timer: null,
    isOnline: undefined,
    readings: new Map(),
    statuses: new Map(),
    sessions: new Map(),
  };
}
