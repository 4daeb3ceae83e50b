import {
  readMeterSeries,
  type RegisterSpread,
  type SeriesBucket,
  type SeriesOrigin,
} from '#shared/clickhouse/meter-series.queries.ts';
import type { Measurand } from '#shared/clickhouse/reading-columns.ts';
import { bucketWidthMs, maxSeriesMs, seriesPoints } from '#shared/domain/charging/meter-series.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type ConnectorPlace, listConnectorPlaces } from '#shared/postgres/fleet/connectors.statements.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { requireOrder } from '#api/services/kernel/validation.service.ts';
import { requireCharger } from './chargers.service.ts';

export type { Measurand } from '#shared/clickhouse/reading-columns.ts';

/** Part of a history that is divided into buckets; without times the last day. */
export interface BucketQuery {
  from: Date | undefined;
  /** Exclusive. */
  to: Date | undefined;
  points: number | undefined;
}

/** Buckets of one range. Times in ms since 1970. */
export interface BucketRange {
  from: number;
  to: number;
  widthMs: number;
}

/** Values of a measurand by bucket; null: not reported in this bucket. */
export interface SeriesColumns {
  min: (number | null)[];
  mean: (number | null)[];
  max: (number | null)[];
}

/** Readings of a connector by bucket. The arrays have one entry for each bucket with readings. */
export interface ConnectorSeries {
  /** Null: of the charger as a whole, or of a removed connector. */
  connectorNumber: number | null;
  evse: number;
  /** Beginnings of the buckets in ms since 1970. */
  times: number[];
  /** Measurands that were reported. */
  columns: Partial<Record<Measurand, SeriesColumns>>;
  /** Register at the end of each bucket, and its increase since the bucket before, in Wh; null: never reported. */
  register: { last: (number | null)[]; increase: (number | null)[] } | null;
  /** Energy of a session until the end of each bucket in Wh, as its price counts it; null: of a charger, or not measured. */
  sessionEnergy: (number | null)[] | null;
}

/** Readings of some connectors by bucket. */
export interface MeterSeries extends BucketRange {
  connectors: ConnectorSeries[];
}

const dayMs = 24 * 60 * 60_000;

/**
 * Returns the range of a query and the width of its buckets.
 * @throws {DomainError} VALIDATION_FAILED when it ends before it begins, or is too long.
 */
export function bucketRange({ from, to, points = seriesPoints.usual }: BucketQuery): BucketRange {
  requireOrder({ from, to });
  const end = to?.getTime() ?? (from === undefined ? Date.now() : Math.max(Date.now(), from.getTime()));
  const begin = from?.getTime() ?? end - dayMs;
  if (end - begin > maxSeriesMs) {
    throw new DomainError('VALIDATION_FAILED', 'Invalid query: the range must not exceed ten years.', {
      errors: [{ field: 'from', message: 'must not be more than ten years before to' }],
    });
  }
  const range = { from: begin, to: end };
  return { ...range, widthMs: bucketWidthMs(range, points) };
}

/**
 * Returns the readings of a charger by bucket, of one connector or all.
 * @throws {DomainError} CHARGER_NOT_FOUND; CONNECTOR_NOT_FOUND; VALIDATION_FAILED for a wrong range; STORE_UNAVAILABLE.
 */
export async function readChargerSeries(
  deps: ServiceDeps,
  caller: Caller,
  query: BucketQuery & {
    chargerUuid: string;
    networkUuid: string | undefined;
    connectorNumber: number | undefined;
  },
): Promise<MeterSeries & { chargerUuid: string }> {
  const range = bucketRange(query);
  const charger = await requireCharger(deps, caller, query.chargerUuid, query.networkUuid);
  const places = await listConnectorPlaces(deps.sql, charger.id);
  const { connectorNumber } = query;
  const position = places.find(({ number }) => number === connectorNumber) ?? null;
  if (connectorNumber !== undefined && position === null) {
    throw new DomainError('CONNECTOR_NOT_FOUND', `The charger has no connector ${connectorNumber}.`);
  }
  const origin = { chargerId: charger.id, networkId: charger.networkId, sessionId: null, position };
  const connectors = await readConnectorSeries(deps, origin, range, places);
  return { chargerUuid: charger.uuid, ...range, connectors };
}

/** Reads the buckets of an origin, by connector. */
export async function readConnectorSeries(
  { clickhouse }: Pick<ServiceDeps, 'clickhouse'>,
  origin: SeriesOrigin,
  range: BucketRange,
  places: readonly ConnectorPlace[],
): Promise<ConnectorSeries[]> {
  const buckets =
    range.from === range.to ? [] : await fromClickHouse(readMeterSeries(clickhouse, origin, range));
  const numbers = new Map(places.map(({ evse, connector, number }) => [`${evse}/${connector}`, number]));
  const byConnector = Map.groupBy(buckets, ({ evse, connector }) => `${evse}/${connector}`);
  return [...byConnector].map(([key, some]) => ({
    connectorNumber: numbers.get(key) ?? null,
    evse: some[0]?.evse ?? 0,
    times: some.map(({ at }) => at),
    columns: columnsOf(some),
    register: registerOf(some),
    sessionEnergy: null,
  }));
}

function columnsOf(buckets: readonly SeriesBucket[]): ConnectorSeries['columns'] {
  const columns: ConnectorSeries['columns'] = {};
  for (const name of Object.keys(buckets[0]?.spreads ?? {}) as Measurand[]) {
    if (!buckets.some(({ spreads }) => spreads[name].count > 0)) continue;
    const column: SeriesColumns = { min: [], mean: [], max: [] };
    for (const { spreads } of buckets) {
      const { least, most, total, count } = spreads[name];
      column.min.push(count === 0 ? null : least);
      column.mean.push(count === 0 ? null : total / count);
      column.max.push(count === 0 ? null : most);
    }
    columns[name] = column;
  }
  return columns;
}

/** Between two buckets the register counts on too: what it counted there belongs to the later one. */
function registerOf(buckets: readonly SeriesBucket[]): ConnectorSeries['register'] {
  const last: (number | null)[] = [];
  const increase: (number | null)[] = [];
  let before: RegisterSpread | null = null;
  for (const { register } of buckets) {
    last.push(register?.last ?? null);
    const since = before === null || register === null ? 0 : Math.max(0, register.first - before.last);
    increase.push(register === null ? null : register.increase + since);
    before = register ?? before;
  }
  return before === null ? null : { last, increase };
}
