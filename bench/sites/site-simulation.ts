import { outrankingProfiles, profileOf } from '#shared/domain/load/profiles.ts';
import { defaultSettings, type SiteSettings } from '#shared/domain/load/plan.ts';
import type { StationQuirk } from '#shared/domain/load/quirks.ts';
import { type MeterReading, meterTimeoutSeconds } from '#shared/domain/load/other-loads.ts';
import { type ObservedSession, type OutgoingMessage, SiteControl } from '#shared/domain/load/site-control.ts';
import type { Site } from '#shared/domain/load/site.ts';
import { between, createRandom, type Random } from '#shared/simulator/random.ts';
import { simulatedSite } from './simulated-site.ts';
import {
  type Faults,
  graceSeconds,
  newReport,
  type SimulationReport,
  usualFaults,
} from './simulation-report.ts';
import {
  advance,
  clearProfiles,
  currentsOf,
  endSession,
  restart,
  storeProfile,
  type WiredCircuit,
  type WiredStation,
} from './electric-site.ts';

/** Seconds between two readings of a station. */
const readEvery = 5;

/** Seconds after which a reading of a station that ignores its limit has arrived, if one was lost, and others have reduced. */
const hiddenGraceSeconds = 2 * readEvery + graceSeconds;

/** Seconds until another process controls a site after its owner was killed: the lease, and the interval of claims. */
const longestTakeover = 9;

/** Seconds after which the new owner has confirmed the limits of all stations, or reduced the others. */
const takeoverGraceSeconds = 2 * graceSeconds;

/** Tolerance in ampere: accuracy of a car's charger. */
const tolerance = 0.05;

/** Message on its way to a station. */
interface Delivery {
  owner: number;
  sent: OutgoingMessage;
  arrivesAt: number;
  timesOutAt: number;
  /** Null: the answer is lost. */
  answersAt: number | null;
  isAccepted: boolean | null;
}

interface SimulationOptions {
  seed: number;
  stations: number;
  faults?: Faults;
  wired?: number;
}

/** Site with a metered building, two boards, and stations of each kind. */
export class SiteSimulation {
  readonly #random: Random;
  readonly #faults: Faults;
  readonly #circuits: WiredCircuit[];
  readonly #stations: WiredStation[];
  readonly #quirks: (readonly StationQuirk[])[];
  readonly #site: Site;
  readonly #settings: SiteSettings;
  #control: SiteControl | null;
  /** Number of the process that controls the site. */
  #owner = 0;
  #killedAt = Number.NEGATIVE_INFINITY;
  #restartsAt = 0;
  #meterLostAt = Number.NEGATIVE_INFINITY;
  #meterLostUntil = 0;
  #building: number[] = [10, 10, 10];
  readonly #offlineUntil: number[];
  readonly #ignoresSince: number[];
  readonly #obeysAt: number[];
  readonly #readsAt: number[];
  readonly #cleared: boolean[];
  #deliveries: Delivery[] = [];
  readonly #lastArrival: number[];
  #second = 0;
  #steppedAt = Number.NEGATIVE_INFINITY;
  readonly #meters = new Map<string, MeterReading>();
  /** Sessions as the stations reported them. */
  readonly #sessions: (ObservedSession | null)[] = [];
  readonly report = newReport();

  /** @param wired part of the configured limits that the wires carry. Below 1 a check of the model itself: it must report violations. */
  constructor({ seed, stations, faults = usualFaults, wired = 1 }: SimulationOptions) {
    this.#random = createRandom(seed);
    this.#faults = faults;
    this.#settings = { ...defaultSettings, times: { minOn: 60, turn: 300 } };
    const { site, circuits, quirks } = simulatedSite(stations);
    this.#site = site;
    this.#circuits = circuits;
    this.#quirks = quirks;
    for (const circuit of this.#circuits) circuit.limit *= wired;
    this.#stations = this.#site.connectors.map(({ circuitId, rotation, maxAmps }) => ({
      circuit: circuitId,
      pins: (rotation ?? []).map((letter) => 'RST'.indexOf(letter)),
      maxAmps,
      clockError: between(this.#random, -20_000, 20_000),
      // Of another back end, and highest: it outranks ours until it is cleared.
      profiles: [{ purpose: 'TxDefault', level: 9, amps: maxAmps, validTo: null, transaction: null }],
      isOnline: true,
      ignores: false,
      car: null,
      pilots: [],
      drawn: 0,
    }));
    this.#offlineUntil = quirks.map(() => 0);
    this.#ignoresSince = quirks.map(() => 0);
    this.#obeysAt = quirks.map(() => 0);
    this.#readsAt = quirks.map((_, index) => index % readEvery);
    this.#lastArrival = quirks.map(() => 0);
    this.#cleared = quirks.map(() => false);
    this.#control = this.#newControl();
  }

  /** Lets seconds pass. */
  run(seconds: number): SimulationReport {
    for (let left = seconds; left > 0; left -= 1) this.#step();
    return this.report;
  }

  #step(): void {
    this.#second += 1;
    this.report.seconds += 1;
    const now = this.#second * 1000;
    this.#changeWorld();
    this.#deliver(now - 500);
    for (const [index, station] of this.#stations.entries()) {
      const before = station.drawn;
      advance(station, now, this.#random);
      // A station that ignores its limit is a load that is not controlled.
      if (station.ignores && station.drawn > before + 1) {
        this.#steppedAt = this.#second;
        this.#ignoresSince[index] = this.#second;
      }
    }
    const currents = currentsOf(this.#circuits, this.#stations, new Map([['grid', this.#building]]));
    this.#check(currents);
    this.#deliver(now);
    this.#controlSite(now, currents.get('grid') ?? []);
  }

  /** Compares each line with its limit, and sums the energy. */
  #check(currents: ReadonlyMap<string, number[]>): void {
    const { violations } = this.report;
    const isExcused = this.#second - this.#steppedAt <= graceSeconds;
    const isHidden = this.#stations.some(
      ({ ignores, isOnline }, index) =>
        ignores && (!isOnline || this.#second - (this.#ignoresSince[index] ?? 0) <= hiddenGraceSeconds),
    );
    const isTakeover =
      this.#steppedAt + graceSeconds >= this.#killedAt &&
      this.#steppedAt <= this.#restartsAt &&
      this.#second <= this.#restartsAt + takeoverGraceSeconds;
    const reducible = this.#stations.filter(
      ({ ignores, isOnline, drawn }, index) =>
        !ignores && isOnline && drawn > (this.#site.connectors[index]?.fallbackAmps ?? 0),
    );
    const reducibleAmps = currentsOf(this.#circuits, reducible, new Map());
    const isBlind =
      this.#steppedAt >= this.#meterLostAt &&
      this.#second <= this.#meterLostAt + meterTimeoutSeconds + graceSeconds;
    let blind = 0;
    let exhausted = 0;
    let excused = 0;
    let hidden = 0;
    let takeover = 0;
    for (const { id, limit } of this.#circuits) {
      for (const [phase, amps] of (currents.get(id) ?? []).entries()) {
        if (amps <= limit + tolerance) continue;
        const isMetered = id === 'grid' && this.#second >= this.#meterLostUntil;
        if (isExcused) excused = 1;
        else if (reducibleAmps.get(id)?.[phase] === 0) exhausted = 1;
        else if (isTakeover) takeover = 1;
        else if (isBlind) blind = 1;
        else if (isHidden && !isMetered) hidden = 1;
        else violations.push({ second: this.#second, circuit: id, phase, amps, limit });
      }
    }
    this.report.excusedSeconds += excused;
    this.report.hiddenSeconds += hidden;
    this.report.exhaustedSeconds += exhausted;
    this.report.blindSeconds += blind;
    this.report.takeoverSeconds += takeover;
    for (const { car, drawn } of this.#stations) {
      if (car === null) continue;
      this.report.deliveredWh += (drawn * 230 * car.phases) / 3600;
      this.report.wantedWh += (car.maxAmps * 230 * car.phases) / 3600;
    }
  }

  /** Loads that are not controlled, cars, connections and faults. */
  #changeWorld(): void {
    const random = this.#random;
    const { counts } = this.report;
    const faults = this.#faults;
    if (random() < 1 / 300) {
      this.#building = this.#building.map((amps) => (random() < 0.5 ? amps : between(random, 0, 36)));
      counts.steps += 1;
      this.#steppedAt = this.#second;
    }
    if (random() < faults.meterLost) {
      counts.meterLosses += 1;
      if (this.#second >= this.#meterLostUntil) this.#meterLostAt = this.#second - 1;
      this.#meterLostUntil = this.#second + between(random, 5, 300);
    }
    for (const [index, station] of this.#stations.entries()) {
      this.#changeCar(station);
      if (station.isOnline && random() < faults.offline) {
        counts.offline += 1;
        station.isOnline = false;
        this.#offlineUntil[index] = this.#second + between(random, 3, 600);
      } else if (!station.isOnline && this.#second >= (this.#offlineUntil[index] ?? 0)) {
        station.isOnline = true;
        if (random() < 0.3) restart(station);
      }
      if (!station.ignores && random() < faults.ignores) {
        counts.ignores += 1;
        station.ignores = true;
        this.#obeysAt[index] = this.#second + between(random, 60, 3600);
      } else if (station.ignores && this.#second >= (this.#obeysAt[index] ?? 0)) {
        station.ignores = false;
        // An operator repaired it.
        this.#control?.setAside(index, false, this.#second * 1000);
      }
    }
  }

  #changeCar(station: WiredStation): void {
    const random = this.#random;
    if (station.car !== null) {
      if (this.#second >= station.car.leavesAt) endSession(station);
      return;
    }
    if (random() > 1 / 400) return;
    this.report.counts.sessions += 1;
    station.car = {
      transaction: String(this.report.counts.sessions),
      phases: ([1, 2, 3, 3] as const)[Math.floor(random() * 4)] ?? 3,
      maxAmps: [10, 16, 32][Math.floor(random() * 3)] ?? 16,
      leavesAt: this.#second + between(random, 120, 7200),
      lag: Math.floor(between(random, 0, 3)),
    };
  }

  /** Lets the process that controls the site observe, plan and send. */
  #controlSite(now: number, total: readonly number[]): void {
    if (this.#control !== null && this.#random() < this.#faults.kill) {
      this.report.counts.kills += 1;
      this.#control = null;
      this.#killedAt = this.#second;
      this.#restartsAt = this.#second + Math.ceil(between(this.#random, 1, longestTakeover));
    }
    if (this.#control === null) {
      if (this.#second < this.#restartsAt) return;
      this.#owner += 1;
      this.#control = this.#newControl();
    }
    const control = this.#control;
    for (const [index, { isOnline, car, drawn }] of this.#stations.entries()) {
      const session =
        car === null
          ? null
          : { transactionId: car.transaction, arrivedAt: 0, priority: 1, departsAt: null, neededWh: null };
      // A station that is offline reports no session.
      if (isOnline) this.#sessions[index] = session;
      control.observe(index, { isOnline, session: this.#sessions[index] ?? null }, now);
      const isReadingDue = isOnline && this.#second >= (this.#readsAt[index] ?? 0);
      if (!isReadingDue) continue;
      this.#readsAt[index] = this.#second + readEvery;
      if (this.#random() < this.#faults.loss) continue;
      control.read(index, { amps: drawn, at: now, phases: drawn > 0 ? (car?.phases ?? null) : null });
    }
    for (const delivery of this.#deliveries) this.#settle(delivery, now);
    this.#deliveries = this.#deliveries.filter(
      ({ timesOutAt, arrivesAt, isAccepted }) =>
        timesOutAt > now || (isAccepted === null && arrivesAt < Number.POSITIVE_INFINITY),
    );
    if (this.#second >= this.#meterLostUntil) {
      const [l1 = 0, l2 = 0, l3 = 0] = total;
      this.#meters.set('grid', { amps: [l1, l2, l3], at: now });
    }
    const { messages } = control.cycle({ now, localMinute: 0, meters: this.#meters, bounds: [] });
    for (const sent of messages) this.#send(sent, now);
  }

  #send(sent: OutgoingMessage, now: number): void {
    const random = this.#random;
    const { counts } = this.report;
    counts.messages += 1;
    const isLate = random() < this.#faults.late;
    if (isLate) counts.late += 1;
    const delay = isLate ? between(random, 2000, 15_000) : between(random, 50, 600);
    const isLost = random() < this.#faults.loss;
    if (isLost) counts.lost += 1;
    // A lost request is not applied; a lost answer is of a limit in force.
    const isRequestLost = isLost && random() < 0.5;
    const station = this.#indexOf(sent);
    const arrivesAt = isRequestLost
      ? Number.POSITIVE_INFINITY
      : Math.max(now + delay, this.#lastArrival[station] ?? 0);
    // A connection delivers in order.
    if (!isRequestLost) this.#lastArrival[station] = arrivesAt;
    this.#deliveries.push({
      owner: this.#owner,
      sent,
      arrivesAt,
      timesOutAt: now + sent.timeoutMs,
      answersAt: isLost ? null : arrivesAt + delay / 4,
      isAccepted: null,
    });
  }

  /** Applies messages that have arrived at their stations. */
  #deliver(now: number): void {
    for (const delivery of this.#deliveries) {
      const { arrivesAt, isAccepted, sent } = delivery;
      if (arrivesAt > now || isAccepted !== null) continue;
      const index = this.#indexOf(sent);
      const station = this.#stations[index];
      if (station === undefined) continue;
      if (!station.isOnline) {
        delivery.isAccepted = false;
        delivery.answersAt = null;
        continue;
      }
      delivery.isAccepted = this.#store(index, station, sent.message, arrivesAt);
    }
  }

  /** Starts a process, which knows of each station whether its profiles from elsewhere were cleared. */
  #newControl(): SiteControl {
    const control = new SiteControl(this.#site, this.#quirks, this.#settings);
    for (const [index, isCleared] of this.#cleared.entries()) control.setCleared(index, isCleared);
    return control;
  }

  #indexOf({ connectorId }: OutgoingMessage): number {
    return this.#site.connectors.findIndex(({ id }) => id === connectorId);
  }

  #store(index: number, station: WiredStation, message: OutgoingMessage['message'], now = 0): boolean {
    const limited = { evse: 1, quirks: this.#quirks[index] ?? [] };
    if (message.kind === 'clear') {
      clearProfiles(
        station,
        outrankingProfiles(limited).map(({ purpose }) => purpose),
      );
      return true;
    }
    const { profile } = profileOf(message, limited, now);
    return storeProfile(station, {
      purpose: profile.purpose,
      level: profile.stackLevel,
      amps: profile.periods[0]?.limit ?? 0,
      validTo: profile.validTo?.getTime() ?? null,
      transaction: profile.transactionId,
    });
  }

  #settle({ owner, sent, answersAt, isAccepted, timesOutAt }: Delivery, now: number): void {
    if (owner !== this.#owner || this.#control === null) return;
    if (answersAt !== null && answersAt <= Math.min(now, timesOutAt) && isAccepted !== null) {
      if (sent.message.kind === 'clear') this.#cleared[this.#indexOf(sent)] = isAccepted;
      this.#control.settle(sent, isAccepted ? 'accepted' : 'rejected', now);
    } else if (timesOutAt <= now) this.#control.settle(sent, 'unanswered', now);
  }
}
