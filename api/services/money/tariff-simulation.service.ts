import { isStorableTime } from '#shared/domain/kernel/date-time.ts';
import type { Cost } from '#shared/pricing/cost.ts';
import { explainPrice, type PriceExplanation } from '#shared/pricing/explain-price.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import type { Tariff } from '#shared/pricing/tariff.ts';
import type { SessionUsage, UsageReading } from '#shared/pricing/usage.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { requireTimeZone } from '#api/services/kernel/time-zones.ts';
import { invalid, type ShownPrices } from './tariff-terms.ts';
import { draftDocument, readTariff, tariffDocument } from './tariffs.service.ts';

export { kindTotals } from '#shared/pricing/cost.ts';

/** Session to price by a tariff. */
interface SimulationRequest {
  /** A stored tariff, or the prices of a draft. One of them. */
  tariffId?: string | undefined;
  tariff?: (ShownPrices & { currency: string }) | undefined;
  /** IANA name, for restrictions on time. */
  timeZone?: string | undefined;
  startTime: Date;
  /** Power of each part of the charging time, in order. */
  charging: readonly { minutes: number; powerKw: number }[];
  /** Time at the connector afterwards without charging. */
  parkingMinutes: number;
  /** Number of points of the series. */
  points: number;
}

/** Cost of a simulated session until a time. */
interface SimulationPoint {
  at: Date;
  energyWh: number;
  cost: Cost;
}

/** Cost of a simulated session over time, with the explanation of its end. */
interface Simulation extends PriceExplanation {
  cost: Cost;
  series: SimulationPoint[];
}

const minuteMs = 60_000;

/**
 * Prices a hypothetical session. Nothing is stored.
 * @throws {DomainError} TARIFF_NOT_FOUND, VALIDATION_FAILED.
 */
export async function simulateTariff(
  deps: ServiceDeps,
  caller: Caller,
  request: SimulationRequest,
): Promise<Simulation> {
  requireTimeZone(request.timeZone);
  const tariff = { ...(await tariffOf(deps, caller, request)), time_zone: request.timeZone ?? 'UTC' };
  const start = request.startTime.getTime();
  const curve = curveOf(start, request.charging);
  const end = (curve.at(-1)?.at.getTime() ?? start) + Math.round(request.parkingMinutes * minuteMs);
  if (!isStorableTime(end)) throw invalid('startTime', 'must be earlier');
  const usage = usageUntil(curve, end);
  const cost = priceSession(tariff, usage);
  const series = Array.from({ length: request.points }, (_, index) => {
    const at = Math.round(start + ((end - start) * index) / (request.points - 1));
    const part = usageUntil(curve, at);
    return { at: new Date(at), energyWh: part.energyWh, cost: priceSession(tariff, part) };
  });
  return { ...explainPrice(tariff, usage, cost), cost, series };
}

async function tariffOf(
  deps: ServiceDeps,
  caller: Caller,
  { tariffId, tariff }: SimulationRequest,
): Promise<Tariff> {
  if ((tariffId === undefined) === (tariff === undefined)) {
    throw invalid('tariff', 'must be given, or tariffId, and not both');
  }
  if (tariff === undefined) return tariffDocument(await readTariff(deps, caller, tariffId ?? ''));
  const { currency, ...prices } = tariff;
  return draftDocument(prices, currency);
}

/** Returns the energy at the start and after each part of the charging time. */
function curveOf(
  start: number,
  charging: SimulationRequest['charging'],
): (UsageReading & { energyWh: number })[] {
  let [at, energyWh] = [start, 0];
  const curve = [{ at: new Date(at), energyWh, currentA: null }];
  for (const { minutes, powerKw } of charging) {
    at += Math.round(minutes * minuteMs);
    energyWh += (powerKw * 1000 * minutes) / 60;
    curve.push({ at: new Date(at), energyWh, currentA: null });
  }
  return curve;
}

/** Returns the usage until a time: charging along the curve, and idle afterwards. */
function usageUntil(curve: ReturnType<typeof curveOf>, until: number): SessionUsage {
  const startedAt = curve[0]?.at ?? new Date(until);
  const chargedAt = curve.at(-1)?.at ?? startedAt;
  const past = curve.filter(({ at }) => at.getTime() <= until);
  const last = past.at(-1);
  const next = curve[past.length];
  let energyWh = last?.energyWh ?? 0;
  if (last !== undefined && next !== undefined) {
    const share = (until - last.at.getTime()) / (next.at.getTime() - last.at.getTime());
    energyWh += share * (next.energyWh - last.energyWh);
  }
  const endedAt = new Date(until);
  return {
    startedAt,
    endedAt,
    energyWh,
    idlePeriods: endedAt > chargedAt ? [{ from: chargedAt, to: endedAt, cause: 'SuspendedEV' }] : [],
    readings: past,
  };
}
