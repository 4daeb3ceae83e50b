import type { ChargingProfiles, ClearCriteria } from './charging-profiles.ts';
import { type Connectors, readingNow } from './connectors.ts';
import type { FleetCounters } from './counters.ts';
import type { Controls, Dialect, Setting } from './dialect.ts';
import type { Payload } from './payload.ts';
import type { Presence } from './presence.ts';
import type { Call } from './rpc.ts';
import type { Reservation, Session, StationOptions, StopReason, StopRequest } from './station.ts';

interface StationParts {
  options: StationOptions;
  dialect: Dialect;
  counters: FleetCounters;
  presence: Presence;
  slots: Connectors;
  profiles: ChargingProfiles;
  deliver: (encode: () => Call) => Promise<Payload>;
  start: (connector: number, idToken: string, remoteStartId: number | undefined) => Promise<void>;
  stop: (request: StopRequest) => Promise<void>;
}

/** The commands of the back end, carried out after they were answered. */
export class StationControls implements Controls {
  readonly connectors: number;
  readonly vendor: string;
  readonly settings: Map<string, Setting>;
  readonly #parts: StationParts;
  #resetPending = false;

  constructor(parts: StationParts) {
    this.#parts = parts;
    this.connectors = parts.options.connectors;
    this.vendor = parts.options.vendor;
    this.settings = parts.dialect.settings(parts.options);
  }

  session(connector: number): Session | undefined {
    return this.#parts.slots.select(connector)[0]?.session;
  }

  sessions(): Session[] {
    return this.#parts.slots.sessions();
  }

  freeConnector(wanted: number | undefined, idToken: string): number | undefined {
    return this.#parts.slots.free(wanted, idToken)?.id;
  }

  reserve(connector: number, reservation: Reservation): { status: string; apply?: () => void } {
    const { slots } = this.#parts;
    const [slot] = connector === 0 ? [] : slots.select(connector);
    if (slot === undefined) return { status: 'Rejected' };
    if (!slot.operative) return { status: 'Unavailable' };
    // A reservation with the same id is replaced (1.6 section 5.13).
    const isReplaced = slot.reservation?.id === reservation.id;
    if (slot.phase !== 'available' && !isReplaced) return { status: 'Occupied' };
    return { status: 'Accepted', apply: () => this.#run(() => slots.reserve(slot, reservation)) };
  }

  cancelReservation(id: number): (() => void) | undefined {
    const { slots } = this.#parts;
    if (slots.reserved(id) === undefined) return undefined;
    return () => this.#run(() => slots.endReservation(id));
  }

  startRemotely(connector: number, idToken: string, remoteStartId?: number): void {
    this.#parts.counters.remoteStarts++;
    this.#run(() => this.#parts.start(connector, idToken, remoteStartId));
  }

  stop(session: Session, reason: StopReason): void {
    if (reason === 'remote') this.#parts.counters.remoteStops++;
    this.#run(() => this.#parts.stop({ connector: session.connector, reason }));
  }

  reset(reason: 'softReset' | 'hardReset'): void {
    this.#resetPending = false;
    this.#run(async () => {
      const stops = this.sessions().map(({ connector }) => this.#parts.stop({ connector, reason }));
      await Promise.all(stops);
      await this.#parts.presence.restart();
    });
  }

  resetWhenIdle(): void {
    this.#resetPending = true;
  }

  /** Told by the station when a session was stopped: a scheduled reset happens after the last one. */
  onSessionStopped(): void {
    if (this.#resetPending && this.sessions().length === 0) this.reset('softReset');
  }

  changeAvailability(connector: number, operative: boolean): { pending: boolean; apply: () => void } {
    const slots = this.#parts.slots.select(connector);
    return {
      pending: !operative && slots.some((slot) => slot.session !== undefined),
      apply: () => {
        for (const slot of slots) {
          slot.operative = operative;
          if (slot.session === undefined) this.#run(() => this.#parts.slots.release(slot));
        }
      },
    };
  }

  setProfile(connector: number, profile: Payload): boolean {
    if (connector > this.connectors) return false;
    const running = this.session(connector)?.transactionId;
    return this.#parts.profiles.set(connector, profile, running === undefined ? undefined : String(running));
  }

  clearProfiles(criteria: ClearCriteria): boolean {
    return this.#parts.profiles.clear(criteria);
  }

  changeLimit(profileId: number | undefined, limit: number | undefined): boolean {
    return this.#parts.profiles.changeLimit(profileId, limit);
  }

  hasProfile(connector: number, purpose: string): boolean {
    return this.#parts.profiles.has(connector, purpose);
  }

  heartbeatEvery(seconds: number): void {
    this.#parts.presence.heartbeatEvery(seconds);
  }

  triggerBoot(): void {
    this.#run(() => this.#parts.presence.sendBoot('triggered'));
  }

  triggerStatus(connector: number): void {
    for (const slot of this.#parts.slots.select(connector)) this.#run(() => this.#parts.slots.tell(slot));
  }

  triggerMeterValues(connector: number): void {
    for (const slot of this.#parts.slots.select(connector)) {
      this.send(this.#parts.dialect.triggeredMeterValues(slot.id, slot.session, readingNow(slot)));
    }
  }

  triggerTransactionEvents(sessions: readonly Session[]): void {
    const { triggeredEvent } = this.#parts.dialect;
    if (triggeredEvent === undefined) return;
    for (const session of sessions) {
      const reading = readingNow(this.#parts.slots.get(session.connector));
      const sequence = session.nextSequence++;
      this.#run(() => this.#parts.deliver(() => triggeredEvent(session, reading, sequence)));
    }
  }

  send(call: Call): void {
    void this.#parts.presence.attempt(call);
  }

  notify(call: Call): void {
    this.#parts.presence.rpc?.notify(call);
  }

  /** No caller waits for these: what fails was counted as an error, and the station goes on. */
  #run(work: () => Promise<unknown>): void {
    work().catch(() => undefined);
  }
}
