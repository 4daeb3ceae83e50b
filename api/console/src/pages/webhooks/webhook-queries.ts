import type { ChargerState } from '#shared/domain/fleet/charger-state.ts';
import { queryOptions } from '@tanstack/react-query';
import { api, bodies, type Schemas } from '../../api/client.ts';

export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['WebhookDelivery'];
export type DeadLetter = Schemas['WebhookDeadLetter'];
export type EventFilter = Webhook['types'][number];

export const webhookQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['webhooks', uuid],
    queryFn: () => api.GET('/cpms/v1/webhooks/{uuid}', { params: { path: { uuid } } }),
    refetchInterval: 5000,
  });

export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  queryFn: () => api.GET('/cpms/v1/event-types'),
  staleTime: Infinity,
});

/** Colours and icons of the states of a delivery. */
export const healthStates: Record<Webhook['health']['state'], ChargerState> = {
  HEALTHY: 'available',
  FAILING: 'unavailable',
  DOWN: 'faulted',
  DISABLED: 'offline',
};

export const outcomes = ['delivered', 'refused', 'unavailable', 'gone'] as const;

/** Colours and icons of the outcomes of an attempt. */
export const outcomeStates: Record<Delivery['outcome'], ChargerState> = {
  delivered: 'available',
  refused: 'faulted',
  unavailable: 'unavailable',
  gone: 'offline',
};

/** Reads a page of the attempts, newest first. */
export const readDeliveries = (
  uuid: string,
  outcome: Delivery['outcome'] | undefined,
  cursor: string | undefined,
) =>
  bodies.GET('/cpms/v1/webhooks/{uuid}/deliveries', {
    params: { path: { uuid }, query: { pageSize: 100, outcome, cursor } },
  });

/** Reads a page of the dead letters, oldest first. */
export const readDeadLetters = (uuid: string, cursor: string | undefined) =>
  bodies.GET('/cpms/v1/webhooks/{uuid}/dead-letters', {
    params: { path: { uuid }, query: { pageSize: 100, cursor } },
  });
