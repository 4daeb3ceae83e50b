import type { ClickHouse } from './client.ts';
import type { LineTable } from './insert-lines.ts';

/** One attempt to deliver an event to a webhook. Times in ms since 1970. */
export interface WebhookDelivery {
  networkId: number;
  endpointId: number;
  time: number;
  id: string;
  /** 0: a test. */
  eventId: bigint;
  type: string;
  /** Number of the try, from 1. */
  tryNumber: number;
  outcome: 'delivered' | 'refused' | 'unavailable' | 'gone';
  /** 0: there was no answer. */
  httpStatus: number;
  durationMs: number;
  /** Beginning of the answer's body, masked. */
  answer: string;
  /** Reason for a missing answer. */
  error: string;
}

/** Target table of the rows. */
export const deliveryTable: LineTable = {
  name: 'webhook_deliveries',
  columns: [
    'network_id',
    'endpoint_id',
    'time',
    'id',
    'event_id',
    'type',
    'try_number',
    'outcome',
    'http_status',
    'duration_ms',
    'answer',
    'error',
  ],
};

/** A delivery in the order of its columns. */
export function deliveryRow(delivery: WebhookDelivery): (string | number)[] {
  return [
    delivery.networkId,
    delivery.endpointId,
    delivery.time,
    delivery.id,
    String(delivery.eventId),
    delivery.type,
    delivery.tryNumber,
    delivery.outcome,
    delivery.httpStatus,
    delivery.durationMs,
    delivery.answer,
    delivery.error,
  ];
}

/** Filter of the deliveries of one endpoint; both times inclusive. */
export interface DeliveryFilter {
  from?: Date | undefined;
  to?: Date | undefined;
  eventId?: string | undefined;
  outcome?: WebhookDelivery['outcome'] | undefined;
  /** Only what is older than this one. */
  before?: { time: Date; digest: string } | undefined;
}

/** Stored delivery; `digest` distinguishes deliveries of the same millisecond. */
export type StoredDelivery = Omit<WebhookDelivery, 'time' | 'networkId' | 'endpointId' | 'eventId'> & {
  time: Date;
  eventId: string;
  digest: string;
};

/** Returns the newest `limit` deliveries to an endpoint, newest first. */
export async function readDeliveries(
  client: ClickHouse,
  endpointId: number,
  filter: DeliveryFilter,
  limit: number,
): Promise<StoredDelivery[]> {
  const { from, to, eventId, outcome, before } = filter;
  const conditions = [
    'endpoint_id = {endpointId:UInt32}',
    ...(from === undefined ? [] : ['time >= fromUnixTimestamp64Milli({from:Int64})']),
    ...(to === undefined ? [] : ['time <= fromUnixTimestamp64Milli({to:Int64})']),
    ...(eventId === undefined ? [] : ['event_id = {eventId:UInt64}']),
    ...(outcome === undefined ? [] : ['outcome = {outcome:String}']),
    ...(before === undefined
      ? []
      : ['(time, cityHash64(id)) < (fromUnixTimestamp64Milli({beforeTime:Int64}), {beforeDigest:UInt64})']),
  ];
  const result = await client.query({
    query: `
      select toUnixTimestamp64Milli(time) as timeMs, toString(cityHash64(id)) as digest, toString(id) as idText,
        toString(event_id) as eventId, type, try_number as tryNumber, outcome, http_status as httpStatus,
        duration_ms as durationMs, answer, error
      from webhook_deliveries
      where ${conditions.join(' and ')}
      order by endpoint_id desc, time desc, cityHash64(id) desc
      limit 1 by time, id
      limit {limit:UInt32}`,
    query_params: {
      endpointId,
      limit,
      from: from?.getTime(),
      to: to?.getTime(),
      eventId,
      outcome,
      beforeTime: before?.time.getTime(),
      beforeDigest: before?.digest,
    },
    format: 'JSONEachRow',
  });
  const rows = await result.json<Omit<StoredDelivery, 'time' | 'id'> & { timeMs: number; idText: string }>();
  return rows.map(({ timeMs, idText, ...row }) => ({ ...row, time: new Date(timeMs), id: idText }));
}
