import type { Demand } from './demand.ts';
import type { DrawnPhases } from './lines.ts';
import type { MeterReading } from './other-loads.ts';
import {
  type ConnectorState,
  type Decision,
  type Plan,
  planSite,
  type SiteSettings,
  type SiteState,
} from './plan.ts';
import { endsWithSession, type LimitMessage, renewSeconds, type StationMessage } from './profiles.ts';
import type { StationQuirk } from './quirks.ts';
import type { Connector, ExternalBound, Site } from './site.ts';
import { nextStanding, type Standing, type StandingEvent, unknownStanding } from './standing.ts';

/** Session at a connector. */
export interface ObservedSession extends Omit<Demand, 'mode'> {
  transactionId: string;
}

/** Newest reading of a connector's meter. */
export interface ObservedReading {
  /** Highest current of a phase. */
  amps: number;
  at: number;
  /** Phases with a current. Null: the station does not report phases, or they are not the first ones. */
  phases: DrawnPhases;
}

/** Message to the station of a connector. `id` increases with each message of the site. */
export interface OutgoingMessage {
  id: number;
  connectorId: string;
  message: StationMessage;
  /** Time in ms for the answer. Slow stations get more after failures. */
  timeoutMs: number;
}

/** Outcome of a message. `unanswered` includes a station that went offline. */
export type MessageOutcome = 'accepted' | 'rejected' | 'unanswered';

/** Values that a site has at a moment, apart from its connectors. Times are milliseconds of one clock. */
export interface SiteInputs {
  now: number;
  localMinute: number;
  meters: ReadonlyMap<string, MeterReading>;
  bounds: readonly ExternalBound[];
}

/** Result of a cycle. */
export interface Cycle {
  state: SiteState;
  plan: Plan;
  messages: OutgoingMessage[];
}

/** Seconds for an answer, and before a message without one is repeated, after 0, 1, 2… failures. */
const attempts = [
  { timeout: 1, pause: 0 },
  { timeout: 1, pause: 0 },
  { timeout: 2, pause: 0 },
  { timeout: 4, pause: 1 },
  { timeout: 8, pause: 5 },
  { timeout: 16, pause: 10 },
] as const;

/** Seconds before a rejected message is repeated. */
const rejectedSeconds = 60;

/** Unanswered attempts to clear profiles after which the next one waits as long as after a rejection. */
const maxQuickClears = 3;

/** Current above which a car draws from a phase with certainty, in ampere. */
const drawingAmps = 4;

/** State of one connector. */
interface Controlled {
  isOnline: boolean;
  session: ObservedSession | null;
  standing: Standing;
  mode: Demand['mode'];
  drawnPhases: DrawnPhases;
  changedAt: number | null;
  /** False: the station may have profiles from elsewhere that outrank ours. It counts at its maximum. */
  isCleared: boolean;
  /** Attempts to clear them that failed, and the time in ms from which the next one is due. Meanwhile the station gets limits. */
  clearFailures: number;
  clearAt: number;
  /** Fallback that the station confirmed since it connected. Null: none. */
  installed: number | null;
  inFlight: OutgoingMessage | null;
  failures: number;
  retryAt: number;
  sentAmps: number | null;
  sentAt: number;
}

/**
 * Control of one site: keeps the states of its connectors, plans, and decides which messages are due. It has no clock and no I/O,
 * and starts with unknown limits.
 */
export class SiteControl {
  #site: Site;
  #quirks: readonly (readonly StationQuirk[])[];
  #settings: SiteSettings;
  #connectors: Map<string, Controlled>;
  #otherHistory: SiteState['otherHistory'] = new Map();
  #messages = 0;

  /** @param quirks deviations of the station of each connector, in the order of the site. */
  constructor(site: Site, quirks: readonly (readonly StationQuirk[])[], settings: SiteSettings) {
    this.#site = site;
    this.#quirks = quirks;
    this.#settings = settings;
    this.#connectors = new Map(site.connectors.map(({ id }) => [id, newControlled()]));
  }

  /** Replaces the site and its settings. Connectors that it had before keep their state. */
  change(site: Site, quirks: readonly (readonly StationQuirk[])[], settings: SiteSettings): void {
    this.#site = site;
    this.#quirks = quirks;
    this.#settings = settings;
    const before = this.#connectors;
    this.#connectors = new Map(site.connectors.map(({ id }) => [id, before.get(id) ?? newControlled()]));
  }

  /** Takes the connection and the session of a connector. */
  observe(index: number, { isOnline, session }: Pick<Controlled, 'isOnline' | 'session'>, at: number): void {
    const { own } = this.#at(index);
    if (isOnline && !own.isOnline) {
      // A station that was offline may have restarted without its profiles.
      own.installed = null;
      own.failures = 0;
      own.retryAt = at;
    }
    own.isOnline = isOnline;
    const before = own.session?.transactionId;
    own.session = session;
    if (before === session?.transactionId) return;
    own.drawnPhases = null;
    own.mode = { kind: 'paused', since: at };
    if (before !== undefined && this.#endsWithSession(index))
      this.#apply(index, { kind: 'session-ended', at });
  }

  /** Takes a reading of a connector's meter. */
  read(index: number, { amps, at, phases }: ObservedReading): void {
    const { own } = this.#at(index);
    if (at <= (own.standing.reading?.at ?? Number.NEGATIVE_INFINITY)) return;
    this.#apply(index, { kind: 'reading', amps, at });
    if (own.session === null || amps < drawingAmps) return;
    // Some cars begin with one phase and add the others: the highest number counts.
    const isMore = phases === null || phases > (own.drawnPhases ?? 0);
    own.drawnPhases = isMore ? phases : own.drawnPhases;
  }

  /** Counts a connector at its maximum, or trusts it again. */
  setAside(index: number, isSetAside: boolean, at: number): void {
    const { own } = this.#at(index);
    if (own.standing.isSetAside === isSetAside) return;
    if (isSetAside) own.standing = { ...own.standing, isSetAside };
    else this.#apply(index, { kind: 'released', at });
  }

  /** Takes whether a station may have profiles from elsewhere. Until they are cleared, it counts at its maximum. */
  setCleared(index: number, isCleared: boolean): void {
    const { own } = this.#at(index);
    if (own.isCleared && !isCleared) {
      own.installed = null;
      this.#apply(index, { kind: 'fallback-lost' });
    }
    own.isCleared = isCleared;
  }

  /** Takes the outcome of a message. */
  settle(sent: OutgoingMessage, outcome: MessageOutcome, at: number): void {
    const own = this.#connectors.get(sent.connectorId);
    if (own?.inFlight?.id !== sent.id) return;
    // The site may have changed since it was sent.
    const index = this.#site.connectors.findIndex(({ id }) => id === sent.connectorId);
    own.inFlight = null;
    const { message } = sent;
    if (message.kind === 'clear') {
      this.#settleClear(index, outcome, at);
      return;
    }
    const isLimit = own.standing.pending !== null;
    if (isOfOtherSession(message, own.session)) {
      // The session ended meanwhile, and its limit with it, accepted or not.
      if (isLimit) this.#apply(index, { kind: 'unanswered', at });
      if (this.#endsWithSession(index)) this.#apply(index, { kind: 'session-ended', at });
      return;
    }
    if (outcome === 'accepted') {
      own.failures = 0;
      own.retryAt = at;
      if (message.kind === 'fallback') {
        own.installed = message.amps;
        this.#apply(index, { kind: 'fallback-accepted', amps: message.amps });
      }
      if (isLimit) this.#apply(index, { kind: 'accepted', at });
      return;
    }
    if (outcome === 'rejected') this.#apply(index, { kind: 'rejected' });
    const pause = outcome === 'rejected' ? rejectedSeconds : attemptAfter(own.failures).pause;
    own.failures += 1;
    own.retryAt = at + pause * 1000;
    // A station that refuses a new fallback keeps the one before. After a reconnect it may have none.
    const isWithout = message.kind === 'fallback' && own.installed === null;
    if (isWithout && outcome === 'rejected') this.#apply(index, { kind: 'fallback-lost' });
    if (isLimit || isWithout) this.#apply(index, { kind: 'unanswered', at });
  }

  /** Takes the outcome of a clear. It may have removed our profiles too, also when a part of it failed. */
  #settleClear(index: number, outcome: MessageOutcome, at: number): void {
    const { own } = this.#at(index);
    own.isCleared = outcome === 'accepted';
    own.installed = null;
    own.sentAt = Number.NEGATIVE_INFINITY;
    this.#apply(index, { kind: 'cleared' });
    const isHopeless = outcome === 'rejected' || own.clearFailures >= maxQuickClears;
    own.clearAt = at + (isHopeless ? rejectedSeconds : attemptAfter(own.clearFailures).pause) * 1000;
    own.clearFailures += 1;
  }

  /** Plans the site, and returns the messages to send now. Each of them is settled once. */
  cycle({ now, ...inputs }: SiteInputs): Cycle {
    const connectors = this.#site.connectors.map((_, index): ConnectorState => {
      this.#apply(index, { kind: 'tick', at: now });
      const { isOnline, session, standing, mode, drawnPhases, changedAt, isCleared } = this.#at(index).own;
      return {
        isOnline,
        demand: session === null ? null : { ...session, mode },
        standing: isCleared ? standing : nextStanding(standing, { kind: 'fallback-lost' }),
        drawnPhases,
        changedAt,
      };
    });
    const state: SiteState = { now, ...inputs, connectors, otherHistory: this.#otherHistory };
    const plan = planSite(this.#site, state, this.#settings);
    this.#otherHistory = plan.otherHistory;
    const messages = plan.decisions.flatMap((decision, index) => this.#decide(index, decision, now));
    return { state, plan, messages };
  }

  #decide(index: number, decision: Decision, now: number): OutgoingMessage[] {
    const { own, connector } = this.#at(index);
    const isCharging = own.session !== null && decision.amps >= connector.minAmps;
    if (own.session !== null && isCharging !== (own.mode.kind === 'charging')) {
      own.mode = { kind: isCharging ? 'charging' : 'paused', since: now };
    }
    if (!own.isOnline || connector.control === 'none' || own.inFlight !== null) return [];
    const message = this.#messageOf(index, decision, now);
    if (message === null) return [];
    this.#messages += 1;
    const failures = message.kind === 'clear' ? own.clearFailures : own.failures;
    const timeoutMs = attemptAfter(failures).timeout * 1000;
    const sent: OutgoingMessage = { id: this.#messages, connectorId: connector.id, message, timeoutMs };
    own.inFlight = sent;
    if (message.kind === 'clear') return [sent];
    if (message.kind === 'fallback') {
      this.#apply(index, { kind: 'fallback-sent', amps: message.amps });
      // A station with one level replaced the limit, which is renewed then.
      own.sentAt = Number.NEGATIVE_INFINITY;
      if (!this.#isFallbackOnly(index)) return [sent];
    }
    if (message.amps !== own.sentAmps) own.changedAt = now;
    own.sentAmps = message.amps;
    own.sentAt = now;
    this.#apply(index, { kind: 'sent', amps: message.amps, at: now });
    return [sent];
  }

  #messageOf(index: number, { amps, send }: Decision, now: number): StationMessage | null {
    const { own, connector } = this.#at(index);
    const { session, installed, sentAmps, sentAt, retryAt } = own;
    const isRetryDue = now >= retryAt;
    const isReduction = sentAmps !== null && amps < sentAmps;
    if (!isRetryDue && !isReduction) return null;
    const isClearDue = isRetryDue && !own.isCleared && now >= own.clearAt;
    if (isClearDue && !this.#isAnyWithoutLimit(now)) return { kind: 'clear' };
    const fallback: LimitMessage = { kind: 'fallback', amps: connector.fallbackAmps, transactionId: null };
    if (isRetryDue && installed !== connector.fallbackAmps) return fallback;
    if (this.#isFallbackOnly(index)) return send ? fallback : null;
    const isRenewalDue = session !== null && now - sentAt >= renewSeconds * 1000;
    if (!send && !isRenewalDue) return null;
    return { kind: 'limit', amps, transactionId: session?.transactionId ?? null };
  }

  /** Returns true while a station is cleared, or gets its first limit after it: a second one would add to the load. */
  #isAnyWithoutLimit(now: number): boolean {
    return this.#site.connectors.some(({ control }, index) => {
      const { isOnline, inFlight, installed, isCleared, retryAt } = this.#at(index).own;
      if (inFlight !== null) return inFlight.message.kind === 'clear' || installed === null;
      return isOnline && control === 'profiles' && isCleared && installed === null && now >= retryAt;
    });
  }

  /** Returns true if the fallback is the only limit of the connector: no session runs, and the last limit ended with its session. */
  #isFallbackOnly(index: number): boolean {
    return this.#at(index).own.session === null && this.#endsWithSession(index);
  }

  #endsWithSession(index: number): boolean {
    return endsWithSession(this.#quirks[index] ?? []);
  }

  #apply(index: number, event: StandingEvent): void {
    const { own } = this.#at(index);
    own.standing = nextStanding(own.standing, event);
  }

  #at(index: number): { own: Controlled; connector: Connector } {
    const connector = this.#site.connectors[index];
    const own = this.#connectors.get(connector?.id ?? '');
    if (connector === undefined || own === undefined)
      throw new RangeError(`The site has no connector ${index}.`);
    return { own, connector };
  }
}

function isOfOtherSession(message: StationMessage, session: ObservedSession | null): boolean {
  return (
    message.kind === 'limit' &&
    message.transactionId !== null &&
    message.transactionId !== session?.transactionId
  );
}

function attemptAfter(failures: number): (typeof attempts)[number] {
  return attempts[Math.min(failures, attempts.length - 1)] ?? attempts[0];
}

function newControlled(): Controlled {
  return {
    isOnline: false,
    session: null,
    standing: unknownStanding,
    mode: { kind: 'paused', since: Number.NEGATIVE_INFINITY },
    drawnPhases: null,
    changedAt: null,
    isCleared: false,
    clearFailures: 0,
    clearAt: Number.NEGATIVE_INFINITY,
    installed: null,
    inFlight: null,
    failures: 0,
    retryAt: Number.NEGATIVE_INFINITY,
    sentAmps: null,
    sentAt: Number.NEGATIVE_INFINITY,
  };
}
