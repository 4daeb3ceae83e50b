import { isClickHouseDown } from '#shared/clickhouse/client.ts';
import { readUsage } from '#api/services/charging/session-usage.ts';
import type { RoamingDeps } from './deps.ts';
import type { PartnerSession } from '#shared/postgres/roaming/ocpi-sessions.ts';
import { needsReadings, type RatedPeriod, ratedPeriods } from '#shared/pricing/rating.ts';
import { looksAtFlow } from '#shared/pricing/restrictions.ts';
import { usageUntil } from '#shared/pricing/settle-session.ts';
import type { Tariff } from '#shared/pricing/tariff.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';
import { hours, kwh, rounded } from './wire/numbers.ts';
import type { PartnerSessionReading } from './wire/v221/session.ts';
import { sessionMs } from '#api/services/charging/session-cost.ts';
import type { SessionReading } from '#api/services/charging/sessions.service.ts';

/** Dimensions of charging periods that we report (OCPI 2.2.1 §10.4.2, CdrDimensionType). */
export const chargingDimensions = ['ENERGY', 'TIME', 'PARKING_TIME', 'RESERVATION_TIME'] as const;
type ChargingDimension = (typeof chargingDimensions)[number];

/** A part of a session in which the same prices apply (OCPI 2.2.1 §10.4.6, ChargingPeriod). */
export type ChargingPeriod = {
  start_date_time: string;
  dimensions: { type: ChargingDimension; volume: number }[];
  tariff_id?: string;
};

/**
 * Returns the readings of those sessions whose periods need them, by the session's uuid. Null while
 * ClickHouse is unreachable.
 * @param everyMs resolution; 1: every reading.
 */
export async function periodReadings(
  deps: Pick<RoamingDeps, 'sql' | 'clickhouse'>,
  sessions: readonly PartnerSession[],
  now: Date,
  everyMs: number,
): Promise<ReadonlyMap<string, UsageReading[]> | null> {
  const wanted = sessions.filter(
    (session) =>
      session.tariff !== null && needsReadings(session.tariff, usageUntil(session, session.endedAt ?? now)),
  );
  if (wanted.length === 0) return new Map();
  try {
    const current = wanted.some(({ tariff }) => tariff !== null && looksAtFlow(tariff.elements));
    return await readUsage(deps, wanted, { everyMs, current });
  } catch (error) {
    if (!isClickHouseDown(error)) throw error;
    return null;
  }
}

/**
 * Returns a session with its charging periods and its exact duration, until `now` while it runs. `total_time` is the sum of the
 * periods.
 */
export function withPeriods(
  reading: SessionReading,
  session: PartnerSession,
  now: Date,
  readings?: readonly UsageReading[],
): PartnerSessionReading {
  const durationSeconds = sessionMs(session, now) / 1000;
  return { ...reading, session, durationSeconds, periods: chargingPeriods(session, now, readings) };
}

/** The charging periods of a session and of the reservation with which it began, until `now` while it runs. */
function chargingPeriods(
  session: PartnerSession,
  now: Date,
  readings: readonly UsageReading[] = [],
): ChargingPeriod[] {
  const tariff: Tariff = session.tariff ?? { uuid: '', name: '', currency: session.currency, elements: [] };
  const usage = usageUntil(session, session.endedAt ?? now, readings);
  return ratedPeriods(tariff, usage).map((period) => ({
    start_date_time: period.from.toISOString(),
    dimensions: dimensionsOf(period, session.startedAt),
    ...(period.components.length > 0 && { tariff_id: tariff.uuid }),
  }));
}

/**
 * Returns the dimensions of a period. Time in which the charger itself held back is neither charging nor
 * parking and costs nothing (ADR 16).
 */
function dimensionsOf(
  { from, to, energyWh, activity }: RatedPeriod,
  startedAt: Date,
): ChargingPeriod['dimensions'] {
  const until = (time: Date) => hours((time.getTime() - startedAt.getTime()) / 1000);
  // A difference of rounded times: the volumes of all periods add up to the rounded total.
  const time = rounded(until(to) - until(from));
  if (activity === 'reserved') return [{ type: 'RESERVATION_TIME', volume: time }];
  return [
    { type: 'ENERGY', volume: kwh(energyWh) },
    ...(activity === 'charging' ? [{ type: 'TIME' as const, volume: time }] : []),
    ...(activity === 'parking' ? [{ type: 'PARKING_TIME' as const, volume: time }] : []),
  ];
}
