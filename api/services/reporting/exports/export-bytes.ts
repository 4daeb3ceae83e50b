import { Readable } from 'node:stream';
import { streamReadings, listReadingChargers } from '#shared/clickhouse/exported-readings.ts';
import { exportColumns } from '#shared/domain/reporting/export-columns.ts';
import type { ExportSelection } from '#shared/domain/reporting/export.ts';
import { listChargerUuids, listNetworkUuids } from '#shared/postgres/reporting/exports.statements.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { fromClickHouse } from '#api/services/kernel/from-clickhouse.ts';
import { csvBytes } from './csv-bytes.ts';
import { recordRows } from './record-rows.ts';

type ExportDeps = Pick<ServiceDeps, 'sql' | 'staleReads' | 'clickhouse'>;

/**
 * Opens the file of a selection as a stream, which reads as fast as it is read. Destroying it ends its queries. A failure after
 * the first byte destroys it.
 * @throws {DomainError} STORE_UNAVAILABLE when ClickHouse is unreachable.
 */
export async function openExportBytes(deps: ExportDeps, selection: ExportSelection): Promise<Readable> {
  const { dataset, format } = selection;
  if (dataset === 'meter-values') return openReadings(deps, selection);
  const columns = exportColumns[dataset];
  const rows = recordRows(deps, { ...selection, dataset });
  // The writer of Parquet files is loaded with the first of them.
  const toBytes = format === 'parquet' ? (await import('./parquet-bytes.ts')).parquetBytes : csvBytes;
  const bytes = toBytes(columns, rows);
  return Readable.from(bytes, { objectMode: false, highWaterMark: 1 });
}

/** Readings have integer identifiers of networks and chargers: PostgreSQL knows their uuids. */
async function openReadings({ sql, clickhouse }: ExportDeps, selection: ExportSelection): Promise<Readable> {
  const { networkIds, by, from, to, format } = selection;
  const readings = { networkIds, by, from: from.getTime(), to: to.getTime() };
  const chargerIds = await fromClickHouse(listReadingChargers(clickhouse, readings));
  const [networks, chargers] = await Promise.all([
    listNetworkUuids(sql, networkIds),
    listChargerUuids(sql, chargerIds),
  ]);
  return fromClickHouse(streamReadings(clickhouse, readings, { networks, chargers }, format));
}
