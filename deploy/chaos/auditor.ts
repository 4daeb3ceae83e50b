import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { noSession } from '#shared/clickhouse/meter-samples.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import type { SeededCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { type Promises, readingKey, sessionKey } from './promises.ts';

/** Records that differ from what was acknowledged. Keys are those of Promises. */
export interface Audit {
  lostReadings: string[];
  doubledReadings: string[];
  /** Acknowledged readings that are stored without their session. */
  detachedReadings: string[];
  /** Sessions whose start was acknowledged and that are not stored. */
  lostSessions: string[];
  /** Sessions whose end was acknowledged and is not stored, or with another register. */
  lostEnds: string[];
  /** Stored sessions beyond acknowledged and refused starts. */
  doubledSessions: number;
  lostCredits: string[];
  doubledCredits: string[];
  /** Commands that were answered as accepted and that no charger answered. */
  lostCommands: number;
}

const storedWithinMs = 120_000;

/** Stored records that a run compares. */
export interface AuditedStores {
  sql: Sql;
  clickhouse: ClickHouse;
  chargers: readonly SeededCharger[];
}

/** Compares everything that was acknowledged with what is stored. Readings have two minutes to reach ClickHouse. */
export async function audit(
  stores: AuditedStores,
  promises: Promises,
  answeredCommands: number,
): Promise<Audit> {
  return {
    ...(await auditReadings(stores, promises)),
    ...(await auditSessions(stores, promises)),
    ...(await auditCredits(stores.sql, promises)),
    lostCommands: Math.max(0, promises.commands - answeredCommands),
  };
}

/** Returns the number of records that are lost or doubled. */
export function totals(found: Audit): { lost: number; doubled: number } {
  const lost = [
    found.lostReadings,
    found.detachedReadings,
    found.lostSessions,
    found.lostEnds,
    found.lostCredits,
  ];
  return {
    lost: lost.reduce((sum, { length }) => sum + length, found.lostCommands),
    doubled: found.doubledReadings.length + found.doubledSessions + found.doubledCredits.length,
  };
}

interface StoredReading {
  chargerId: number;
  timeMs: number;
  energyWh: number;
  count: number;
  detached: number;
}

async function auditReadings({ clickhouse, chargers }: AuditedStores, promises: Promises) {
  const uids = new Map(chargers.map(({ id, uid }) => [id, uid]));
  const read = async (): Promise<Map<string, StoredReading>> => {
    const result = await clickhouse.query({
      query: `
        select charger_id as chargerId, toUnixTimestamp64Milli(time) as timeMs, energy_wh as energyWh,
          toUInt32(count()) as count, toUInt32(countIf(session_id = {noSession:UUID})) as detached
        from meter_samples final where context = 'Sample.Periodic' group by 1, 2, 3`,
      query_params: { noSession },
      format: 'JSONEachRow',
    });
    const rows = await result.json<StoredReading>();
    return new Map(
      rows.map((row) => [readingKey(uids.get(row.chargerId) ?? '', row.timeMs, row.energyWh), row]),
    );
  };
  const missing = (stored: Map<string, StoredReading>): string[] =>
    [...promises.readings].filter((key) => !stored.has(key));
  await until('the readings to arrive', async () => missing(await read()).length === 0, storedWithinMs).catch(
    () => undefined,
  );
  const stored = await read();
  const keysOf = (accepts: (row: StoredReading) => boolean): string[] =>
    [...stored].filter(([, row]) => accepts(row)).map(([key]) => key);
  return {
    lostReadings: missing(stored),
    doubledReadings: keysOf(({ count }) => count > 1),
    detachedReadings: keysOf(({ detached }) => detached > 0).filter((key) => promises.readings.has(key)),
  };
}

async function auditSessions({ sql }: AuditedStores, promises: Promises) {
  const rows = await sql<
    { uid: string; transactionId: string; status: string; meterStopWh: number | null }[]
  >`
    select c.uid, s.ocpp_transaction_id as "transactionId", s.status, s.meter_stop_wh::float8 as "meterStopWh"
    from sessions s join chargers c on c.id = s.charger_id`;
  const stored = new Map(rows.map((row) => [sessionKey(row.uid, row.transactionId), row]));
  const isEnded = ([key, meterStopWh]: [string, number]): boolean => {
    const row = stored.get(key);
    return row?.status === 'COMPLETED' && row.meterStopWh === meterStopWh;
  };
  return {
    lostSessions: [...promises.started].filter((key) => !stored.has(key)),
    lostEnds: [...promises.ended].filter((one) => !isEnded(one)).map(([key]) => key),
    doubledSessions: Math.max(0, rows.length - promises.started.size - promises.refused.starts),
  };
}

async function auditCredits(sql: Sql, promises: Promises) {
  const rows = await sql<{ reason: string; count: number }[]>`
    select reason, count(*)::integer from ledger_transactions where cause = 'CREDIT' group by 1`;
  const booked = new Map(rows.map(({ reason, count }) => [reason, count]));
  return {
    lostCredits: [...promises.credits].filter((key) => !booked.has(key)),
    doubledCredits: [...booked].filter(([, count]) => count > 1).map(([key]) => key),
  };
}
