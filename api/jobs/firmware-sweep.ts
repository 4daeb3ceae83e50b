import type { ApiDeps } from '#api/services/deps.ts';
import { sweepFirmwareFiles } from '#api/services/commands/firmware-images.ts';
import type { Logger } from '#shared/log/log.ts';

/** Removes unused files from FIRMWARE_DIR. Any number of processes can run it. */
export async function removeFirmwareFiles({ log, ...deps }: ApiDeps & { log: Logger }): Promise<void> {
  const removed = await sweepFirmwareFiles(deps);
  if (removed > 0)
    log.info({ removed }, 'files of removed firmware images, or of broken uploads, were removed');
}
