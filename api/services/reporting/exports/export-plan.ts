import { countExportedReadings } from '#shared/clickhouse/exported-readings.ts';
import type { ExportDataset, ExportSelection, RowCount } from '#shared/domain/reporting/export.ts';
import { countExportedCdrs } from '#shared/postgres/reporting/exported-cdrs.ts';
import { countExportedSessions } from '#shared/postgres/reporting/exported-sessions.ts';
import type { PlannedPart } from '#shared/postgres/reporting/export-work.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';

/** Rows of a part, unless a single bucket has more: about 40 MB of readings, 20 MB of sessions. */
const partRows: Record<ExportDataset, number> = {
  sessions: 200_000,
  cdrs: 200_000,
  'meter-values': 5_000_000,
};

/** Divides the range of an export into parts. A range without rows has none. */
export async function planParts(
  deps: Pick<ServiceDeps, 'sql' | 'clickhouse'>,
  selection: ExportSelection,
): Promise<PlannedPart[]> {
  return mergeBuckets(selection, await countRows(deps, selection), partRows[selection.dataset]);
}

function countRows(
  { sql, clickhouse }: Pick<ServiceDeps, 'sql' | 'clickhouse'>,
  selection: ExportSelection,
): Promise<RowCount[]> {
  const { dataset, from, to } = selection;
  if (dataset === 'sessions') return countExportedSessions(sql, selection);
  if (dataset === 'cdrs') return countExportedCdrs(sql, selection);
  const readings = { ...selection, from: from.getTime(), to: to.getTime() };
  return fromClickHouse(countExportedReadings(clickhouse, readings));
}

/**
 * Merges buckets to parts of at most `maxRows` rows. The parts cover the range without gaps: rows that arrive after the count are
 * in one of them.
 */
export function mergeBuckets(
  { from, to }: Pick<ExportSelection, 'from' | 'to'>,
  buckets: readonly RowCount[],
  maxRows: number,
): PlannedPart[] {
  const starts: number[] = [];
  let rows = Infinity;
  for (const bucket of buckets) {
    if (rows + bucket.rows > maxRows) {
      starts.push(starts.length === 0 ? from.getTime() : bucket.at);
      rows = 0;
    }
    rows += bucket.rows;
  }
  return starts.map((start, index) => ({
    number: index + 1,
    from: new Date(start),
    to: new Date(starts[index + 1] ?? to.getTime()),
  }));
}
