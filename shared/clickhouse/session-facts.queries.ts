import { slotMs } from '#shared/domain/kernel/calendar.ts';
import type { Interval } from '#shared/domain/kernel/intervals.ts';
import type { ClickHouse } from './client.ts';

/** A row of `session_facts`. Times in ms since 1970. */
export interface SessionFact {
  networkId: number;
  endedAt: number;
  sessionId: bigint;
  version: bigint;
  /** False: the session is not (or no longer) counted at this end. */
  isCounted: boolean;
  sessionUuid: string;
  chargerId: number;
  connectorId: number;
  /** 0 in this and the next two: none. */
  locationId: number;
  userId: number;
  tariffId: number;
  startedAt: number;
  durationMs: number;
  idleMs: number;
  charging: Interval[];
  energyMilliWh: number;
  currency: string;
  /** Null: no tariff was assigned. */
  costExclVatMinor: bigint | null;
  costInclVatMinor: bigint | null;
}

const columns = [
  'network_id',
  'ended_at',
  'session_id',
  'version',
  'is_counted',
  'session_uuid',
  'charger_id',
  'connector_id',
  'location_id',
  'user_id',
  'tariff_id',
  'started_at',
  'duration_ms',
  'idle_ms',
  'charging_from',
  'charging_to',
  'energy_milli_wh',
  'currency',
  'cost_excl_vat_minor',
  'cost_incl_vat_minor',
] as const;

/** JSON has no bigint: ClickHouse reads whole numbers from text too. */
function toRow(fact: SessionFact): unknown[] {
  return [
    fact.networkId,
    fact.endedAt,
    String(fact.sessionId),
    String(fact.version),
    fact.isCounted,
    fact.sessionUuid,
    fact.chargerId,
    fact.connectorId,
    fact.locationId,
    fact.userId,
    fact.tariffId,
    fact.startedAt,
    fact.durationMs,
    fact.idleMs,
    fact.charging.map(({ from }) => from),
    fact.charging.map(({ to }) => to),
    fact.energyMilliWh,
    fact.currency,
    fact.costExclVatMinor === null ? null : String(fact.costExclVatMinor),
    fact.costInclVatMinor === null ? null : String(fact.costInclVatMinor),
  ];
}

/**
 * Writes facts in one insert; the same ones again change nothing. Inserts follow one another, since one process at a time sends facts:
 * `select_sequential_consistency` requires that.
 */
export async function insertSessionFacts(client: ClickHouse, facts: SessionFact[]): Promise<void> {
  await client.insert({
    table: 'session_facts',
    columns: [...columns],
    values: facts.map(toRow),
    format: 'JSONCompactEachRow',
    clickhouse_settings: { insert_quorum_parallel: 0 },
  });
}

/** Range of changed facts that the rollups must follow: from the start of a session to the end that counts. */
export interface ChangedPlace extends Interval {
  networkId: number;
}

/**
 * Computes the rollups of all changed slots again, from the current facts.
 * @param version higher than that of any earlier call.
 */
export async function renewRollups(
  client: ClickHouse,
  changes: ChangedPlace[],
  version: bigint,
): Promise<void> {
  for (const near of clusters(changes)) {
    await Promise.all(
      [sessionRollup(near, version), chargingRollup(near, version)].map((query) =>
        client.command({ query, clickhouse_settings: settings }),
      ),
    );
  }
}

/**
 * A session's fact never leaves its partition: its place in the table is its end. On a cluster a replica that lacks facts refuses
 * the read (ADR 74).
 */
const settings = {
  do_not_merge_across_partitions_select_final: 1,
  select_sequential_consistency: '1',
} as const;

const slotSeconds = slotMs / 1000;
const slotOf = (time: number) => Math.floor(time / slotMs) * slotSeconds;

/** Changes that lie near each other are one query: what lies between them is read for nothing. */
const nearMs = 3 * 24 * 60 * 60 * 1000;

function clusters(changes: ChangedPlace[]): ChangedPlace[][] {
  const found: ChangedPlace[][] = [];
  let end = 0;
  for (const change of changes.toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last !== undefined && change.from - end <= nearMs) last.push(change);
    else found.push([change]);
    end = Math.max(end, change.to);
  }
  return found;
}

function hull(changes: ChangedPlace[]): Interval {
  return {
    from: Math.min(...changes.map(({ from }) => from)),
    to: Math.max(...changes.map(({ to }) => to)),
  };
}

function networksOf(changes: ChangedPlace[]): string {
  return [...new Set(changes.map(({ networkId }) => networkId))].join();
}

/** The facts that do not count are grouped too: where they are all there is, the sums become zero. */
function sessionRollup(changes: ChangedPlace[], version: bigint): string {
  const slots = new Set(changes.map(({ networkId, to }) => `(${networkId},${slotOf(to)})`));
  const ends = changes.map(({ to }) => slotOf(to));
  const first = Math.min(...ends);
  const end = Math.max(...ends) + slotSeconds;
  return `
    insert into session_rollup
    select network_id, toStartOfFifteenMinutes(ended_at) as slot, currency, ${version}, countIf(is_counted),
      countIf(is_counted and cost_incl_vat_minor is not null), sumIf(duration_ms, is_counted),
      sumIf(energy_milli_wh, is_counted), ifNull(sumIf(cost_excl_vat_minor, is_counted), 0),
      ifNull(sumIf(cost_incl_vat_minor, is_counted), 0)
    from session_facts final
    where network_id in (${networksOf(changes)}) and ended_at >= toDateTime64(${first}, 3, 'UTC')
      and ended_at < toDateTime64(${end}, 3, 'UTC') and (network_id, toUnixTimestamp(slot)) in (${[...slots].join()})
    group by network_id, slot, currency`;
}

function chargingRollup(changes: ChangedPlace[], version: bigint): string {
  const ranges = new Set(
    changes.map(({ networkId, from, to }) => `(${networkId},${slotOf(from)},${slotOf(to)})`),
  );
  const { from, to } = hull(changes);
  const [first, last] = [slotOf(from), slotOf(to) + slotSeconds];
  return `
    insert into charging_rollup
    with changed as (
      select distinct network_id, arrayJoin(range(first, last + ${slotSeconds}, ${slotSeconds})) as slot
      from values('network_id UInt32, first UInt32, last UInt32', ${[...ranges].join()})
    ), at_connectors as (
      select network_id, connector_id, slot,
        intervalLengthSum(greatest(since, toInt64(slot) * 1000), least(until, toInt64(slot + ${slotSeconds}) * 1000)) as ms
      from (
        select network_id, connector_id, toUnixTimestamp64Milli(charging_since) as since,
          toUnixTimestamp64Milli(charging_until) as until,
          arrayJoin(range(toUInt32(intDiv(greatest(since, ${first}000), ${slotMs}) * ${slotSeconds}),
            toUInt32(least(intDiv(until - 1, ${slotMs}) * ${slotSeconds} + ${slotSeconds}, ${last})), ${slotSeconds})) as slot
        from session_facts final
        array join charging_from as charging_since, charging_to as charging_until
        where network_id in (${networksOf(changes)}) and is_counted
          and ended_at >= toDateTime64(${first}, 3, 'UTC') and started_at < toDateTime64(${last}, 3, 'UTC')
      )
      where (network_id, slot) in (select network_id, slot from changed)
      group by network_id, connector_id, slot
    )
    select c.network_id, toDateTime(c.slot, 'UTC'), ${version}, sum(a.ms)
    from changed c left join at_connectors a on a.network_id = c.network_id and a.slot = c.slot
    group by c.network_id, c.slot`;
}
