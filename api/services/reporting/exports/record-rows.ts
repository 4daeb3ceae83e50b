import type { ExportRow, ExportSelection } from '#shared/domain/reporting/export.ts';
import { listExportedCdrs } from '#shared/postgres/reporting/exported-cdrs.ts';
import {
  listChangedSessionIds,
  listEndedSessions,
  listSessionsById,
} from '#shared/postgres/reporting/exported-sessions.ts';
import type { StaleReads } from '#shared/postgres/kernel/replica.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { readsUpTo } from '#api/services/kernel/stale-reads.ts';
import { cdrRow } from './cdr-row.ts';
import { sessionRow } from './session-row.ts';

/** Rows that are read, and written as one row group, at once. Nothing else is served while a group is written. */
const rowsAtOnce = 2000;

/** Range in ms whose changed sessions are found by one scan: the ids of a day are in memory. */
const changesAtOnceMs = 24 * 3_600_000;

/** A selection of data that PostgreSQL has. */
type RecordSelection = ExportSelection & { dataset: 'sessions' | 'cdrs' };

type Rows = AsyncGenerator<ExportRow[], void, undefined>;

/** Rows of a selection in batches. No connection is held between two of them, however slowly they are taken. */
export function recordRows(deps: Pick<ServiceDeps, 'sql' | 'staleReads'>, selection: RecordSelection): Rows {
  const reads = readsUpTo(deps, selection.to);
  if (selection.dataset === 'cdrs') return cdrRows(reads, selection);
  return selection.by === 'occurred' ? endedRows(reads, selection) : changedRows(reads, selection);
}

/** Of one network an index gives the rows in the order of their time. */
async function* cdrRows(reads: StaleReads, selection: RecordSelection): Rows {
  for (const id of selection.networkIds) {
    const ofNetwork = { ...selection, networkIds: [id] };
    yield* batches(
      (after) => reads.read((sql) => listExportedCdrs(sql, ofNetwork, after, rowsAtOnce)),
      cdrRow,
    );
  }
}

async function* endedRows(reads: StaleReads, selection: RecordSelection): Rows {
  for (const id of selection.networkIds) {
    const ofNetwork = { ...selection, by: 'occurred' as const, networkIds: [id] };
    yield* batches(
      (after) => reads.read((sql) => listEndedSessions(sql, ofNetwork, after, rowsAtOnce)),
      sessionRow,
    );
  }
}

/** A session that changes after it was found is in a later export too. */
async function* changedRows(reads: StaleReads, selection: RecordSelection): Rows {
  const end = selection.to.getTime();
  for (let at = selection.from.getTime(); at < end; at += changesAtOnceMs) {
    const range = { from: new Date(at), to: new Date(Math.min(at + changesAtOnceMs, end)) };
    const ids = await reads.read((sql) =>
      listChangedSessionIds(sql, { ...selection, ...range, by: 'updated' }),
    );
    for (let first = 0; first < ids.length; first += rowsAtOnce) {
      const sessions = await reads.read((sql) => listSessionsById(sql, ids.slice(first, first + rowsAtOnce)));
      yield sessions.map(sessionRow);
    }
  }
}

/** A batch of a listing, and the place after which the next one begins. */
interface Place {
  id: bigint;
  atText: string;
}

async function* batches<T extends Place>(
  list: (after: Place | null) => Promise<T[]>,
  toRow: (record: T) => ExportRow,
): Rows {
  let after: Place | null = null;
  do {
    const found: T[] = await list(after);
    if (found.length > 0) yield found.map(toRow);
    after = found.length < rowsAtOnce ? null : (found.at(-1) ?? null);
  } while (after !== null);
}
