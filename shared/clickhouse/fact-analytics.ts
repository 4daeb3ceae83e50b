import { slotMs } from '#shared/domain/kernel/calendar.ts';
import { indexAt, type Interval } from '#shared/domain/kernel/intervals.ts';
import type { SessionSums } from '#shared/domain/charging/session-sums.ts';
import type { ClickHouse } from './client.ts';
import { analyticsSettings, instant, within } from './slots.ts';

/** Selects the sessions that count. */
export interface FactFilter {
  networkIds: readonly number[];
  /** Null: all. */
  chargerIds: readonly number[] | null;
  /** Null: all. */
  tariffId: number | null;
}

/** Columns by which sessions are grouped. */
export type FactKey = 'charger' | 'tariff' | 'network';

/** Sessions of one key and currency, summed. */
export interface FactSum extends Omit<SessionSums, 'networkId' | 'bucket'> {
  /** Charger, tariff (0: none) or network. */
  key: number;
  /** Time that was not idle. */
  chargingMs: number;
}

interface Cost {
  excl: string;
  incl: string;
}

const sums = `currency, count() as sessions, countIf(cost_incl_vat_minor is not null) as pricedSessions,
  sum(duration_ms) as durationMs, sum(energy_milli_wh) as energyMilliWh,
  toString(sum(ifNull(cost_excl_vat_minor, 0))) as excl, toString(sum(ifNull(cost_incl_vat_minor, 0))) as incl`;

/** Sums the sessions that ended in a window by a key and currency. */
export async function sumFacts(
  client: ClickHouse,
  by: FactKey,
  filter: FactFilter,
  window: Interval,
): Promise<FactSum[]> {
  if (isEmpty(filter)) return [];
  const rows = await read<Omit<FactSum, 'costExclVatMinor' | 'costInclVatMinor'> & Cost>(
    client,
    `select ${by}_id as key, ${sums}, sum(duration_ms - idle_ms) as chargingMs
     from session_facts final where ${matching(filter)} and ${within('ended_at', [window])}
     group by key, currency`,
  );
  return rows.map(withCosts);
}

/** Sums the sessions of a filter by network, currency and bucket, which can come several times. `buckets` follow one another without gaps. */
export async function sumFactBuckets(
  client: ClickHouse,
  filter: FactFilter,
  buckets: readonly Interval[],
): Promise<SessionSums[]> {
  const window = hullOf(buckets);
  if (window === null || isEmpty(filter)) return [];
  const slot = slotOf(buckets);
  const rows = await read<Omit<SessionSums, 'costExclVatMinor' | 'costInclVatMinor'> & Cost>(
    client,
    `select network_id as networkId, intDiv(toUnixTimestamp64Milli(ended_at), ${slot}) as bucket, ${sums}
     from session_facts final where ${matching(filter)} and ${within('ended_at', [window])}
     group by networkId, bucket, currency`,
  );
  return rows.map((row) => ({
    ...withCosts(row),
    bucket: Math.max(0, indexAt(buckets, row.bucket * slot)),
  }));
}

/** Charging time in a slot of time; ms since 1970. */
interface ChargedSlot {
  start: number;
  chargingMs: number;
}

const hourMs = 60 * 60_000;

/** Returns the length of slots of which buckets consist, but for their outer ends. */
function slotOf(buckets: readonly Interval[]): number {
  return buckets.slice(1).every(({ from }) => from % hourMs === 0) ? hourMs : slotMs;
}

/**
 * Sums the time that the connectors of a filter charged in completed sessions, by slots that no bucket crosses but at the outer
 * ends. What overlaps at a connector counts once.
 */
export async function sumChargedSlots(
  client: ClickHouse,
  filter: FactFilter,
  buckets: readonly Interval[],
): Promise<ChargedSlot[]> {
  const window = hullOf(buckets);
  if (window === null || isEmpty(filter)) return [];
  const slot = slotOf(buckets);
  return read<ChargedSlot>(
    client,
    `select slot * ${slot} as start, sum(ms) as chargingMs
     from (
       select arrayJoin(range(toUInt32(intDiv(since, ${slot})), toUInt32(intDiv(until - 1, ${slot}) + 1))) as slot,
         toInt64(intervalLengthSum(greatest(since, toInt64(slot) * ${slot}), least(until, toInt64(slot + 1) * ${slot}))) as ms
       from (
         select connector_id, greatest(toUnixTimestamp64Milli(charging_since), toInt64(${window.from})) as since,
           least(toUnixTimestamp64Milli(charging_until), toInt64(${window.to})) as until
         from session_facts final array join charging_from as charging_since, charging_to as charging_until
         where ${matching(filter)} and ended_at > ${instant(window.from)} and started_at < ${instant(window.to)}
       )
       where since < until
       group by connector_id, slot
     )
     group by slot`,
  );
}

async function read<Row>(client: ClickHouse, query: string): Promise<Row[]> {
  const result = await client.query({ query, format: 'JSONEachRow', clickhouse_settings: analyticsSettings });
  return result.json<Row>();
}

function withCosts<Row extends Cost>({ excl, incl, ...row }: Row) {
  return { ...row, costExclVatMinor: BigInt(excl), costInclVatMinor: BigInt(incl) };
}

function matching({ networkIds, chargerIds, tariffId }: FactFilter): string {
  const conditions = [`network_id in (${networkIds.join()})`, 'is_counted'];
  if (chargerIds !== null) conditions.push(`charger_id in (${chargerIds.join()})`);
  if (tariffId !== null) conditions.push(`tariff_id = ${tariffId}`);
  return conditions.join(' and ');
}

const isEmpty = ({ networkIds, chargerIds }: FactFilter) =>
  networkIds.length === 0 || chargerIds?.length === 0;

function hullOf(buckets: readonly Interval[]): Interval | null {
  const [first] = buckets;
  const last = buckets.at(-1);
  return first === undefined || last === undefined ? null : { from: first.from, to: last.to };
}
