import type { Measurement } from '#bench/scenarios/scenario.ts';
import type { System } from './system.ts';

/** Counters of ClickHouse since its start, over all tables. */
interface InsertCounters {
  inserts: number;
  rows: number;
  parts: number;
  merges: number;
}

const events: Record<string, keyof InsertCounters> = {
  InsertQuery: 'inserts',
  InsertedRows: 'rows',
  InsertedCompactParts: 'parts',
  InsertedWideParts: 'parts',
  Merge: 'merges',
};

/** Reads the counters of a system's ClickHouse; null when it is not accessible. */
export async function countInserts(system: Pick<System, 'clickhouse'>): Promise<InsertCounters | null> {
  if (system.clickhouse === null) return null;
  const names = Object.keys(events).map((name) => `'${name}'`);
  const rows = await system.clickhouse.rows<{ event: string; value: number }>(
    `select event, value from system.events where event in (${names.join()})`,
  );
  const counters: InsertCounters = { inserts: 0, rows: 0, parts: 0, merges: 0 };
  for (const { event, value } of rows) {
    const name = events[event];
    if (name !== undefined) counters[name] += value;
  }
  return counters;
}

/** Returns what was counted in between. */
export function partsWritten(
  before: InsertCounters | null,
  after: InsertCounters | null,
): InsertCounters | null {
  if (before === null || after === null) return null;
  return {
    inserts: after.inserts - before.inserts,
    rows: after.rows - before.rows,
    parts: after.parts - before.parts,
    merges: after.merges - before.merges,
  };
}

/** Returns inserts, parts and merges per second, of all tables. */
export function insertMeasurements(
  subject: string,
  counters: InsertCounters | null,
  seconds: number,
): Measurement[] {
  if (counters === null) return [];
  const rate = (what: string, count: number): Measurement => ({
    subject,
    what,
    value: count / seconds,
    unit: '1/s',
  });
  return [
    rate('inserts into ClickHouse', counters.inserts),
    rate('parts created', counters.parts),
    rate('merges', counters.merges),
  ];
}
