import type { FirmwareUpdateAsked, LogAsked } from '#shared/domain/commands/command-effects.ts';
import { firmwarePlaceOf } from '#shared/domain/commands/firmware.ts';
import { maskUrl } from '#shared/domain/kernel/masking.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/**
 * Stores a requested firmware update before the charger receives it, with the version where it is an image of the catalog.
 * Credentials in its URL are not stored. Returns the row's id.
 */
export async function insertFirmwareUpdate(
  sql: Queryable,
  chargerId: number,
  { kind, requestId, location, retrieveAt, installAt }: FirmwareUpdateAsked,
): Promise<bigint> {
  const { uuid = null, downloadToken = null } = firmwarePlaceOf(location) ?? {};
  const [row] = await sql<{ id: bigint }[]>`
    insert into firmware_updates (charger_id, kind, request_id, location, firmware_version, retrieve_at, install_at)
    values (${chargerId}, ${kind}, ${requestId}, ${maskUrl(location)},
      (select version from firmware_images where uuid = ${uuid} and download_token = ${downloadToken}),
      ${retrieveAt}, ${installAt})
    returning id`;
  if (row === undefined) throw new Error('the insert of a firmware update returned no row');
  return row.id;
}

/** Stores a requested log before the charger receives it, without credentials in its URL. Returns the row's id. */
export async function insertLogUpload(sql: Queryable, chargerId: number, log: LogAsked): Promise<bigint> {
  const [row] = await sql<{ id: bigint }[]>`
    insert into log_uploads (charger_id, kind, log_type, request_id, location, oldest_at, latest_at)
    values (${chargerId}, ${log.kind}, ${log.logType}, ${log.requestId}, ${maskUrl(log.location)}, ${log.oldestAt},
      ${log.latestAt})
    returning id`;
  if (row === undefined) throw new Error('the insert of a log upload returned no row');
  return row.id;
}

/** Records that the charger refused an update or an upload. */
export async function refuseTransfer(
  sql: Queryable,
  table: 'firmware_updates' | 'log_uploads',
  id: bigint,
): Promise<void> {
  await sql`
    update ${sql(table)} set status = 'Rejected', status_at = now(), outcome = 'failed', closed_at = now()
    where id = ${id}`;
}

/** The name that the charger gives the file of an upload. */
export async function nameLogFile(sql: Queryable, id: bigint, fileName: string): Promise<void> {
  await sql`update log_uploads set file_name = ${fileName} where id = ${id}`;
}

/** Last update requested from a charger. */
export interface FirmwareUpdateRecord {
  uuid: string;
  requestId: number | null;
  location: string;
  firmwareVersion: string | null;
  retrieveAt: Date | null;
  status: string;
  statusAt: Date;
  outcome: 'succeeded' | 'failed' | null;
  requestedAt: Date;
}

/** Returns the newest update requested from a charger, or null. */
export async function findLastFirmwareUpdate(
  sql: Queryable,
  chargerId: number,
): Promise<FirmwareUpdateRecord | null> {
  const [row] = await sql<FirmwareUpdateRecord[]>`
    select uuid, request_id as "requestId", location, firmware_version as "firmwareVersion",
      retrieve_at as "retrieveAt", status, status_at as "statusAt", outcome, created_at as "requestedAt"
    from firmware_updates where charger_id = ${chargerId} and kind = 'Update'
    order by id desc limit 1`;
  // Rows of older versions have credentials.
  return row === undefined ? null : { ...row, location: maskUrl(row.location) };
}
