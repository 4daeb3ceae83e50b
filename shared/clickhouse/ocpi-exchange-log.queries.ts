import type { ClickHouse } from './client.ts';
import type { OcpiExchange } from './ocpi-exchanges.queries.ts';

/** Entry of the exchange log across partners, without its bodies. */
export type LoggedExchange = Omit<OcpiExchange, 'time' | 'networkId' | 'request' | 'response'> & {
  time: Date;
  /** Distinguishes exchanges of the same millisecond. */
  digest: string;
};

/** Entry of the exchange log with its bodies. */
export type WholeExchange = LoggedExchange & Pick<OcpiExchange, 'request' | 'response'>;

/** Filter of the exchange log; both times inclusive. */
export interface LogFilter {
  partnerIds: readonly number[];
  from?: Date | undefined;
  to?: Date | undefined;
  module?: string | undefined;
  direction?: 'in' | 'out' | undefined;
  /** Only exchanges that failed. */
  isFailed?: boolean | undefined;
  /** Only what is older than this one. */
  before?: { time: Date; digest: string } | undefined;
}

const columns = `
  toUnixTimestamp64Milli(time) as timeMs, toString(cityHash64(id)) as digest, toString(id) as idText, partner_id as partnerId,
  direction, module, method, url, http_status as httpStatus, ocpi_status as ocpiStatus, latency_ms as latencyMs,
  request_id as requestId, correlation_id as correlationId, error, object, toString(object_id) as objectId`;

/** The condition that the other side did not accept a request. */
const isFailed =
  '(http_status < 200 or http_status >= 300 or (ocpi_status <> 0 and intDiv(ocpi_status, 1000) <> 1))';

const dayMs = 86_400_000;
/** Periods in which the newest exchanges are looked for, in turn: few of them are read where there are many. The log keeps 90 days. */
const periods = [dayMs, 7 * dayMs, 91 * dayMs];

/** Returns the newest `limit` exchanges with partners, newest first. */
export async function readExchangeLog(
  client: ClickHouse,
  filter: LogFilter,
  limit: number,
): Promise<LoggedExchange[]> {
  const end = Math.min(
    filter.to?.getTime() ?? Number.POSITIVE_INFINITY,
    filter.before?.time.getTime() ?? Number.POSITIVE_INFINITY,
    Date.now(),
  );
  let rows: LoggedExchange[] = [];
  for (const period of periods) {
    const from = new Date(Math.max(filter.from?.getTime() ?? 0, end - period));
    rows = await readPeriod(client, { ...filter, from }, limit);
    if (rows.length === limit || from.getTime() === filter.from?.getTime()) break;
  }
  return rows;
}

async function readPeriod(
  client: ClickHouse,
  { partnerIds, from, to, module, direction, isFailed: isOnlyFailed, before }: LogFilter,
  limit: number,
): Promise<LoggedExchange[]> {
  const conditions = [
    'partner_id in ({partnerIds:Array(UInt32)})',
    ...(from === undefined ? [] : ['time >= fromUnixTimestamp64Milli({from:Int64})']),
    ...(to === undefined ? [] : ['time <= fromUnixTimestamp64Milli({to:Int64})']),
    ...(module === undefined ? [] : ['module = {module:String}']),
    ...(direction === undefined ? [] : ['direction = {direction:String}']),
    ...(isOnlyFailed === true ? [isFailed] : []),
    ...(before === undefined
      ? []
      : ['(time, cityHash64(id)) < (fromUnixTimestamp64Milli({beforeTime:Int64}), {beforeDigest:UInt64})']),
  ];
  const result = await client.query({
    query: `
      select ${columns} from ocpi_exchanges where ${conditions.join(' and ')}
      order by time desc, cityHash64(id) desc limit 1 by time, id limit {limit:UInt32}`,
    query_params: {
      partnerIds: [...partnerIds],
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
  return (await result.json<Row<LoggedExchange>>()).map(toExchange);
}

/** Returns one exchange with these partners by its time and id, or null. */
export async function findExchange(
  client: ClickHouse,
  partnerIds: readonly number[],
  { time, id }: { time: Date; id: string },
): Promise<WholeExchange | null> {
  const result = await client.query({
    query: `
      select ${columns}, request, response from ocpi_exchanges
      where partner_id in ({partnerIds:Array(UInt32)}) and time = fromUnixTimestamp64Milli({time:Int64}) and id = {id:UUID}
      limit 1`,
    query_params: { partnerIds: [...partnerIds], time: time.getTime(), id },
    format: 'JSONEachRow',
  });
  const [row] = await result.json<Row<WholeExchange>>();
  return row === undefined ? null : toExchange(row);
}

/** Calls with a partner in one direction. */
export interface CallHealth {
  direction: 'in' | 'out';
  /** Null: none in the period. */
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** In the last 24 hours. */
  requests: number;
  failures: number;
}

/** Returns the health of the calls with a partner in the last `days`, by direction. */
export async function readCallHealth(
  client: ClickHouse,
  partnerId: number,
  days: number,
): Promise<CallHealth[]> {
  const result = await client.query({
    query: `
      select direction, toUnixTimestamp64Milli(maxIf(time, not ${isFailed})) as succeeded,
        toUnixTimestamp64Milli(maxIf(time, ${isFailed})) as failed,
        toUInt32(countIf(time >= now64(3) - toIntervalHour(24))) as requests,
        toUInt32(countIf(time >= now64(3) - toIntervalHour(24) and ${isFailed})) as failures
      from ocpi_exchanges
      where partner_id = {partnerId:UInt32} and time >= now64(3) - toIntervalDay({days:UInt32})
      group by direction`,
    query_params: { partnerId, days },
    format: 'JSONEachRow',
  });
  const rows = await result.json<{
    direction: 'in' | 'out';
    succeeded: number;
    failed: number;
    requests: number;
    failures: number;
  }>();
  return rows.map(({ direction, succeeded, failed, requests, failures }) => ({
    direction,
    lastSuccessAt: timeOf(succeeded),
    lastFailureAt: timeOf(failed),
    requests,
    failures,
  }));
}

function timeOf(ms: number): Date | null {
  return ms === 0 ? null : new Date(ms);
}

type Row<Exchange> = Omit<Exchange, 'time' | 'id'> & { timeMs: number; idText: string };

function toExchange<Exchange extends LoggedExchange>({ timeMs, idText, ...row }: Row<Exchange>): Exchange {
  return { ...row, time: new Date(timeMs), id: idText } as unknown as Exchange;
}
