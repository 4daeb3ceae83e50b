import { number, type Payload, record, records, text } from './payload.ts';

/** Charging profile that a station stores. Only the first period of its schedule counts. */
interface StoredProfile {
  id: number | undefined;
  connector: number;
  purpose: string;
  isDynamic: boolean;
  level: number;
  /** In ms since 1970. Null: no end. */
  validTo: number | null;
  transactionId: string | null;
  /** In the unit of the schedule, for each phase in A or for all phases in W. */
  limit: number;
  unit: string;
}

/** Criteria of `ClearChargingProfile`. Undefined: any. */
export interface ClearCriteria {
  id?: number | undefined;
  connector?: number | undefined;
  purpose?: string | undefined;
  level?: number | undefined;
}

/** Charging profiles of a station, by the rules of both versions (1.6 §3.13, 2.0.1 K01). */
export class ChargingProfiles {
  #profiles: StoredProfile[] = [];

  /**
   * Stores a profile of `SetChargingProfile`, and replaces the one with its purpose, level and connector. Returns false if it is
   * rejected: its transaction does not run, or a back end may not set its purpose.
   * @param running identifier of the transaction at the connector.
   */
  set(connector: number, profile: Payload, running: string | undefined): boolean {
    const schedule = records(profile, 'chargingSchedule')[0] ?? record(profile, 'chargingSchedule');
    const limit = number(records(schedule, 'chargingSchedulePeriod')[0] ?? {}, 'limit');
    const purpose = text(profile, 'chargingProfilePurpose') ?? '';
    const ofTransaction = text(profile, 'transactionId') ?? number(profile, 'transactionId');
    const transactionId = ofTransaction === undefined ? (running ?? null) : String(ofTransaction);
    const isTx = purpose === 'TxProfile';
    if (limit === undefined || purpose === 'ChargingStationExternalConstraints') return false;
    if (isTx && (running === undefined || transactionId !== running)) return false;
    const validTo = text(profile, 'validTo');
    const stored = {
      id: number(profile, 'chargingProfileId') ?? number(profile, 'id'),
      connector,
      purpose,
      isDynamic: profile.chargingProfileKind === 'Dynamic',
      level: number(profile, 'stackLevel') ?? 0,
      validTo: validTo === undefined ? null : Date.parse(validTo),
      transactionId: isTx ? transactionId : null,
      limit,
      unit: text(schedule, 'chargingRateUnit') ?? 'A',
    };
    this.#profiles = this.#profiles.filter(
      (one) => one.connector !== connector || one.purpose !== purpose || one.level !== stored.level,
    );
    this.#profiles.push(stored);
    return true;
  }

  /** Changes the limit of a Dynamic profile (2.1 K28), or keeps it without a new one. Returns false for another identifier. */
  changeLimit(id: number | undefined, limit: number | undefined): boolean {
    const changed = this.#profiles.find((one) => one.isDynamic && one.id === id);
    if (changed === undefined) return false;
    changed.limit = limit ?? changed.limit;
    return true;
  }

  /** Returns whether a profile with a purpose applies to a connector. */
  has(connector: number, purpose: string): boolean {
    return this.#profiles.some(
      (one) => one.purpose === purpose && (one.connector === connector || one.connector === 0),
    );
  }

  /** Forgets the profiles that match all criteria. Returns false if it had none. */
  clear({ id, connector, purpose, level }: ClearCriteria): boolean {
    const kept = this.#profiles.filter(
      (one) =>
        (id ?? one.id) !== one.id ||
        (connector ?? one.connector) !== one.connector ||
        (purpose ?? one.purpose) !== one.purpose ||
        (level ?? one.level) !== one.level,
    );
    const isAny = kept.length < this.#profiles.length;
    this.#profiles = kept;
    return isAny;
  }

  /**
   * Returns the current in ampere that the profiles allow on each phase now; null without a profile.
   * @param running identifier of the transaction at the connector.
   */
  limitAmps(connector: number, running: string | undefined, now: number): number | null {
    const valid = this.#profiles.filter(
      (one) =>
        (one.connector === connector || one.connector === 0) && (one.validTo === null || now < one.validTo),
    );
    const highest = (matches: (one: StoredProfile) => boolean): StoredProfile | undefined =>
      valid.filter(matches).toSorted((one, two) => two.level - one.level)[0];
    const session =
      highest(({ purpose, transactionId }) => purpose === 'TxProfile' && transactionId === running) ??
      highest(({ purpose }) => purpose === 'TxDefaultProfile');
    const station = highest(({ purpose }) => purpose.endsWith('MaxProfile'));
    const limits = [session, station].flatMap((one) => (one === undefined ? [] : [ampsOf(one)]));
    return limits.length === 0 ? null : Math.min(...limits);
  }
}

/** A limit in W is for three phases of 230 V. */
function ampsOf({ limit, unit }: StoredProfile): number {
  return unit === 'W' ? limit / 690 : limit;
}
