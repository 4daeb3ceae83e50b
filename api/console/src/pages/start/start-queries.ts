import { queryOptions } from '@tanstack/react-query';
import { api, bodies } from '../../api/client.ts';

/** Interval in ms at which the page looks for what appears: a connection, a session. */
const watchMs = 2000;

type Network = { networkUuid?: string };

const first = { pageSize: 1 };

/** First location of a network; null without one. */
export const firstLocationQuery = (network: Network) =>
  queryOptions({
    queryKey: ['locations', 'first', network],
    queryFn: async () => {
      const [location] = await api.GET('/cpms/v1/locations', { params: { query: { ...network, ...first } } });
      return location ?? null;
    },
  });

/** First tariff of a network; null without one. */
export const firstTariffQuery = (network: Network) =>
  queryOptions({
    queryKey: ['tariffs', 'first', network],
    queryFn: async () => {
      const [tariff] = await api.GET('/cpms/v1/tariffs', { params: { query: { ...network, ...first } } });
      return tariff ?? null;
    },
  });

/** First charger of a network (null without one), and their number. */
export const firstChargerQuery = (network: Network) =>
  queryOptions({
    queryKey: ['chargers', 'first', network],
    queryFn: async () => {
      const { data, pagination } = await bodies.GET('/cpms/v1/chargers', {
        params: { query: { ...network, ...first } },
      });
      return { charger: data[0] ?? null, total: pagination.total };
    },
  });

/** Charger of the page, which is watched until it is connected. */
export const watchedChargerQuery = (uuid: string | null) =>
  queryOptions({
    queryKey: ['charger', uuid, 'start'],
    queryFn: () => api.GET('/cpms/v1/chargers/{uuid}', { params: { path: { uuid: uuid ?? '' } } }),
    enabled: uuid !== null,
    refetchInterval: watchMs,
  });

/** Latest session of a charger, or of a network; null without one. `isWatched`: a start is under way. */
export const latestSessionQuery = (of: Network & { chargerId?: string }, isWatched = false) =>
  queryOptions({
    queryKey: ['sessions', 'latest', of],
    queryFn: async () => {
      const [session] = await api.GET('/cpms/v1/sessions', { params: { query: { ...of, ...first } } });
      return session ?? null;
    },
    refetchInterval: isWatched ? watchMs : false,
  });
