import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../api/client.ts';
import type { JsonSchema } from './form/json-schema.ts';

export type OcppVersion = Schemas['OcppActions']['version'];

/** Schemas change with a release of the server only. */
const staleTime = 3_600_000;

/** Actions that can be sent to chargers, by OCPP version. */
export const actionsQuery = queryOptions({
  queryKey: ['ocpp-actions'],
  queryFn: () => dataOf(api.GET('/cpms/v1/ocpp-schemas')),
  staleTime,
});

/** Schema of the request of an action. */
export const requestSchemaQuery = (version: OcppVersion, action: string) =>
  queryOptions({
    queryKey: ['ocpp-schemas', version, action],
    queryFn: async () => {
      const params = { path: { version, action } };
      const { request } = await dataOf(api.GET('/cpms/v1/ocpp-schemas/{version}/{action}', { params }));
      return request satisfies JsonSchema;
    },
    staleTime,
  });
