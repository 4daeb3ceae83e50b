import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';

/** Connector of a charger, with the limits and functions that an operator enters. */
export const connectorQuery = (chargerUuid: string, uuid: string) =>
  queryOptions({
    queryKey: ['charger', chargerUuid, 'connector', uuid],
    queryFn: () => api.GET('/cpms/v1/connectors/{uuid}', { params: { path: { uuid } } }),
  });

/** EVSE of a charger by its number (OCPP). */
export const evseQuery = (chargerUuid: string, number: number) =>
  queryOptions({
    queryKey: ['charger', chargerUuid, 'evse', number],
    queryFn: () =>
      api.GET('/cpms/v1/chargers/{uuid}/evses/{number}', {
        params: { path: { uuid: chargerUuid, number } },
      }),
  });
