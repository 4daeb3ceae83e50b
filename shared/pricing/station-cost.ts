import { type StationCost, stationCostDiffers } from '#shared/domain/charging/station-transaction.ts';
import type { Cost } from './cost.ts';
import { minorDigits } from './currencies.ts';

/** Difference in minor units that rounding explains. */
const roundedMinor = 2;

/** Part of a price by which a station may differ: it measures idle time and energy at other moments. */
const toleratedPart = 0.01;

/**
 * Returns the flags of a session with or without the flag of a station's cost that differs from ours. A station that failed to
 * calculate, or stated no total, contradicts nothing.
 */
export function withStationCost(
  flags: readonly string[],
  station: StationCost | null,
  cost: Pick<Cost, 'totalInclVatMinor' | 'totalExclVatMinor' | 'currency'> | null,
): string[] {
  const others = flags.filter((flag) => flag !== stationCostDiffers);
  return station !== null && cost !== null && differs(station, cost)
    ? [...others, stationCostDiffers]
    : others;
}

function differs(
  station: StationCost,
  cost: Pick<Cost, 'totalInclVatMinor' | 'totalExclVatMinor' | 'currency'>,
): boolean {
  if (station.failure !== null) return false;
  const [theirs, ours] =
    station.totalInclVat === null
      ? [station.totalExclVat, cost.totalExclVatMinor]
      : [station.totalInclVat, cost.totalInclVatMinor];
  if (theirs === null) return false;
  if (station.currency !== cost.currency) return true;
  const theirsMinor = theirs * 10 ** minorDigits(cost.currency);
  return Math.abs(theirsMinor - Number(ours)) > Math.max(roundedMinor, Number(ours) * toleratedPart);
}
