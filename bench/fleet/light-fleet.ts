import {
  LightStation,
  type LightStationListener,
  type LightStationOptions,
  type Milestones,
} from './light-station.ts';

/** Upgrades under way at once in a fleet; boots are not limited. */
const upgradesAtOnce = 100;

/** Pause after a refused attempt, in ms: a server that starts is found within it. */
const retryMs = 20;

/**
 * Stations that connect as fast as the server upgrades them, and connect again when they are cut off. They wait for
 * nothing but a free upgrade: a pause of the clients would be measured as the server's.
 */
export class LightFleet implements LightStationListener {
  readonly #stations: LightStation[];
  #waiting: LightStation[] = [];
  #underWay = 0;
  #limit = upgradesAtOnce;
  #finished = 0;
  /** Connections that must be lost before the fleet counts as back. */
  #toLose = 0;
  #pause: NodeJS.Timeout | null = null;
  #onFinished: (() => void) | null = null;
  #isClosed = false;

  constructor(stations: readonly LightStationOptions[]) {
    this.#stations = stations.map((options) => new LightStation(options, this));
  }

  /** Stations that are connected and, where they boot, booted and reported. */
  get finishedCount(): number {
    return this.#finished;
  }

  /** Connects every station; resolves when all are finished. */
  connect(): Promise<Milestones[]> {
    this.#waiting = [...this.#stations];
    this.#fill();
    return this.#allFinished();
  }

  /** Resolves when every station was cut off and is finished again. */
  comeBack(): Promise<Milestones[]> {
    this.#toLose = this.#stations.length;
    return this.#allFinished();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#pause !== null) clearTimeout(this.#pause);
    for (const station of this.#stations) station.close();
  }

  attempted(station: LightStation, isUpgraded: boolean): void {
    this.#underWay -= 1;
    // A server that is away is found by one station: the others leave the processors to its start.
    this.#limit = isUpgraded ? upgradesAtOnce : 1;
    if (!isUpgraded) {
      this.#waiting.push(station);
      this.#pause ??= setTimeout(() => {
        this.#pause = null;
        this.#fill();
      }, retryMs);
    }
    this.#fill();
  }

  finished(): void {
    this.#finished += 1;
    this.#settle();
  }

  lost(station: LightStation, wasFinished: boolean): void {
    if (wasFinished) this.#finished -= 1;
    this.#toLose -= 1;
    this.#waiting.push(station);
    this.#fill();
  }

  #fill(): void {
    while (!this.#isClosed && this.#pause === null && this.#underWay < this.#limit) {
      const station = this.#waiting.pop();
      if (station === undefined) return;
      this.#underWay += 1;
      station.connect();
    }
  }

  async #allFinished(): Promise<Milestones[]> {
    await new Promise<void>((resolve) => {
      this.#onFinished = resolve;
      this.#settle();
    });
    return this.#stations.map(({ milestones }) => ({ ...milestones }));
  }

  #settle(): void {
    if (this.#toLose > 0 || this.#finished < this.#stations.length) return;
    this.#onFinished?.();
    this.#onFinished = null;
  }
}
