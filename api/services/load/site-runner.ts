import type { LiveState } from '#api/services/charging/live-state.ts';
import type { LiveDeps } from '#api/services/charging/live-watch.ts';
import { send } from '#api/services/commands/send.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { ProfileCriteria } from '#shared/domain/charging/charging-profile.ts';
import type { ChargerCommand } from '#shared/domain/commands/commands.ts';
import { minuteOfDay } from '#shared/domain/kernel/calendar.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Timer } from '#shared/domain/kernel/system-clock.ts';
import { LoadMinutes } from '#shared/domain/load/load-minutes.ts';
import { drawnPhasesOf } from '#shared/domain/load/lines.ts';
import type { MeterReading } from '#shared/domain/load/other-loads.ts';
import { outrankingProfiles, profileOf } from '#shared/domain/load/profiles.ts';
import { type PublishedPlan, publishedPlan } from '#shared/domain/load/published-plan.ts';
import { quirksOfStation } from '#shared/domain/load/quirks.ts';
import { SiteConditions } from '#shared/domain/load/site-conditions.ts';
import type { SiteProblem } from '#shared/domain/load/site-problems.ts';
import type { SiteReading } from '#shared/domain/load/site-channels.ts';
import { type MessageOutcome, type OutgoingMessage, SiteControl } from '#shared/domain/load/site-control.ts';
import type { ExternalBound, Site } from '#shared/domain/load/site.ts';
import type { LoadConnector, LoadSiteRecord } from '#shared/postgres/load/load-sites.statements.ts';
import { setAside, storeCleared, storeConditions } from '#shared/postgres/load/site-state.statements.ts';
import type { LoadSession } from '#shared/postgres/load/site-leases.ts';
import { checkRecord } from './load-sites.service.ts';
import { serveSite } from './site-bus.ts';

/** Dependencies of load management. */
export type LoadDeps = ServiceDeps & LiveDeps;

/** Shortest time between two cycles in ms, when meters and answers request them. */
const cycleGapMs = 100;

/** Age in ms of a reading that a charger kept while it was offline: it does not describe the present. */
const oldReadingMs = 60_000;

/** Control of one site by this process: watches its chargers and meters, plans, and sends profiles. */
export class SiteRunner {
  readonly #deps: LoadDeps;
  readonly #isOwner: () => boolean;
  #record: LoadSiteRecord;
  #site: Site;
  #problems: SiteProblem[];
  readonly #control: SiteControl;
  readonly #live = new Map<number, LiveState>();
  readonly #watches = new Map<number, Promise<() => void>>();
  readonly #readAt = new Map<number, number>();
  readonly #meters = new Map<string, MeterReading>();
  #sessions: ReadonlyMap<number, LoadSession> = new Map();
  #unserve: Promise<() => Promise<void>> | null = null;
  #plan: PublishedPlan | null = null;
  #next: Timer | null = null;
  #isStopped = false;
  /** Stored site changed since it was read. */
  isChanged = false;
  readonly minutes = new LoadMinutes();
  readonly #conditions = new SiteConditions();

  /** @param isOwner returns false when the lease of the site may have ended. */
  constructor(deps: LoadDeps, record: LoadSiteRecord, isOwner: () => boolean) {
    this.#deps = deps;
    this.#isOwner = isOwner;
    this.#record = record;
    ({ site: this.#site, problems: this.#problems } = checkRecord(record));
    this.#control = new SiteControl(this.#site, record.connectors.map(quirksOfStation), record.settings);
    this.#adopt(true);
  }

  get record(): LoadSiteRecord {
    return this.#record;
  }

  /** Resolves when all its chargers are watched. A failure leaves a charger offline until the next change. */
  async start(): Promise<void> {
    this.#unserve = serveSite(this.#deps.bus, this.#record.uuid, {
      onReadings: (readings) => this.#readMeters(readings),
      onChange: () => (this.isChanged = true),
      plan: () => this.#plan,
    });
    await Promise.all([this.#unserve, ...this.#watches.values()]);
  }

  /** Takes the site as it is stored now. */
  change(record: LoadSiteRecord): void {
    this.isChanged = false;
    const isNewVersion = record.version !== this.#record.version;
    this.#record = record;
    ({ site: this.#site, problems: this.#problems } = checkRecord(record));
    this.#control.change(this.#site, record.connectors.map(quirksOfStation), record.settings);
    this.#adopt(isNewVersion);
  }

  /** Ends the control. Stations keep their limits until these expire. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#next?.cancel();
    const watches = [...this.#watches.values()];
    this.#watches.clear();
    await Promise.allSettled([
      this.#unserve?.then((end) => end()),
      ...watches.map((watch) => watch.then((leave) => leave())),
    ]);
  }

  /** Takes the running sessions of its connectors, by connector. */
  takeSessions(sessions: ReadonlyMap<number, LoadSession>): void {
    this.#sessions = sessions;
  }

  /** Plans the site now, and sends what is due. */
  cycle(): void {
    if (this.#isStopped || !this.#isOwner()) return;
    this.#next?.cancel();
    this.#next = null;
    const now = this.#deps.clock.now();
    for (const [index, connector] of this.#record.connectors.entries()) this.#observe(index, connector, now);
    const { state, plan, messages } = this.#control.cycle({
      now,
      localMinute: minuteOfDay(now, this.#record.timeZone),
      meters: this.#meters,
      bounds: boundsAt(this.#record, now),
    });
    for (const [index, { standing }] of state.connectors.entries()) {
      const connector = this.#record.connectors[index];
      if (connector !== undefined && standing.isSetAside && connector.setAsideAt === null) {
        this.#storeSetAside(connector, now);
      }
    }
    this.#plan = publishedPlan(this.#site, state, plan, this.#problems);
    this.minutes.add(this.#plan);
    const conditions = this.#conditions.take(this.#site, this.#plan);
    if (conditions !== null) {
      storeConditions(this.#deps.sql, this.#record.id, conditions).catch(() => this.#conditions.repeat());
    }
    for (const message of messages) void this.#send(message, now);
  }

  /** Watches the chargers of the site, and takes what operators decided about its connectors. */
  #adopt(isNewVersion: boolean): void {
    const { connectors } = this.#record;
    for (const { chargerId, chargerUid } of connectors) {
      if (this.#watches.has(chargerId)) continue;
      const watch = this.#deps.liveWatches.watch({ id: chargerId, uid: chargerUid }, (state) =>
        this.#live.set(chargerId, state),
      );
      this.#watches.set(chargerId, watch);
      watch.catch(() => this.#watches.delete(chargerId));
    }
    const kept = new Set(connectors.map(({ chargerId }) => chargerId));
    for (const [chargerId, watch] of this.#watches) {
      if (kept.has(chargerId)) continue;
      this.#watches.delete(chargerId);
      void watch.then((leave) => leave()).catch(() => undefined);
    }
    const now = this.#deps.clock.now();
    for (const [index, { setAsideAt, isCleared }] of connectors.entries()) {
      this.#control.setAside(index, setAsideAt !== null, now);
      // The same version may have been read before a clear was stored.
      if (isCleared || isNewVersion) this.#control.setCleared(index, isCleared);
    }
  }

  #observe(index: number, { chargerId, connectorId, number, priority }: LoadConnector, now: number): void {
    const live = this.#live.get(chargerId);
    const session = this.#sessions.get(connectorId);
    this.#control.observe(
      index,
      {
        isOnline: live?.isOnline === true,
        session:
          session === undefined
            ? null
            : {
                transactionId: session.transactionId,
                arrivedAt: session.startedAt.getTime(),
                priority,
                departsAt: null,
                neededWh: null,
              },
      },
      now,
    );
    const reading = live?.connectors.find((one) => one.number === number)?.reading ?? null;
    if (reading === null || reading.currentA === null || reading.currentAt === null) return;
    if (reading.currentAt === this.#readAt.get(connectorId)) return;
    this.#readAt.set(connectorId, reading.currentAt);
    if (now - reading.currentAt > oldReadingMs) return;
    const phases = drawnPhasesOf(reading.phaseCurrentsA);
    this.#control.read(index, { amps: reading.currentA, at: Math.min(reading.currentAt, now), phases });
  }

  #readMeters(readings: readonly SiteReading[]): void {
    for (const { circuitId, amps, at } of readings) {
      if (at > (this.#meters.get(circuitId)?.at ?? 0)) this.#meters.set(circuitId, { amps, at });
    }
    this.#cycleSoon();
  }

  #cycleSoon(): void {
    if (this.#isStopped) return;
    this.#next ??= this.#deps.clock.after(cycleGapMs, () => this.cycle());
  }

  async #send(sent: OutgoingMessage, now: number): Promise<void> {
    const connector = this.#record.connectors.find(({ id }) => id === sent.connectorId);
    if (connector === undefined) return;
    const { message, timeoutMs } = sent;
    const station = { evse: connector.evse, quirks: quirksOfStation(connector) };
    const outcome =
      message.kind === 'clear'
        ? await this.#clear(connector, outrankingProfiles(station), timeoutMs)
        : await this.#outcomeOf(
            connector,
            { type: 'set-charging-profile', ...profileOf(message, station, now) },
            timeoutMs,
          );
    this.#control.settle(sent, outcome, this.#deps.clock.now());
    this.#cycleSoon();
  }

  /** Clears profiles, and stores it. A process that is no longer the owner clears nothing: the next owner may have set profiles. */
  async #clear(
    connector: LoadConnector,
    profiles: readonly ProfileCriteria[],
    timeoutMs: number,
  ): Promise<MessageOutcome> {
    const { version } = this.#record;
    for (const criteria of profiles) {
      if (this.#isStopped || !this.#isOwner()) return 'unanswered';
      const outcome = await this.#outcomeOf(
        connector,
        { type: 'clear-charging-profiles', ...criteria },
        timeoutMs,
      );
      if (outcome !== 'accepted') return outcome;
    }
    const store = storeCleared(this.#deps.sql, { id: this.#record.id, version }, connector.connectorId);
    connector.isCleared = await store.catch(() => false);
    return connector.isCleared ? 'accepted' : 'unanswered';
  }

  async #outcomeOf(
    { chargerUid: uid, chargerUuid: uuid }: LoadConnector,
    command: Extract<ChargerCommand, { type: 'set-charging-profile' | 'clear-charging-profiles' }>,
    timeoutMs: number,
  ): Promise<MessageOutcome> {
    const charger = { uid, uuid, networkId: this.#record.networkId };
    const isClear = command.type === 'clear-charging-profiles';
    try {
      const { accepted, status } = await send(this.#deps, null, charger, command, { timeoutMs });
      // Unknown: the station has no such profile.
      return accepted || (isClear && status === 'Unknown') ? 'accepted' : 'rejected';
    } catch (error) {
      // A station without priority charging has no such profile.
      const isWithoutPurpose = isClear && command.purpose === 'PriorityCharging' && isRefusal(error);
      if (isWithoutPurpose) return 'accepted';
      return isRefusal(error) ? 'rejected' : 'unanswered';
    }
  }

  #storeSetAside(connector: LoadConnector, now: number): void {
    connector.setAsideAt = now;
    const at = new Date(now);
    setAside(this.#deps.sql, this.#record.id, connector.connectorId, at).catch(() => {
      // The next cycle stores it again.
      connector.setAsideAt = null;
    });
  }
}

/** Errors of a station that answered: a repetition at once would not help. */
const refusals: ReadonlySet<string> = new Set(['COMMAND_NOT_SUPPORTED', 'CHARGER_REFUSED']);

function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && refusals.has(error.code);
}

function boundsAt({ bounds }: LoadSiteRecord, now: number): ExternalBound[] {
  return bounds.filter(
    ({ validFrom, validUntil }) => (validFrom ?? now) <= now && (validUntil ?? Infinity) > now,
  );
}
