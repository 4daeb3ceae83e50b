import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Metadata of an image, stored before its bytes arrive. */
interface NewFirmwareImage {
  modelId: number;
  version: string;
  fileName: string;
  releaseNotes: string | null;
  ocppVersionSupport: string;
  downloadToken: string;
  /** Expected SHA-256 of the bytes (hex). Null: not checked. */
  checksum: string | null;
  releasedAt: Date;
}

/** Firmware for a charger model. */
export interface FirmwareImageRecord extends NewFirmwareImage {
  id: number;
  uuid: string;
  modelUuid: string;
  sizeBytes: bigint | null;
  /** Null: its bytes are not there yet. */
  uploadedAt: Date | null;
  /** True for the newest release of its model among the stored images. */
  isLatest: boolean;
  createdAt: Date;
}

const columns = (sql: Queryable) => sql`
  i.id, i.uuid, i.model_id as "modelId", m.uuid as "modelUuid", i.version, i.file_name as "fileName",
  i.release_notes as "releaseNotes", i.ocpp_version_support as "ocppVersionSupport",
  i.download_token as "downloadToken", i.checksum, i.size_bytes as "sizeBytes", i.uploaded_at as "uploadedAt",
  i.released_at as "releasedAt", i.created_at as "createdAt",
  (i.id = (
    select newest.id from firmware_images newest
    where newest.model_id = i.model_id and newest.deleted_at is null and newest.uploaded_at is not null
      and newest.released_at <= now()
    order by newest.released_at desc, newest.id desc limit 1
  )) is true as "isLatest"`;

const tables = (sql: Queryable) => sql`firmware_images i join charger_models m on m.id = i.model_id`;

/** One page of the images of a model, newest release first: those that are there, or those that wait for their bytes. */
export async function listFirmwareImages(
  sql: Queryable,
  modelId: number,
  isComplete: boolean,
  { page, pageSize }: PageRequest,
): Promise<Page<FirmwareImageRecord>> {
  const where = sql`
    i.model_id = ${modelId} and i.deleted_at is null and (i.uploaded_at is not null) = ${isComplete}`;
  const [rows, [count]] = await Promise.all([
    sql<FirmwareImageRecord[]>`
      select ${columns(sql)} from ${tables(sql)} where ${where}
      order by i.released_at desc, i.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`,
    sql<{ total: number }[]>`select count(*)::integer as total from firmware_images i where ${where}`,
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** One image, or null. `lock`: for a change in this transaction. */
export async function findFirmwareImage(
  sql: Queryable,
  uuid: string,
  lock = false,
): Promise<FirmwareImageRecord | null> {
  const [row] = await sql<FirmwareImageRecord[]>`
    select ${columns(sql)} from ${tables(sql)} where i.uuid = ${uuid} and i.deleted_at is null
    ${lock ? sql`for update of i` : sql``}`;
  return row ?? null;
}

/** Stores an image that waits for its bytes; `firmware_images_version_key`: its model has one of that version. */
export async function insertFirmwareImage(
  sql: Queryable,
  image: NewFirmwareImage,
): Promise<{ uuid: string }> {
  const [row] = await sql<{ uuid: string }[]>`
    insert into firmware_images (model_id, version, file_name, release_notes, ocpp_version_support, download_token,
      checksum, released_at)
    values (${image.modelId}, ${image.version}, ${image.fileName}, ${image.releaseNotes},
      ${image.ocppVersionSupport}, ${image.downloadToken}, ${image.checksum}, ${image.releasedAt})
    returning uuid`;
  if (row === undefined) throw new Error('the insert of a firmware image returned no row');
  return row;
}

/** The bytes of an image that is locked are there; it never changes again. */
export async function completeFirmwareImage(
  sql: Queryable,
  id: number,
  { checksum, sizeBytes }: { checksum: string; sizeBytes: number },
): Promise<void> {
  await sql`
    update firmware_images set checksum = ${checksum}, size_bytes = ${sizeBytes}, uploaded_at = now()
    where id = ${id}`;
}

/** Removes an image softly. */
export async function removeFirmwareImage(sql: Queryable, id: number): Promise<void> {
  await sql`update firmware_images set deleted_at = now() where id = ${id}`;
}

/** Those of these images that were removed. */
export async function listRemovedFirmwareImages(sql: Queryable, uuids: string[]): Promise<string[]> {
  const rows = await sql<{ uuid: string }[]>`
    select uuid from firmware_images where uuid = any(${uuids}::uuid[]) and deleted_at is not null`;
  return rows.map(({ uuid }) => uuid);
}
