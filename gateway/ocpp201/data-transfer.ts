import type { DeviceModelVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { dataTransferFor } from '#gateway/handlers/data-transfer/handler.ts';
import type { Vendor } from '#gateway/handlers/data-transfer/vendors.ts';
import { serve } from '#gateway/protocol/serve.ts';

/** OCPP 2.0.1 P02, whose data is any JSON. */
export const dataTransfer = (version: DeviceModelVersion, vendors: readonly Vendor[]) =>
  serve(version, 'DataTransfer', {
    message: ({ vendorId, messageId = null, data }) => ({ vendorId, messageId, data }),
    handle: dataTransferFor(vendors),
    response: ({ status, data }) => (data === undefined ? { status } : { status, data }),
  });
