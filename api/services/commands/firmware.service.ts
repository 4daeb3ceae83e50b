import { maxInt32 } from '#shared/domain/kernel/integers.ts';
import { randomInt } from 'node:crypto';
import type { FirmwareRequest } from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { maskUrl } from '#shared/domain/kernel/masking.ts';
import {
  findLastFirmwareUpdate,
  type FirmwareUpdateRecord,
} from '#shared/postgres/commands/requested-transfers.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { send, type SentCommand } from './send.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type FirmwareImage, readFirmwareImage } from './firmware-images.service.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';

/** URL schemes from which chargers fetch images. */
const schemes = new Set(['http:', 'https:', 'ftp:', 'ftps:']);

/** A requestId is an integer of 32 bits. */
const maxRequestId = maxInt32;

/** Image to install: one of the catalog or one at a URL. */
interface FirmwareChoice extends Omit<FirmwareRequest, 'requestId' | 'location'> {
  firmwareVersionId: string | null;
  location: string | null;
}

/** A requested firmware update with the charger's answer. */
interface RequestedUpdate {
  /** URL without credentials; the charger receives the whole one. */
  location: string;
  /** Null: it is at a URL that the caller named. */
  image: FirmwareImage | null;
  sent: SentCommand;
}

/**
 * Asks the charger to fetch an image and to install it; it reports its progress itself.
 * @throws {DomainError} VALIDATION_FAILED, FIRMWARE_NOT_FOUND, FIRMWARE_INCOMPLETE, FIRMWARE_MISMATCH, and what
 * `send` throws.
 */
export async function updateFirmware(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  { firmwareVersionId, location, ...request }: FirmwareChoice,
): Promise<RequestedUpdate> {
  if ((firmwareVersionId === null) === (location === null)) {
    throw wrongField('location', 'or else firmwareVersionId is required: one of the two');
  }
  const image = firmwareVersionId === null ? null : await imageFor(deps, charger, firmwareVersionId);
  const url = image?.fileUrl ?? requireLocation(location);
  const sent = await send(deps, by, charger, {
    type: 'update-firmware',
    requestId: randomInt(1, maxRequestId),
    location: url,
    ...request,
  });
  return { location: maskUrl(url), image, sent };
}

/** An image of the catalog that is there, and that is for the charger's model, where that is known. */
async function imageFor(deps: ServiceDeps, charger: ChargerRecord, uuid: string): Promise<FirmwareImage> {
  const image = await readFirmwareImage(deps, uuid);
  if (image.fileUrl === null) {
    throw new DomainError('FIRMWARE_INCOMPLETE', 'The bytes of this image are missing: upload them first.');
  }
  if (charger.modelUuid !== null && charger.modelUuid !== image.modelUuid) {
    throw new DomainError('FIRMWARE_MISMATCH', 'This image is for chargers of another model.', {
      chargerModelId: charger.modelUuid,
      imageModelId: image.modelUuid,
    });
  }
  return image;
}

function requireLocation(location: string | null): string {
  // `URL` takes other slashes, and none, before the host, where credentials would not be recognized.
  const hasHost = location !== null && /^[a-z]+:\/\/[^/\\]/i.test(location);
  if (!hasHost || !URL.canParse(location) || !schemes.has(new URL(location).protocol)) {
    throw wrongField('location', 'must be a URL that begins with http://, https://, ftp:// or ftps://');
  }
  return location;
}

/** Returns the newest update requested from a charger, or null. */
export function readLastFirmwareUpdate(
  { sql }: ServiceDeps,
  charger: ChargerRecord,
): Promise<FirmwareUpdateRecord | null> {
  return findLastFirmwareUpdate(sql, charger.id);
}
