import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../../api/client.ts';

/** Composite schedule of a connector. Null: the charger sent none. */
export interface Composite {
  number: number;
  schedule: Schemas['CompositeSchedule'] | null;
  askedAt: number;
  /** Outcome as a sentence. */
  message: string;
}

/**
 * Composite schedules of the charger and its connectors, requested from the charger. Each is a message to it, so only
 * a press requests them.
 */
export const compositeQuery = (charger: Schemas['Charger'], hours: number) =>
  queryOptions({
    queryKey: ['composite-schedule', charger.id, hours],
    queryFn: async () => {
      const composites: Composite[] = [];
      for (const connectorNumber of [0, ...charger.connectors.map(({ number }) => number)]) {
        const { schedule, message } = await api.GET('/cpms/v1/chargers/{chargerUuid}/composite-schedule', {
          params: {
            path: { chargerUuid: charger.id },
            query: { connectorNumber, durationSeconds: hours * 3600 },
          },
        });
        composites.push({ number: connectorNumber, schedule, message, askedAt: Date.now() });
      }
      return composites;
    },
    enabled: false,
    retry: false,
  });
