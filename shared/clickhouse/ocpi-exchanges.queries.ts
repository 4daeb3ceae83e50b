import type { ClickHouse } from './client.ts';
import type { LineTable } from './insert-lines.ts';

/** One request and its answer, between a partner and us. Times in ms since 1970, bodies masked and cut. */
export interface OcpiExchange {
  networkId: number;
  partnerId: number;
  time: number;
  id: string;
  /** in: the partner asked us. */
  direction: 'in' | 'out';
  module: string;
  method: string;
  url: string;
  /** 0: there was no answer. */
  httpStatus: number;
  /** Of OCPI's envelope. 0: no envelope. */
  ocpiStatus: number;
  latencyMs: number;
  requestId: string;
  correlationId: string;
  request: string;
  response: string;
  /** Reason for a missing answer. */
  error: string;
  /** Object that the request pushed, and its id. Empty and 0: none. */
  object: string;
  objectId: string;
}

/** Target table of the rows. */
export const exchangeTable: LineTable = {
  name: 'ocpi_exchanges',
  columns: [
    'network_id',
    'partner_id',
    'time',
    'id',
    'direction',
    'module',
    'method',
    'url',
    'http_status',
    'ocpi_status',
    'latency_ms',
    'request_id',
    'correlation_id',
    'request',
    'response',
    'error',
    'object',
    'object_id',
  ],
};

/** An exchange in the order of its columns. */
export function exchangeRow(exchange: OcpiExchange): (string | number)[] {
  return [
    exchange.networkId,
    exchange.partnerId,
    exchange.time,
    exchange.id,
    exchange.direction,
    exchange.module,
    exchange.method,
    exchange.url,
    exchange.httpStatus,
    exchange.ocpiStatus,
    exchange.latencyMs,
    exchange.requestId,
    exchange.correlationId,
    exchange.request,
    exchange.response,
    exchange.error,
    exchange.object,
    exchange.objectId,
  ];
}

/** Filter of the exchanges of one partner; both times inclusive. */
export interface ExchangeFilter {
  from?: Date | undefined;
  to?: Date | undefined;
  module?: string | undefined;
  direction?: 'in' | 'out' | undefined;
  /** Only what is older than this one. */
  before?: { time: Date; digest: string } | undefined;
}

/** Stored exchange; `digest` distinguishes exchanges of the same millisecond. */
export type StoredExchange = Omit<
  OcpiExchange,
  'time' | 'networkId' | 'partnerId' | 'object' | 'objectId'
> & {
  time: Date;
  digest: string;
};

/** The newest `limit` exchanges with a partner, newest first. */
export async function readExchanges(
  client: ClickHouse,
  partner: { id: number; networkId: number },
  filter: ExchangeFilter,
  limit: number,
): Promise<StoredExchange[]> {
  const { from, to, module, direction, before } = filter;
  const conditions = [
    'partner_id = {partnerId:UInt32} and network_id = {networkId:UInt32}',
    ...(from === undefined ? [] : ['time >= fromUnixTimestamp64Milli({from:Int64})']),
    ...(to === undefined ? [] : ['time <= fromUnixTimestamp64Milli({to:Int64})']),
    ...(module === undefined ? [] : ['module = {module:String}']),
    ...(direction === undefined ? [] : ['direction = {direction:String}']),
    ...(before === undefined
      ? []
      : ['(time, cityHash64(id)) < (fromUnixTimestamp64Milli({beforeTime:Int64}), {beforeDigest:UInt64})']),
  ];
  const result = await client.query({
    query: `
      select toUnixTimestamp64Milli(time) as timeMs, toString(cityHash64(id)) as digest, toString(id) as idText, direction,
        module, method, url, http_status as httpStatus, ocpi_status as ocpiStatus, latency_ms as latencyMs,
        request_id as requestId, correlation_id as correlationId, request, response, error
      from ocpi_exchanges
      where ${conditions.join(' and ')}
      order by partner_id desc, time desc, cityHash64(id) desc
      limit 1 by time, id
      limit {limit:UInt32}`,
    query_params: {
      partnerId: partner.id,
      networkId: partner.networkId,
      limit,
      from: from?.getTime(),
      to: to?.getTime(),
      module,
      direction,
      beforeTime: before?.time.getTime(),
      beforeDigest: before?.digest,
    },
    format: 'JSONEachRow',
  });
  const rows = await result.json<Omit<StoredExchange, 'time' | 'id'> & { timeMs: number; idText: string }>();
  return rows.map(({ timeMs, idText, ...row }) => ({ ...row, time: new Date(timeMs), id: idText }));
}
