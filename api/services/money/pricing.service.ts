import { isStorableTime } from '#shared/domain/kernel/date-time.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { findPublicCharger } from '#shared/postgres/fleet/charger-names.ts';
import {
  type EffectiveTariff,
  listEffectiveTariffs,
  type PlaceTariff,
} from '#shared/postgres/money/effective-tariff.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import type { SessionUsage } from '#shared/pricing/usage.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { type ChargerWithConnectors, readDriverCharger } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type SessionCost, shownCost } from '#api/services/charging/session-cost.ts';
import { invalid } from './tariff-terms.ts';

/** A hypothetical session. */
interface PlannedSession {
  chargerUuid: string;
  connectorNumber?: number | undefined;
  /** Undefined: now. */
  startTime?: Date | undefined;
  energyKwh: number;
  /** Charging time; energy is assumed to flow evenly. */
  chargingMinutes: number;
  /** Parked afterwards without charging. */
  parkingMinutes: number;
  /** A, summed over the phases; undefined: not known. */
  currentA?: number | undefined;
}

/** Estimated cost of a planned session. */
interface Estimate {
  effective: EffectiveTariff;
  chargerUuid: string;
  connectorUuid: string | null;
  startTime: Date;
  endTime: Date;
  cost: SessionCost;
}

/**
 * Estimates the cost of a session by the tariff in effect at its start, of a charger that the caller sees.
 * @throws {DomainError} NO_TARIFF; VALIDATION_FAILED, also for a charger or connector that the caller does
 * not see.
 */
export async function estimateCost(
  deps: ServiceDeps,
  caller: Caller,
  plan: PlannedSession,
): Promise<Estimate> {
  const startTime = plan.startTime ?? new Date();
  const { charger } = await visibleCharger(deps, caller, plan.chargerUuid);
  const places = await listEffectiveTariffs(deps.sql, [charger.id], startTime);
  const place = places.find(({ connectorNumber }) => connectorNumber === (plan.connectorNumber ?? null));
  if (place === undefined) throw invalid('connectorNumber', 'must identify a connector of the charger');
  if (place.effective === null) {
    throw new DomainError('NO_TARIFF', 'No tariff is assigned there at that time: there is no price.');
  }
  const usage = usageOf(plan, startTime);
  if (!isStorableTime(usage.endedAt.getTime())) throw invalid('startTime', 'must be earlier');
  return {
    effective: place.effective,
    chargerUuid: charger.uuid,
    connectorUuid: place.connectorUuid,
    startTime,
    endTime: usage.endedAt,
    cost: shownCost(priceSession(place.effective.tariff, usage), false),
  };
}

async function visibleCharger(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<ChargerWithConnectors> {
  try {
    return await readDriverCharger(deps, caller, uuid);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // The body is invalid, not the path.
    throw invalid('chargerId', 'must identify a charger that you have access to');
  }
}

function usageOf(plan: PlannedSession, startedAt: Date): SessionUsage {
  const chargedAt = new Date(startedAt.getTime() + Math.round(plan.chargingMinutes * 60_000));
  const endedAt = new Date(chargedAt.getTime() + Math.round(plan.parkingMinutes * 60_000));
  const energyWh = plan.energyKwh * 1000;
  return {
    startedAt,
    endedAt,
    energyWh,
    idlePeriods: endedAt > chargedAt ? [{ from: chargedAt, to: endedAt, cause: 'SuspendedEV' }] : [],
    readings: [
      { at: startedAt, energyWh: 0, currentA: plan.currentA ?? null },
      { at: chargedAt, energyWh, currentA: plan.currentA ?? null },
    ],
  };
}

/** A public charger with its prices: of the whole, and of each connector. */
interface PublicCharger extends ChargerWithConnectors {
  whole: EffectiveTariff | null;
  places: PlaceTariff[];
}

/**
 * Returns a public charger at a published location with its current prices, by a name as `findPublicCharger` takes it.
 * @throws {DomainError} CHARGER_NOT_FOUND.
 */
export async function readPublicCharger(
  deps: ServiceDeps,
  caller: Caller,
  name: string,
): Promise<PublicCharger> {
  const uuid = await findPublicCharger(deps.sql, caller.networks, name);
  if (uuid === null) throw new DomainError('CHARGER_NOT_FOUND', `There is no charger ${name}.`);
  const found = await readDriverCharger(deps, caller, uuid);
  const [whole, ...places] = await listEffectiveTariffs(deps.sql, [found.charger.id], new Date());
  return { ...found, whole: whole?.effective ?? null, places };
}
