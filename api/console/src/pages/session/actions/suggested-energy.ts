import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../../api/client.ts';
import { figurePoints, seriesQuery } from '../session-queries.ts';
import type { Actable } from './actable.ts';

/** Energy that an amendment begins with where the reported energy is implausible. */
export interface SuggestedEnergy {
  kwh: number;
  /** Time of the reading in seconds; null: it is the plausible maximum. */
  readAt: number | null;
}

/**
 * Returns the energy that an amendment of a session in review begins with. Null: the reported energy is plausible. Undefined: the
 * readings are loading.
 */
export function useSuggestedEnergy(session: Actable): SuggestedEnergy | null | undefined {
  const { review } = session;
  const isImplausible = review !== null && review.proposed.energyKwh > review.plausible.energyKwh;
  const series = useQuery({ ...seriesQuery(session, figurePoints), enabled: isImplausible });
  if (!isImplausible) return null;
  if (series.isPending) return undefined;
  return suggestEnergy(review.plausible.energyKwh, series.data?.connectors[0]);
}

/** Returns the energy of the last plausible reading, or the plausible maximum. */
export function suggestEnergy(
  maximum: number,
  readings: Pick<Schemas['ConnectorSeries'], 'time' | 'sessionEnergyKwh'> | undefined,
): SuggestedEnergy {
  const energy = readings?.sessionEnergyKwh ?? [];
  const last = energy.findLastIndex((kwh) => kwh !== null && kwh > 0 && kwh <= maximum);
  const [kwh, readAt] = [energy[last], readings?.time[last]];
  return kwh == null || readAt === undefined ? { kwh: maximum, readAt: null } : { kwh, readAt };
}
