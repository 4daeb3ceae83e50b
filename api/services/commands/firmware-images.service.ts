import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type FirmwarePlace, firmwarePath } from '#shared/domain/commands/firmware.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import { violates } from '#shared/postgres/kernel/client.ts';
import {
  completeFirmwareImage,
  type FirmwareImageRecord,
  findFirmwareImage,
  insertFirmwareImage,
  listFirmwareImages,
  listRemovedFirmwareImages,
  removeFirmwareImage,
} from '#shared/postgres/commands/firmware-images.statements.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import { requireCatalogEditor } from '#api/services/access/callers.ts';
import { requireChargerModel } from '#api/services/fleet/charger-models.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import {
  dropFile,
  firmwareFile,
  keepFile,
  listFiles,
  type ReceivedFile,
  receiveFile,
  tooLarge,
} from './firmware-files.ts';

/** Image in the form of the API. */
export interface FirmwareImage extends Omit<FirmwareImageRecord, 'downloadToken'> {
  /** URL from which chargers fetch it. Null: its bytes are missing. */
  fileUrl: string | null;
}

/** Metadata of an image, sent before its bytes. */
interface FirmwareAnnouncement {
  version: string;
  fileName: string;
  releaseNotes: string | null;
  ocppVersionSupport: string;
  /** Expected SHA-256 of its bytes (hex). Null: not checked. */
  checksum: string | null;
  releasedAt: Date;
}

/**
 * One page of the images of a model, newest release first: those that are there, or those that wait for their bytes.
 * @throws {DomainError} MODEL_NOT_FOUND.
 */
export async function listModelFirmware(
  deps: ServiceDeps,
  modelUuid: string,
  isComplete: boolean,
  page: PageRequest,
): Promise<Page<FirmwareImage>> {
  const model = await requireChargerModel(deps.sql, modelUuid);
  const { rows, total } = await listFirmwareImages(deps.sql, model.id, isComplete, page);
  return { rows: rows.map((image) => shown(deps, image)), total };
}

/** @throws {DomainError} FIRMWARE_NOT_FOUND. */
export async function readFirmwareImage(deps: ServiceDeps, uuid: string): Promise<FirmwareImage> {
  return shown(deps, found(await findFirmwareImage(deps.sql, uuid), uuid));
}

/**
 * Announces an image, whose bytes follow (`uploadFirmwareImage`).
 * @throws {DomainError} CATALOG_NOT_ALLOWED, MODEL_NOT_FOUND, FIRMWARE_EXISTS.
 */
export async function announceFirmwareImage(
  deps: ServiceDeps,
  by: Actor,
  modelUuid: string,
  announcement: FirmwareAnnouncement,
): Promise<FirmwareImage> {
  requireCatalogEditor(by.caller);
  try {
    return await deps.sql.begin(async (transaction) => {
      const model = await requireChargerModel(transaction, modelUuid, 'keep');
      const downloadToken = randomBytes(18).toString('base64url');
      const image = { ...announcement, modelId: model.id, downloadToken };
      const { uuid } = await insertFirmwareImage(transaction, image);
      const made = found(await findFirmwareImage(transaction, uuid), uuid);
      await auditChange(transaction, by, {
        ...audited(made, 'create'),
        before: null,
        after: publicFields(made),
      });
      return shown(deps, made);
    });
  } catch (error) {
    if (!violates(error, 'firmware_images_version_key')) throw error;
    throw new DomainError('FIRMWARE_EXISTS', `The model has firmware ${announcement.version} already.`);
  }
}

/**
 * Stores the bytes of an image, which completes it: it never changes again.
 * @param contentLength length announced by the client; null: none.
 * @throws {DomainError} CATALOG_NOT_ALLOWED, FIRMWARE_NOT_FOUND, FIRMWARE_COMPLETE, BODY_TOO_LARGE,
 * CHECKSUM_MISMATCH, VALIDATION_FAILED, BAD_REQUEST.
 */
export async function uploadFirmwareImage(
  deps: ServiceDeps,
  by: Actor,
  uuid: string,
  source: Readable,
  contentLength: number | null,
): Promise<FirmwareImage> {
  requireCatalogEditor(by.caller);
  const { firmwareDir, firmwareMaxBytes } = deps.settings;
  requireIncomplete(found(await findFirmwareImage(deps.sql, uuid), uuid));
  if (contentLength !== null && contentLength > firmwareMaxBytes) throw tooLarge(firmwareMaxBytes);
  const file = await receiveFile(firmwareDir, uuid, source, firmwareMaxBytes);
  try {
    return await complete(deps, by, uuid, file);
  } finally {
    // It has another name by now, unless it was refused.
    await dropFile(file.path);
  }
}

async function complete(
  deps: ServiceDeps,
  by: Actor,
  uuid: string,
  file: ReceivedFile,
): Promise<FirmwareImage> {
  return deps.sql.begin(async (transaction) => {
    const before = found(await findFirmwareImage(transaction, uuid, true), uuid);
    requireIncomplete(before);
    requireContent(before, file);
    // Before the commit: an image that is complete has its bytes. Without the commit they are replaced by the next upload.
    await keepFile(deps.settings.firmwareDir, uuid, file);
    await completeFirmwareImage(transaction, before.id, file);
    const after = found(await findFirmwareImage(transaction, uuid), uuid);
    const change = { before: publicFields(before), after: publicFields(after) };
    await auditChange(transaction, by, { ...audited(after, 'upload'), ...change });
    return shown(deps, after);
  });
}

/**
 * Removes an image: chargers cannot fetch it any more. Its bytes go later (`sweepFirmwareFiles`).
 * @throws {DomainError} CATALOG_NOT_ALLOWED, FIRMWARE_NOT_FOUND.
 */
export async function deleteFirmwareImage(deps: ServiceDeps, by: Actor, uuid: string): Promise<void> {
  requireCatalogEditor(by.caller);
  await deps.sql.begin(async (transaction) => {
    const before = found(await findFirmwareImage(transaction, uuid, true), uuid);
    await removeFirmwareImage(transaction, before.id);
    await auditChange(transaction, by, {
      ...audited(before, 'delete'),
      before: publicFields(before),
      after: null,
    });
  });
}

/** A file that a charger may fetch. */
interface FirmwareDownload {
  directory: string;
  /** Its name there. */
  name: string;
  /** SHA-256, hex. */
  checksum: string;
}

/**
 * Returns the file at a path that a charger was given; the path is its only credential.
 * @throws {DomainError} FIRMWARE_NOT_FOUND, for every fault of the path.
 */
export async function findFirmwareDownload(
  { sql, settings }: ServiceDeps,
  path: FirmwarePlace & { fileName: string },
): Promise<FirmwareDownload> {
  const image = await findFirmwareImage(sql, path.uuid);
  const isIt =
    image !== null && image.downloadToken === path.downloadToken && image.fileName === path.fileName;
  if (!isIt || image.uploadedAt === null || image.checksum === null) {
    throw new DomainError('FIRMWARE_NOT_FOUND', 'There is no firmware at this address.');
  }
  return { directory: settings.firmwareDir, name: image.uuid, checksum: image.checksum };
}

/** Removes the bytes of images that were removed, and of uploads that were never finished; how many files. */
export async function sweepFirmwareFiles({ sql, settings }: ServiceDeps): Promise<number> {
  const { uuids, abandoned } = await listFiles(settings.firmwareDir);
  const removed = await listRemovedFirmwareImages(sql, uuids);
  const paths = [...abandoned, ...removed.map((uuid) => firmwareFile(settings.firmwareDir, uuid))];
  for (const path of paths) await dropFile(path);
  return paths.length;
}

function requireIncomplete({ uploadedAt }: FirmwareImageRecord): void {
  if (uploadedAt === null) return;
  throw new DomainError(
    'FIRMWARE_COMPLETE',
    'The bytes of this image are stored and cannot change: create a new image.',
  );
}

function requireContent(image: FirmwareImageRecord, { sizeBytes, checksum }: ReceivedFile): void {
  if (sizeBytes === 0) throw new DomainError('VALIDATION_FAILED', 'Invalid body: it is empty.');
  if (image.checksum === null || image.checksum === checksum) return;
  throw new DomainError(
    'CHECKSUM_MISMATCH',
    'The SHA-256 of the bytes differs from the announced checksum.',
    {
      announced: image.checksum,
      received: checksum,
    },
  );
}

function shown({ settings }: ServiceDeps, image: FirmwareImageRecord): FirmwareImage {
  const fileUrl = image.uploadedAt === null ? null : settings.publicUrl + firmwarePath(image);
  return { ...publicFields(image), fileUrl };
}

/** Without what lets chargers fetch it. */
function publicFields({ downloadToken: _downloadToken, ...image }: FirmwareImageRecord) {
  return image;
}

function found(image: FirmwareImageRecord | null, uuid: string): FirmwareImageRecord {
  if (image === null) throw new DomainError('FIRMWARE_NOT_FOUND', `There is no firmware image ${uuid}.`);
  return image;
}

function audited({ uuid, version }: FirmwareImageRecord, action: string) {
  return { networkId: null, category: 'firmware-image', action, resourceId: uuid, resourceName: version };
}
