import type { Dialect } from './dialect.ts';
import type { Presence } from './presence.ts';
import {
  type ConnectorPhase,
  ConnectorState,
  type Reading,
  type Reservation,
  type Session,
} from './station.ts';

/** One connector of a station, with its meter. */
export interface Connector {
  readonly id: number;
  phase: ConnectorPhase;
  /** Last reported status. */
  reported: string | undefined;
  operative: boolean;
  registerWh: number;
  lastReading: Reading | undefined;
  session: Session | undefined;
  reservation: Reservation | undefined;
}

/** The connectors of a station and what the back end knows of their state. */
export class Connectors {
  readonly #uid: string;
  readonly #slots: Connector[];
  readonly #dialect: Dialect;
  readonly #presence: () => Presence;

  constructor(uid: string, count: number, registerWh: number, dialect: Dialect, presence: () => Presence) {
    this.#uid = uid;
    this.#dialect = dialect;
    this.#presence = presence;
    this.#slots = Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      phase: 'available',
      reported: undefined,
      operative: true,
      registerWh,
      lastReading: undefined,
      session: undefined,
      reservation: undefined,
    }));
  }

  /** Throws RangeError for a connector that the station does not have. */
  get(id: number): Connector {
    const slot = this.#slots[id - 1];
    if (slot === undefined) throw new RangeError(`${this.#uid} has no connector ${id}`);
    return slot;
  }

  /** The connector's running session; throws ConnectorState without one. */
  running(slot: Connector): Session {
    if (slot.session === undefined) throw new ConnectorState(`no session runs on connector ${slot.id}`);
    return slot.session;
  }

  /** The connector of that number, or all for 0. */
  select(id: number): Connector[] {
    return this.#slots.filter((slot) => id === 0 || slot.id === id);
  }

  /** Returns the wanted connector, or the first, on which a session with a token could start now. */
  free(wanted: number | undefined, idToken: string): Connector | undefined {
    return this.select(wanted ?? 0).find(
      (slot) => slot.operative && slot.session === undefined && isOpenTo(slot, idToken),
    );
  }

  /** Keeps a connector for a token until the reservation ends, and reports it. */
  async reserve(slot: Connector, reservation: Reservation): Promise<void> {
    slot.reservation = reservation;
    const leftMs = Math.min(reservation.expiresAt.getTime() - Date.now(), maxTimerMs);
    const end = () => slot.reservation === reservation && void this.endReservation(reservation.id);
    setTimeout(end, leftMs).unref();
    await this.setPhase(slot, 'reserved');
  }

  /** Ends a reservation that was not used. */
  async endReservation(id: number): Promise<void> {
    const slot = this.reserved(id);
    if (slot === undefined) return;
    slot.reservation = undefined;
    if (slot.phase === 'reserved') await this.release(slot);
  }

  /** Returns the connector of a reservation. */
  reserved(id: number): Connector | undefined {
    return this.#slots.find(({ reservation }) => reservation?.id === id);
  }

  sessions(): Session[] {
    return this.#slots.flatMap((slot) => slot.session ?? []);
  }

  /** Takes a new state and tells it when that changes the status; without a connection it is announced later. */
  async setPhase(slot: Connector, phase: ConnectorPhase): Promise<void> {
    slot.phase = phase;
    await this.report(slot);
  }

  /** Tells the state if the back end does not know it yet. */
  async report(slot: Connector): Promise<void> {
    if (this.#presence().online && slot.reported !== this.#dialect.statusName(slot.phase))
      await this.tell(slot);
  }

  /** The cable is out: available, or not if the connector is out of service. */
  release(slot: Connector): Promise<void> {
    return this.setPhase(slot, slot.operative ? 'available' : 'unavailable');
  }

  /** Sends the connector's status. What fails is counted there; the next connection announces it again. */
  async tell(slot: Connector): Promise<void> {
    slot.reported = this.#dialect.statusName(slot.phase);
    await this.#presence().attempt(this.#dialect.status(slot.id, slot.phase, new Date()));
  }

  /** Sends the status of every connector, as after a boot. */
  async announce(): Promise<void> {
    for (const slot of this.#slots) await this.tell(slot);
  }
}

/** Longest delay of a timer of Node.js, 24.8 days. */
const maxTimerMs = 2 ** 31 - 1;

/** Returns whether a connector is not kept for another token. */
export function isOpenTo({ reservation }: Connector, idToken: string | undefined): boolean {
  return reservation === undefined || reservation.idToken === idToken;
}

/** Returns the meter's values, extrapolated from the last reading. */
export function readingNow(slot: Connector): Reading {
  return { ...(slot.lastReading ?? { energyWh: slot.registerWh }), time: new Date() };
}
