import { queryOptions } from '@tanstack/react-query';
import { api, bodies, type Schemas } from '../../api/client.ts';

export type LoadSite = Schemas['LoadSite'];
export type LoadSiteSummary = Schemas['LoadSiteSummary'];
export type LoadPlan = Schemas['LoadPlan'];
export type PlannedConnector = LoadPlan['connectors'][number];

/** Reads a page of the sites, oldest first. */
export const readLoadSites = (network: { networkUuid?: string }, cursor: string | undefined) =>
  bodies.GET('/cpms/v1/load-sites', { params: { query: { ...network, pageSize: 50, cursor } } });

export const loadSiteQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['load-sites', uuid],
    queryFn: () => api.GET('/cpms/v1/load-sites/{uuid}', { params: { path: { uuid } } }),
    refetchInterval: 10_000,
  });

/** Newest limits of a site, every two seconds. */
export const loadPlanQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['load-plans', uuid],
    queryFn: () => api.GET('/cpms/v1/load-sites/{uuid}/plan', { params: { path: { uuid } } }),
    refetchInterval: 2000,
  });

/** Load of a circuit in the hours before now, read again every minute. */
export const loadHistoryQuery = (uuid: string, circuitId: string, hours: number) =>
  queryOptions({
    queryKey: ['load-history', uuid, circuitId, hours],
    queryFn: async () => {
      const to = Date.now();
      const from = to - hours * 3_600_000;
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const params = { path: { uuid, circuitId }, query };
      const history = await api.GET('/cpms/v1/load-sites/{uuid}/circuits/{circuitId}/history', { params });
      return { ...history, from: from / 1000, to: to / 1000 };
    },
    refetchInterval: 60_000,
  });

/** Reads the OCPP identity of a charger, and its connectors. */
export async function readCharger(uuid: string) {
  const [{ uid }, connectors] = await Promise.all([
    api.GET('/cpms/v1/chargers/{uuid}', { params: { path: { uuid } } }),
    api.GET('/cpms/v1/connectors', { params: { query: { chargerUuid: uuid, pageSize: 100 } } }),
  ]);
  return { uid, connectors };
}
