import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';

/** Properties of a charger that is simulated. */
export interface SimulatedCharger {
  /** OCPP identity. */
  uid: string;
  /** Basic password. */
  password: string;
  ocppVersion: OcppVersion;
  connectors: number;
  /** Power of a connector in W. */
  maxPowerW: number;
}

/** Simulated charger that is connected. */
interface ConnectedSimulation {
  /** Ends its sessions and closes its connection. */
  stop(): Promise<void>;
}

/**
 * Connects a simulated charger to the gateway as a charger does, over a WebSocket with its password. It charges what is
 * started remotely. Rejects when the gateway refuses the connection. `onLost` is called when the connection was closed by the
 * other side: the simulation has ended then, so that it does not contend with a charger that took its place.
 */
export type ConnectSimulation = (
  charger: SimulatedCharger,
  onLost: () => void,
) => Promise<ConnectedSimulation>;

/** Times of a simulation. */
export interface RunningSimulation {
  startedAt: Date;
  /** Time at which it ends by itself. */
  endsAt: Date;
}

interface Entry extends RunningSimulation {
  connected: Promise<ConnectedSimulation>;
  timer: NodeJS.Timeout;
}

/** Log of simulations that end badly. */
interface SimulationLog {
  warn(fields: object, message: string): void;
}

/** Duration in ms after which a simulation ends by itself. */
const defaultDurationMs = 30 * 60_000;

/** No further simulated charger can run. */
export class SimulationsFull extends Error {
  override name = 'SimulationsFull';
}

/** The charger is simulated already. */
export class SimulationRuns extends Error {
  override name = 'SimulationRuns';
}

/** Simulated chargers of this process, by identifier of the charger. Each one ends by itself. */
export class Simulations {
  readonly max: number;
  readonly #connect: ConnectSimulation;
  readonly #durationMs: number;
  readonly #log: SimulationLog;
  readonly #entries = new Map<string, Entry>();

  constructor(options: { max: number; connect: ConnectSimulation; log: SimulationLog; durationMs?: number }) {
    this.max = options.max;
    this.#connect = options.connect;
    this.#log = options.log;
    this.#durationMs = options.durationMs ?? defaultDurationMs;
  }

  /**
   * Resolves when the charger is connected.
   * @throws {SimulationRuns} when this one is simulated already.
   * @throws {SimulationsFull} when `max` chargers are simulated.
   */
  async start(uuid: string, charger: SimulatedCharger): Promise<RunningSimulation> {
    if (this.#entries.has(uuid)) throw new SimulationRuns(`charger ${charger.uid} is simulated already`);
    if (this.#entries.size >= this.max) throw new SimulationsFull(`${this.max} chargers are simulated`);
    const startedAt = new Date();
    const entry: Entry = {
      startedAt,
      endsAt: new Date(startedAt.getTime() + this.#durationMs),
      connected: this.#connect(charger, () => this.#forget(uuid, entry)),
      timer: setTimeout(() => void this.#end(uuid, entry), this.#durationMs),
    };
    // The process may end before.
    entry.timer.unref();
    this.#entries.set(uuid, entry);
    try {
      await entry.connected;
      return entry;
    } catch (error) {
      this.#forget(uuid, entry);
      throw error;
    }
  }

  find(uuid: string): RunningSimulation | null {
    return this.#entries.get(uuid) ?? null;
  }

  /** Ends a simulation; false when none runs. One that ends badly is logged: it runs no longer either. */
  async stop(uuid: string): Promise<boolean> {
    const entry = this.#entries.get(uuid);
    if (entry === undefined) return false;
    await this.#end(uuid, entry);
    return true;
  }

  /** Ends all simulations. */
  async close(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((uuid) => this.stop(uuid)));
  }

  async #end(uuid: string, entry: Entry): Promise<void> {
    this.#forget(uuid, entry);
    const connected = await entry.connected.catch(() => null);
    try {
      await connected?.stop();
    } catch (err) {
      this.#log.warn({ err, chargerUuid: uuid }, 'a simulated charger ended badly');
    }
  }

  #forget(uuid: string, entry: Entry): void {
    clearTimeout(entry.timer);
    if (this.#entries.get(uuid) === entry) this.#entries.delete(uuid);
  }
}
